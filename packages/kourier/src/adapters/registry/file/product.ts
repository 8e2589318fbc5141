import type { Checked } from './documents.ts';
import type { Report } from './problem.ts';
import type { FileText } from './read-file.ts';
import type { Command, Kind } from './schema/kinds.ts';
import type { SecretReference, Secrets } from './secrets.ts';

/** What one command makes of the documents of its kinds. */
export interface Product<Configuration> {
  readonly command: Command;
  /** Secrets that a document refers to. */
  references(document: Checked): readonly SecretReference[];
  /** Files that a document refers to, as it names them, each with the most bytes of it that are read. */
  attached?(document: Checked): readonly { readonly name: string; readonly maxBytes: number }[];
  /**
   * The configuration; what is wrong with it is reported, and what it then gives is not used. `before`: the last good one
   * of this process.
   */
  resolve(documents: Documents, before: Configuration | undefined): Configuration;
}

/** The documents of one reading, and what they refer to. */
export interface Documents {
  of(kind: Kind): readonly Checked[];
  /** Names of documents that are refused for their shape: a reference to one is no second mistake. */
  misshaped(kind: Kind): ReadonlySet<string>;
  readonly secrets: Secrets;
  /** A file that a document refers to, as it names it. */
  attached(document: Checked, name: string): FileText;
  /** `KEY=VALUE` of the command line. */
  readonly sets: readonly string[];
  readonly report: Report;
}
