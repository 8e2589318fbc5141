import type { FileSchema } from '../../../sqlite/migrate.ts';
import { THREADS } from './0001-threads.ts';
import { AUDIT } from './0002-audit.ts';
import { PLACES } from './0003-places.ts';
import { DELIVERIES } from './0004-deliveries.ts';

/** The file of the courier's store. */
export const KOURIER_FILE: FileSchema = {
  // "AgKo"
  applicationId: 0x41_67_4b_6f,
  migrations: [THREADS, AUDIT, PLACES, DELIVERIES],
};
