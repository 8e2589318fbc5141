import { THREADS } from './0001-threads.ts';
import { AUDIT } from './0002-audit.ts';
import { PLACES } from './0003-places.ts';
import { DELIVERIES } from './0004-deliveries.ts';

/**
 * The schema's history, in order: the file's `user_version` is how many of these it has had. A step is never changed
 * once it is released, only followed by another, and only adds: an older backup opens with a newer program.
 */
export const MIGRATIONS: readonly string[] = [THREADS, AUDIT, PLACES, DELIVERIES];
