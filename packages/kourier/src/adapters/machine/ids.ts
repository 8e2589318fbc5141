import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { EntryId, ThreadId, TurnId } from '../../core/thread/ids.ts';
import type { Ids } from '../../ports/ids.ts';

const BYTES = 16;

/**
 * Ids of 128 random bits, safe in a URL; the first letter says to a person what they name. Who knows a thread's id can
 * read it where callers are not told apart, so none may be guessed from another.
 */
export function machineIds(): Ids {
  return {
    thread: () => `t_${random()}` as ThreadId,
    turn: () => `u_${random()}` as TurnId,
    entry: () => `e_${random()}` as EntryId,
    trace,
    owner: () => `${hostname().slice(0, 64)}/${process.pid}/${random()}`,
    chance: Math.random,
  };
}

function random(): string {
  return randomBytes(BYTES).toString('base64url');
}

/** All zeros is no trace id (W3C Trace Context). */
function trace(): string {
  const id = randomBytes(BYTES).toString('hex');
  return /[1-9a-f]/.test(id) ? id : trace();
}
