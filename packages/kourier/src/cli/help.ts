import { type Command, type Option, operandsFor, optionsFor } from './command.ts';
import { COMMANDS, EVERYWHERE, VERSION } from './commands.ts';

const WIDTH = 100;

/** How `kourier` is used, or one command of it, or one action of that. */
export function helpText(command: Command | undefined, action: string | undefined, stateFolder: string): string {
  const text = command === undefined ? productHelp() : commandHelp(command, action);
  return text.replace('STATE', stateFolder);
}

function productHelp(): string {
  return [
    'Agent Kourier carries conversations to AI agents and owes the answer until it is shown.',
    '',
    'Usage: kourier COMMAND [OPTION]...',
    '',
    'Commands:',
    ...table(COMMANDS.map(({ name, summary }) => [name, summary])),
    '',
    'Options:',
    ...table([...EVERYWHERE, VERSION].map((option) => [written(option), option.summary])),
    '',
    'Begin with: kourier up',
    '',
  ].join('\n');
}

function commandHelp(command: Command, action: string | undefined): string {
  const { name, summary, details = [] } = command;
  const options = action === undefined ? command.options : optionsFor(command, action);
  const operands = action === undefined ? command.operands : operandsFor(command, action);
  const shown = operands.map((operand) => (operand.optional ? `[${operand.name}]` : operand.name));
  const usage = [
    'kourier',
    name,
    ...(action === undefined ? [] : [action]),
    ...shown,
    ...options.map((option) => `[${written(option)}]${option.many === true ? '...' : ''}`),
  ];
  return [
    `kourier ${name}: ${summary}`,
    '',
    ...wrapped(`Usage: ${usage.join(' ')}`, '       '),
    ...details.flatMap((line) => ['', ...wrapped(line, '')]),
    ...(operands.length === 0
      ? []
      : [
          '',
          ...table(
            operands.map((operand) => [operand.name, operand.summary ?? `one of ${operand.choices?.join(', ')}`]),
          ),
        ]),
    '',
    'Options:',
    ...table([...options, ...EVERYWHERE].map((option) => [written(option), option.summary])),
    '',
  ].join('\n');
}

function written({ name, short, value }: Option): string {
  return `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
}

function table(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.flatMap(([left, right]) => {
    const [first = '', ...rest] = wrapped(right, '', WIDTH - width - 2);
    return [`  ${left.padEnd(width)}${first}`, ...rest.map((line) => ' '.repeat(width + 2) + line)];
  });
}

function wrapped(text: string, indent: string, width = WIDTH): readonly string[] {
  const lines: string[] = [];
  let line = '';
  // An option stays with its value.
  for (const word of text.split(/ (?![^[]*\])/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = indent + word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
