import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Started {
  /** What the process said first: where it listens, or what it found. */
  readonly said: string;
  /** Sends it a word, and gives what it says next. */
  ask(word: string): Promise<string>;
  end(): void;
}

/** Runs a file of this folder in a process of its own, which ends when this one lets go of it. */
export async function start(
  file: string,
  { args = [], flags = [] }: { args?: readonly string[]; flags?: readonly string[] } = {},
): Promise<Started> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = fork(path, args, {
    execArgv: ['--disable-warning=ExperimentalWarning', ...flags],
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  let complaints = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-4_000);
  });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`${file} ended with ${String(code)} before it said anything\n${complaints}`);
  });
  const [said] = await Promise.race([once(child, 'message'), failed]);
  failed.catch(() => undefined);
  const ask = async (word: string): Promise<string> => {
    child.send(word);
    return String((await once(child, 'message'))[0]);
  };
  return { said: String(said), ask, end: () => child.disconnect() };
}

export const startAgent = (): Promise<Started> => start('agent.ts');
