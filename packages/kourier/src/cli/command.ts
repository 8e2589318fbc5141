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
  readonly summary: string;
}
