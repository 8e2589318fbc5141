/** A command as data: parsing, help and completions all read this, so that they cannot say different things. */
export interface Command {
  readonly name: string;
  /** One line, beginning small, without a stop. */
  readonly summary: string;
  readonly details?: readonly string[];
  readonly operands: readonly Operand[];
  readonly options: readonly Option[];
}

export interface Operand {
  /** As it stands in the usage, in capitals. */
  readonly name: string;
  /** The only words that it may be. */
  readonly choices?: readonly string[];
  /** What it may be otherwise. */
  readonly summary?: string;
  /** What the shell offers for it. */
  readonly offers?: 'files';
  /** As of an option. */
  readonly of?: readonly string[];
  readonly optional: boolean;
}

export interface Option {
  /** Without its dashes. */
  readonly name: string;
  readonly short?: string;
  /** What its value is called, in capitals; absent: the option takes none. */
  readonly value?: string;
  /** The only values that it takes. */
  readonly choices?: readonly string[];
  /** What the shell offers as its value. */
  readonly offers?: 'files' | 'folders';
  readonly many?: true;
  /** The actions that take it, of a command that has some; absent: all of them. */
  readonly of?: readonly string[];
  readonly summary: string;
}

/** What a command can be asked to do, when its first operand says that. */
export function actionsOf({ operands: [first] }: Command): readonly string[] {
  return first?.name === 'ACTION' ? (first.choices ?? []) : [];
}

/** The operands that an action takes, itself left out. */
export const operandsFor = ({ operands }: Command, action: string): readonly Operand[] =>
  operands.slice(1).filter(({ of = [action] }) => of.includes(action));

/** The options that an action takes. */
export const optionsFor = ({ options }: Command, action: string): readonly Option[] =>
  options.filter(({ of = [action] }) => of.includes(action));
