import { join } from 'node:path';
import { LIMITS } from '../../../core/limits.ts';
import type { Checked } from './documents.ts';
import { quoted, type Report, writeOneOf } from './problem.ts';
import { readFileText } from './read-file.ts';

export interface SecretReference {
  readonly name: string;
  readonly key: string;
}

export type SecretValue =
  | { readonly kind: 'value'; readonly text: string }
  | { readonly kind: 'missing'; readonly what: string; readonly write: string };

export type Secrets = (reference: SecretReference) => SecretValue;

export interface SecretSource {
  readonly documents: readonly Checked[];
  /** Names of Secrets whose document is refused for its shape. */
  readonly misshaped: ReadonlySet<string>;
  /** What `readSecretFiles` found. */
  readonly files: ReadonlyMap<string, string>;
  readonly folder?: string;
}

/** Values by reference: from Secret documents first, then from the mounted folder. One newline at the end is dropped. */
export function secretsOf({ documents, misshaped, files, folder }: SecretSource): Secrets {
  const known = new Map(documents.map((document) => [document.name, valuesOf(document)]));
  return ({ name, key }) => {
    const values = known.get(name);
    const text = values?.get(key) ?? files.get(fileKey({ name, key }));
    if (text !== undefined) return { kind: 'value', text: text.replace(/\r?\n$/, '') };
    if (values !== undefined)
      return {
        kind: 'missing',
        what: `secret ${quoted(name)} has no key ${quoted(key)}`,
        write: writeOneOf(key, [...values.keys()]),
      };
    if (misshaped.has(name))
      return { kind: 'missing', what: `secret ${quoted(name)} is refused`, write: 'correct it first' };
    const what = `secret ${quoted(name)} is not known`;
    if (folder !== undefined) return { kind: 'missing', what, write: `put the value into ${join(folder, name, key)}` };
    const add = `add a Secret ${quoted(name)}, or give its folder with --set secrets.dir=DIR`;
    return { kind: 'missing', what, write: known.size === 0 ? add : nearOr(name, [...known.keys()], add) };
  };
}

function nearOr(name: string, known: readonly string[], otherwise: string): string {
  const write = writeOneOf(name, known);
  return write.startsWith('write one of') || write.startsWith('leave') ? otherwise : write;
}

function valuesOf({ value }: Checked): ReadonlyMap<string, string> {
  const { data = {}, stringData = {} } = value as {
    data?: Record<string, string>;
    stringData?: Record<string, string>;
  };
  const decoded = Object.entries(data).map(
    ([key, text]) => [key, Buffer.from(text, 'base64').toString('utf8')] as const,
  );
  return new Map([...decoded, ...Object.entries(stringData)]);
}

/** Of a mounted folder, the files DIR/NAME/KEY that are referred to and there. The names hold no path: their schema says so. */
export async function readSecretFiles(
  folder: string,
  references: readonly SecretReference[],
  report: Report,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const reference of references) {
    const file = join(folder, reference.name, reference.key);
    const read = await readFileText(file, LIMITS.secretBytes);
    if (read.kind === 'text') found.set(fileKey(reference), read.text);
    else if (read.what !== 'not there') report({ file, what: read.what, write: read.write });
  }
  return found;
}

const fileKey = ({ name, key }: SecretReference): string => `${name}/${key}`;
