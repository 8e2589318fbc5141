import type { Finding } from '../ports/finding.ts';
import { type ModuleCardOptions, moduleOptions, type ServeModuleOptions } from './a2a/module-options.ts';
import { isSpaceAction, type SpaceEnvironment, type SpaceOptions, spaceOptions } from './a2a/space-options.ts';
import { type CardOutside, card } from './card/card.ts';
import { cardOptions } from './card/card-options.ts';
import type { Command } from './command.ts';
import { A2A, CARD, COMPLETION, DOCTOR, HELP, SHELLS, SLACK, UP } from './commands.ts';
import { completionScript } from './completion.ts';
import { type DoctorOptions, doctorOptions, findingLines, findingsJson, hold } from './doctor/doctor.ts';
import { helpText } from './help.ts';
import { actionNamed, commandNamed, type Parsed, parse } from './parse.ts';
import { type ManifestOptions, manifestOptions } from './slack-manifest.ts';
import { type ConnectOptions, connectOptions } from './space/connect-options.ts';
import { type KeyOptions, keyOptions } from './space/key.ts';
import { type ServeSpaceOptions, serveSpaceOptions } from './space/serve-options.ts';
import { SPACE, SPACE_ACTIONS } from './space/space-command.ts';
import { stateFolder } from './state-folder.ts';
import { type UpOptions, upOptions } from './up.ts';
import { UsageError } from './usage-error.ts';

/** What a command line can do to the world. */
export interface Outside extends CardOutside {
  readonly version: string;
  /** Runs the courier until it is told to stop; the exit code. */
  up(options: UpOptions): Promise<number>;
  /** Looks at what a courier would run with; changes nothing. */
  diagnose(options: DoctorOptions): Promise<readonly Finding[]>;
  /** The card of an agent module, as text with a line end. Rejects with a `UsageError` when the module holds no agent. */
  moduleCard(options: ModuleCardOptions): Promise<string>;
  /** Serves an agent module until it is told to stop; the exit code. Rejects as `moduleCard` does. */
  serveModule(options: ServeModuleOptions): Promise<number>;
  /** Asks a Space; the exit code. Rejects with a `UsageError`. */
  space(options: SpaceOptions): Promise<number>;
  readonly environment: SpaceEnvironment;
  /** Runs a Space until it is told to stop; the exit code. */
  serveSpace(options: ServeSpaceOptions): Promise<number>;
  /** Passes the calls of a Space on to an agent until it is told to stop; the exit code. Rejects with a `UsageError`. */
  connectSpace(options: ConnectOptions): Promise<number>;
  /** A Slack app as text, with a line end. */
  slackManifest(options: ManifestOptions): string;
  /** A new API key of a Space, and the document that configures it, with a line end. */
  spaceKey(options: KeyOptions): { readonly key: string; readonly document: string };
}

export const EXIT_DONE = 0;
export const EXIT_FAILED = 1;
/** Wrong usage, or a configuration that cannot be read. */
export const EXIT_USAGE = 2;

/** Does what the arguments say; the exit code. */
export async function cli(args: readonly string[], outside: Outside): Promise<number> {
  try {
    return await perform(parse(args), outside);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    outside.complain(`kourier: ${error.message}`);
    return EXIT_USAGE;
  }
}

/** Throws `UsageError`. */
async function space(
  { operands: [action], values }: Parsed & { readonly kind: 'command' },
  outside: Outside,
): Promise<number> {
  const asked = SPACE_ACTIONS.find((known) => known === action) ?? 'serve';
  switch (asked) {
    case 'serve':
      return outside.serveSpace(serveSpaceOptions(values));
    case 'connect':
      return outside.connectSpace(connectOptions(values));
    case 'key': {
      const { key, document } = outside.spaceKey(keyOptions(values));
      outside.complain(document.trimEnd());
      outside.print(`${key}\n`);
      return EXIT_DONE;
    }
  }
}

async function perform(parsed: Parsed, outside: Outside): Promise<number> {
  const print = (text: string): number => {
    outside.print(text);
    return EXIT_DONE;
  };
  const help = (command?: Command, action?: string): number => print(helpText(command, action, stateFolder()));
  if (parsed.kind === 'version') return print(`kourier ${outside.version}\n`);
  if (parsed.kind === 'help') return help(parsed.command, parsed.action);
  const [word, second] = parsed.operands;
  switch (parsed.command) {
    case UP:
      return outside.up(upOptions(parsed.values));
    case DOCTOR: {
      const options = doctorOptions(parsed.values);
      const findings = await outside.diagnose(options);
      print(options.json ? findingsJson(findings) : findingLines(findings));
      return hold(findings) ? EXIT_DONE : EXIT_FAILED;
    }
    case SLACK:
      return print(outside.slackManifest(manifestOptions(parsed.values)));
    case CARD:
      return (await card(cardOptions(parsed.operands, parsed.values), outside)) ? EXIT_DONE : EXIT_FAILED;
    case A2A: {
      if (isSpaceAction(word ?? '')) {
        return outside.space(spaceOptions(parsed.operands, parsed.values, outside.environment));
      }
      const options = moduleOptions(parsed.operands, parsed.values);
      return options.action === 'card' ? print(await outside.moduleCard(options)) : outside.serveModule(options);
    }
    case SPACE:
      return space(parsed, outside);
    case COMPLETION:
      return print(completionScript(SHELLS.find((shell) => shell === word) ?? 'bash'));
    case HELP:
      return word === undefined ? help() : help(commandNamed(word), second && actionNamed(commandNamed(word), second));
    default:
      throw new Error(`command ${parsed.command.name} has no code`);
  }
}
