import type { Finding } from '../../../../ports/finding.ts';

/** A finding about one platform: its name stands before the words. */
export type Said = (verdict: Finding['verdict'], what: string, todo?: string) => Finding;
