import { resolve } from 'node:path';

/** Where the shared cases, transcripts and the acceptance kit are; they do not belong to this repository and may be absent. */
export function sharedFolder(): string {
  return resolve(process.env['KOURIER_SHARED'] ?? new URL('../../shared', import.meta.url).pathname);
}
