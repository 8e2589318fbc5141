import { actionsOf, type Command, type Option, optionsFor } from './command.ts';
import { COMMANDS, EVERYWHERE, type SHELLS, VERSION } from './commands.ts';

/** A completion script for a shell, made from the table of commands. */
export function completionScript(shell: (typeof SHELLS)[number]): string {
  return { bash, zsh, fish }[shell]();
}

const optionsOf = ({ options }: Command): readonly Option[] => [...options, ...EVERYWHERE];
const flags = (options: readonly Option[]): string => options.map(({ name }) => `--${name}`).join(' ');
const choices = ({ operands }: Command): string => operands.flatMap(({ choices: words = [] }) => words).join(' ');
const takesFile = ({ operands }: Command): boolean => operands.some(({ offers }) => offers === 'files');
const NAMES = COMMANDS.map(({ name }) => name).join(' ');

function bash(): string {
  const valued = COMMANDS.flatMap(({ options }) => options).filter(({ value }) => value !== undefined);
  const chosen = new Map(valued.flatMap(({ name, choices: words }) => (words ? [[name, words.join(' ')]] : [])));
  const offering = (offers: Option['offers']): string =>
    [
      ...new Set(valued.filter((option) => option.offers === offers && !option.choices).map(({ name }) => `--${name}`)),
    ].join('|');
  return `# kourier completion for bash: eval "$(kourier completion bash)"
_kourier() {
  local word=\${COMP_WORDS[COMP_CWORD]} words
  case \${COMP_WORDS[COMP_CWORD-1]} in
${[...chosen].map(([name, words]) => `    --${name}) COMPREPLY=($(compgen -W "${words}" -- "$word")); return ;;\n`).join('')}    ${offering('files')}) COMPREPLY=($(compgen -f -- "$word")); return ;;
    ${offering('folders')}) COMPREPLY=($(compgen -d -- "$word")); return ;;
    ${offering(undefined)}) COMPREPLY=(); return ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${NAMES} ${flags([...EVERYWHERE, VERSION])}"
  else
    case \${COMP_WORDS[1]} in
${COMMANDS.map((command) => `      ${command.name}) words="${[choices(command), flags(optionsOf(command))].join(' ').trim()}" ;;`).join('\n')}
    esac
    [ "$COMP_CWORD" -eq 2 ] || case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${COMMANDS.flatMap(bashActions).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
${COMMANDS.filter(takesFile)
  .map(
    ({ name }) =>
      `  [ "\${COMP_WORDS[1]}" != ${name} ] || [ "$COMP_CWORD" -le 2 ] || COMPREPLY+=($(compgen -f -- "$word"))\n`,
  )
  .join('')}}
complete -o filenames -F _kourier kourier
`;
}

/** Behind an action stand its own options. */
const bashActions = (command: Command): readonly string[] =>
  actionsOf(command).map((action) => {
    const options = [...optionsFor(command, action), ...EVERYWHERE];
    return `      "${command.name} ${action}") words="${flags(options)}" ;;`;
  });

function zsh(): string {
  return `#compdef kourier
# kourier completion for zsh: eval "$(kourier completion zsh)"
_kourier() {
  local -a commands
  commands=(${COMMANDS.map(({ name, summary }) => `'${name}:${summary}'`).join(' ')})
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case $words[2] in
${COMMANDS.map(zshCommand).join('\n')}
  esac
}
compdef _kourier kourier
`;
}

function zshCommand(command: Command): string {
  const options = optionsOf(command).map(({ name, summary, many, value, offers, choices: words }) => {
    const files = { files: '_files', folders: '_files -/' };
    const offered = words === undefined ? ' ' : `(${words.join(' ')})`;
    const takes = value === undefined ? '' : `:${value}:${offers === undefined ? offered : files[offers]}`;
    return `'${many === true ? '*' : ''}--${name}[${summary.replace(/[[\]:']/g, ' ')}]${takes}'`;
  });
  const operands = command.operands.map(
    ({ name, offers, choices: words = [] }, index) =>
      `'${index + 1}:${name}:${offers === 'files' ? '_files' : words.length === 0 ? ' ' : `(${words.join(' ')})`}'`,
  );
  return `    ${command.name}) shift words; (( CURRENT-- )); _arguments ${[...operands, ...options].join(' ')} ;;`;
}

function fish(): string {
  const said = (summary: string): string => `-d '${summary.replaceAll("'", ' ')}'`;
  const lines = COMMANDS.flatMap((command) => [
    `complete -c kourier -n __fish_use_subcommand -a ${command.name} ${said(command.summary)}`,
    ...(command.operands.length === 0
      ? []
      : [
          `complete -c kourier -n '__fish_seen_subcommand_from ${command.name}' ${takesFile(command) ? '-F ' : ''}-a '${choices(command)}'`,
        ]),
    ...optionsOf(command).map(({ name, value, offers, summary, choices: words }) => {
      const offered = words === undefined ? ' -x' : ` -x -a '${words.join(' ')}'`;
      const takes = value === undefined ? '' : offers === undefined ? offered : ' -rF';
      return `complete -c kourier -n '__fish_seen_subcommand_from ${command.name}' -l ${name}${takes} ${said(summary)}`;
    }),
  ]);
  return [
    '# kourier completion for fish: kourier completion fish | source',
    'complete -c kourier -f',
    ...lines,
    '',
  ].join('\n');
}
