import { parseArgs } from 'node:util';
import { actionsOf, type Command, type Option, optionsFor } from './command.ts';
import { COMMANDS, EVERYWHERE, VERSION } from './commands.ts';
import { UsageError, writeOneOf } from './usage-error.ts';

export type Parsed =
  | { readonly kind: 'version' }
  /** Without a command: of `kourier` itself. */
  | { readonly kind: 'help'; readonly command?: Command; readonly action?: string | undefined }
  | {
      readonly kind: 'command';
      readonly command: Command;
      readonly values: Values;
      readonly operands: readonly string[];
    };

/** Every value that was given, by option, in their order. */
export type Values = ReadonlyMap<string, readonly string[]>;

/** Throws `UsageError`. */
export function parse(args: readonly string[]): Parsed {
  const [word, ...rest] = args;
  if (word === undefined) return { kind: 'help' };
  if (word.startsWith('-')) {
    const { values } = parseOptions([word], [...EVERYWHERE, VERSION]);
    return { kind: values.has(VERSION.name) ? 'version' : 'help' };
  }
  const command = commandNamed(word);
  const { values, operands } = parseOptions(rest, [...command.options, ...EVERYWHERE]);
  const action = actionsOf(command).find((known) => known === operands[0]);
  if (values.has('help')) return { kind: 'help', command, action };
  checkOperands(command, operands);
  if (action !== undefined) checkAction(command, action, values);
  checkChoices(command, values);
  return { kind: 'command', command, values, operands };
}

export function commandNamed(word: string): Command {
  const command = COMMANDS.find(({ name }) => name === word);
  if (command !== undefined) return command;
  throw new UsageError(
    `unknown command ${word}`,
    writeOneOf(
      word,
      COMMANDS.map(({ name }) => name),
    ),
  );
}

/** Throws `UsageError`. */
export function actionNamed(command: Command, word: string): string {
  const actions = actionsOf(command);
  const action = actions.find((known) => known === word);
  if (action !== undefined) return action;
  if (actions.length === 0) throw new UsageError(`${command.name} has no actions`, `see kourier help ${command.name}`);
  throw new UsageError(`unknown action ${word}`, writeOneOf(word, actions));
}

function parseOptions(
  args: readonly string[],
  options: readonly Option[],
): { values: Values; operands: readonly string[] } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: Object.fromEntries(options.map(parseArgsOption)),
      allowPositionals: true,
      strict: true,
    });
    const given = Object.entries(values).map(([name, value]) => [name, [value].flat().map(String)] as const);
    return { values: new Map(given), operands: positionals };
  } catch (error) {
    throw usageError(error, options);
  }
}

function parseArgsOption({
  name,
  short,
  value,
  many,
}: Option): [string, { type: 'string' | 'boolean'; short?: string; multiple: boolean }] {
  return [
    name,
    {
      type: value === undefined ? 'boolean' : 'string',
      ...(short === undefined ? {} : { short }),
      multiple: many === true,
    },
  ];
}

/** Node's own errors, in our words. */
function usageError(error: unknown, options: readonly Option[]): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  const typed = /'(?:-\w, )?(-[^' =]*)/.exec(message)?.[1] ?? '';
  const known = options.map(({ name }) => `--${name}`);
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION')
    return new UsageError(`unknown option ${typed}`, writeOneOf(typed, known));
  if (code !== 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') return error;
  const option = options.find(({ name }) => `--${name}` === typed);
  if (option?.value === undefined) return new UsageError(`option ${typed} takes no value`, `write ${typed}`);
  return new UsageError(`option ${typed} has no value`, `write ${typed} ${option.value}`);
}

function checkAction(command: Command, action: string, given: Values): void {
  const taken = optionsFor(command, action).map(({ name }) => name);
  const other = [...given.keys()].find((name) => !taken.includes(name));
  if (other === undefined) return;
  throw new UsageError(`${command.name} ${action} takes no --${other}`, `see kourier help ${command.name} ${action}`);
}

function checkChoices({ options }: Command, given: Values): void {
  for (const { name, choices = [] } of options)
    for (const word of choices.length === 0 ? [] : (given.get(name) ?? []))
      if (!choices.includes(word)) throw new UsageError(`--${name} ${word} is not known`, writeOneOf(word, choices));
}

function checkOperands({ name, operands }: Command, given: readonly string[]): void {
  const extra = given[operands.length];
  if (extra !== undefined) throw new UsageError(`${name} takes no ${extra}`, `see kourier help ${name}`);
  operands.forEach((operand, index) => {
    const word = given[index];
    if (word === undefined && !operand.optional)
      throw new UsageError(
        `${name} needs ${/^[AEIOU]/.test(operand.name) ? 'an' : 'a'} ${operand.name}`,
        operand.choices === undefined ? `write ${operand.summary}` : `write one of ${operand.choices.join(', ')}`,
      );
    if (word !== undefined && operand.choices?.includes(word) === false)
      throw new UsageError(`unknown ${operand.name.toLowerCase()} ${word}`, writeOneOf(word, operand.choices ?? []));
  });
}
