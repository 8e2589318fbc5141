import { nearest } from '../../../../core/nearest.ts';
import { quoted, writeOneOf } from '../problem.ts';
import type { Documents } from '../product.ts';
import type { Kind } from '../schema/kinds.ts';
import type { Say } from '../speaker.ts';
import type { Path } from '../yaml-documents.ts';

/**
 * What a document refers to by its kind and name, at `path`. Reports when no document is called so; one that is refused
 * for its shape is `undefined` without a word: that was its mistake.
 */
export function referredTo<Value>(
  { kind, name, path }: { readonly kind: Kind; readonly name: string; readonly path: Path },
  known: ReadonlyMap<string, Value>,
  misshaped: Documents['misshaped'],
  say: Say,
): Value | undefined {
  const found = known.get(name);
  if (found !== undefined || misshaped(kind).has(name)) return found;
  const names = [...known.keys(), ...misshaped(kind)];
  const add = `add a ${kind} ${quoted(name)}`;
  const write = names.length === 0 ? add : writeOneOf(name, names);
  say(
    path,
    `${kind} ${quoted(name)} is not known`,
    names.length === 0 || nearest(name, names) !== undefined ? write : `${write}, or ${add}`,
  );
  return undefined;
}
