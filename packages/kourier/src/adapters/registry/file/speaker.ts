import type { Checked } from './documents.ts';
import { quoted, type Report } from './problem.ts';
import type { Path } from './yaml-documents.ts';

export type Say = (path: Path, what: string, write: string) => void;

/** Reports about a document: its title before what is wrong, and the place. */
export function speaker({ kind, name, file, line }: Checked, report: Report): Say {
  return (path, what, write) => report({ file, line: line(path), what: `${kind} ${quoted(name)}: ${what}`, write });
}
