import { dirname, resolve } from 'node:path';
import { LIMITS } from '../../../core/limits.ts';
import type { Checked } from './documents.ts';
import type { Product } from './product.ts';
import { type FileText, readFileText } from './read-file.ts';

/** A file that a document refers to: absolute, and what was read of it. */
export interface Attached {
  readonly file: string;
  readonly read: FileText;
}

/** A name in a document is meant from the folder of its file. */
export function attachedPath({ file }: Pick<Checked, 'file'>, name: string): string {
  return resolve(dirname(file), name);
}

/** The files that documents refer to, each once. Past the bound on all of them together they count as faults. */
export async function readAttached(
  documents: readonly Checked[],
  product: Pick<Product<unknown>, 'attached'>,
): Promise<readonly Attached[]> {
  const wanted = new Map<string, number>();
  for (const document of documents)
    for (const { name, maxBytes } of product.attached?.(document) ?? [])
      wanted.set(attachedPath(document, name), maxBytes);
  const found: Attached[] = [];
  let characters = 0;
  for (const [file, maxBytes] of wanted) {
    const read = characters > LIMITS.configurationAttachedBytes ? TOO_MUCH : await readFileText(file, maxBytes);
    if (read.kind === 'text') characters += read.text.length;
    found.push({ file, read });
  }
  return found;
}

const TOO_MUCH: FileText = {
  kind: 'fault',
  what: `past the ${LIMITS.configurationAttachedBytes / 1_048_576} MiB that such files may have together`,
  write: 'leave out what is not needed',
};
