import { machineClock } from './adapters/machine/clock.ts';
import { crashOnUncaught } from './adapters/machine/crash.ts';
import { machineIds } from './adapters/machine/ids.ts';
import { machineLog } from './adapters/machine/log.ts';
import { readText } from './adapters/machine/read-text.ts';
import { stopSignal } from './adapters/machine/stop-signal.ts';
import { DialOutRefused, type DialState, dialOut } from './adapters/upstream/tunnel/dial-out.ts';
import { TUNNEL_LIMITS } from './adapters/upstream/tunnel/limits.ts';
import { EXIT_DONE, EXIT_FAILED } from './cli/cli.ts';
import { inert } from './cli/inert.ts';
import type { ConnectOptions } from './cli/space/connect-options.ts';
import { UsageError } from './cli/usage-error.ts';

export interface Surroundings {
  readonly complain: (line: string) => void;
  /** What calls that run have to end by themselves once the process is told to stop. */
  readonly stopWithinMs: number;
}

/** `kourier space connect`: until it is told to stop, or the Space does not take it; the exit code. Rejects with a `UsageError`. */
export async function connectSpace(options: ConnectOptions, around: Surroundings): Promise<number> {
  const { complain, stopWithinMs } = around;
  const key = await keyIn(options.keyFile);
  const log = machineLog({ level: 'info' });
  crashOnUncaught(log);
  const stop = new AbortController();
  void stopSignal(log, { graceMs: stopWithinMs }).then(() => stop.abort());
  const told = (state: DialState): void => {
    if (state.state === 'connected')
      process.stdout.write(`kourier: connected: calls of ${options.space}/${options.agent} go to ${options.to.href}\n`);
    else complain(`kourier: no tunnel: ${inert(state.because)}; dials again in ${state.retryInMs} ms`);
  };
  try {
    const [clock, { chance }] = [machineClock(), machineIds()];
    await dialOut({ ...options, key, clock, chance, told, signal: stop.signal });
    return EXIT_DONE;
  } catch (error) {
    if (!(error instanceof DialOutRefused)) throw error;
    complain(`kourier: ${inert(error.message)}`);
    return EXIT_FAILED;
  }
}

/** Throws `UsageError`. The key itself is in none of its messages. */
async function keyIn(file: string): Promise<string> {
  let text: string;
  try {
    text = await readText(file, TUNNEL_LIMITS.keyBytes);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--key-file ${file} cannot be read: ${why}`, 'name a file that holds the key alone');
  }
  const key = text.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new UsageError(`--key-file ${file} holds no key`, 'write the key into it, alone in one line');
}
