import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Where data is kept unless `--data` says otherwise: $XDG_STATE_HOME/kourier, which is ~/.local/state/kourier. */
export function stateFolder(env: NodeJS.ProcessEnv = process.env): string {
  const state = env['XDG_STATE_HOME'] ?? '';
  // The specification of XDG_STATE_HOME: a relative one is to be ignored.
  return join(isAbsolute(state) ? state : join(homedir(), '.local', 'state'), 'kourier');
}
