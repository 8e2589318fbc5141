import { parseArgs } from 'node:util';
import { nearest } from '../src/core/nearest.ts';

export const HELP = `Runs the real courier over simulated ports, seed by seed, and looks at what must always hold.

Usage: npm run sim -- [--runs N] [--from SEED] [--calm]
       npm run sim -- --seed SEED [--log] [--calm]

Options:
  --runs N     so many seeds, one after the other (default: 500)
  --from SEED  the first of them (default: 1)
  --seed SEED  this seed alone
  --log        tell each step
  --calm       without faults
  --help       say this

Exit code 0: every seed held. 1: a seed failed, or of 300 seeds and more none saw something that has to happen.
2: wrong usage.
`;

const OPTIONS = {
  runs: { type: 'string', default: '500' },
  from: { type: 'string', default: '1' },
  seed: { type: 'string' },
  log: { type: 'boolean', default: false },
  calm: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const SWITCHES = ['--log', '--calm', '--help'];

export type CommandLine =
  | { readonly kind: 'help' }
  /** One line that says what to write instead. */
  | { readonly kind: 'wrong'; readonly line: string }
  | {
      readonly kind: 'run';
      readonly first: number;
      readonly runs: number;
      /** A seed was asked for by its number. */
      readonly one: boolean;
      readonly log: boolean;
      readonly calm: boolean;
    };

/** What the arguments ask for. */
export function commandLine(args: readonly string[]): CommandLine {
  try {
    const { values } = parseArgs({ args: [...args], options: OPTIONS });
    if (values.help) return { kind: 'help' };
    const { log, calm } = values;
    if (values.seed !== undefined) {
      return { kind: 'run', first: numberIn('seed', values.seed, 0), runs: 1, one: true, log, calm };
    }
    const [first, runs] = [numberIn('from', values.from, 0), numberIn('runs', values.runs, 1)];
    return { kind: 'run', first, runs, one: false, log, calm };
  } catch (error) {
    const line = error instanceof NotANumber ? error.message : wrong(error);
    if (line === undefined) throw error;
    return { kind: 'wrong', line };
  }
}

class NotANumber extends Error {}

function numberIn(option: string, text: string, least: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= least) return number;
  throw new NotANumber(`--${option} ${text} is no number of ${least} or more; write --${option} ${least + 1}`);
}

/** Node's own errors, in our words. */
function wrong(error: unknown): string | undefined {
  const { code, message } = error as NodeJS.ErrnoException;
  const typed = /'(?:-\w, )?([^' =]*)/.exec(message)?.[1] ?? '';
  switch (code) {
    case 'ERR_PARSE_ARGS_UNKNOWN_OPTION': {
      const near = nearest(
        typed,
        Object.keys(OPTIONS).map((name) => `--${name}`),
      );
      return `unknown option ${typed}; ${near === undefined ? 'see npm run sim -- --help' : `write ${near}`}`;
    }
    case 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL':
      return `${typed} is no option; see npm run sim -- --help`;
    case 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE':
      return SWITCHES.includes(typed)
        ? `option ${typed} takes no value; write ${typed}`
        : `option ${typed} has no value; see npm run sim -- --help`;
    default:
      return undefined;
  }
}
