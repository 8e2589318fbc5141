import { canonicalJson } from '../canonical-json.ts';
import { memberPath } from '../card/findings.ts';
import type { Kind, Shape } from '../card/schema.ts';
import { isObject, type JsonObject } from '../json-value.ts';
import { CARD_SHAPES } from '../judge-card.ts';
import type { WireVersion } from '../wire-version.ts';

/**
 * What a signature may have been made over. A2A 1.0 contradicts itself (case C017): §8.4.1 keeps what was set, §8.4.2 and
 * §8.4.3 remove every default. Tried in this order.
 *
 * - `presence`: A2A 1.0 §8.4.1, which has the only example: without `null` and without defaults of fields that have no
 *   presence. A 0.3 card defines no form, and every field of it has presence. This is what we sign.
 * - `as-served`: the card as it came.
 * - `no-empties`: what the official SDKs sign: `presence` without any empty text, array or object, required ones included.
 * - `no-defaults`: §8.4.2 and §8.4.3 by the letter: without any `false` and zero, too.
 *
 * All leave `signatures` out, keep what they do not know, and are then written as RFC 8785 says.
 */
export const CANONICAL_FORMS = ['presence', 'as-served', 'no-empties', 'no-defaults'] as const;
export type CanonicalForm = (typeof CANONICAL_FORMS)[number];

export interface SignedText {
  readonly form: CanonicalForm;
  readonly text: string;
  /** Paths of members whose value the form leaves out: whoever serves the card may add or remove such. */
  readonly uncovered: readonly string[];
}

/** The texts that a signature of this card may be over, in their order; none when the card has no canonical form. */
export function signedTexts(card: JsonObject, version: WireVersion): readonly SignedText[] {
  const { signatures: _, ...content } = card;
  // First of all, since it bounds the depth of what the others walk through.
  if (canonicalJson(content) === undefined) return [];
  const presence = withoutAbsent(content, { kind: 'object', shape: CARD_SHAPES[version] });
  const values: Readonly<Record<CanonicalForm, unknown>> = {
    presence,
    'as-served': content,
    'no-empties': stripped(presence, false) ?? {},
    'no-defaults': stripped(content, true) ?? {},
  };
  return CANONICAL_FORMS.map((form) => ({
    form,
    text: canonicalJson(values[form]) ?? '',
    uncovered: leftOut(content, values[form], '$'),
  }));
}

function withoutAbsent(value: unknown, is: Kind): unknown {
  if (Array.isArray(value)) return is.kind === 'list' ? value.map((item) => withoutAbsent(item, is.of)) : value;
  if (!isObject(value)) return value;
  if (is.kind === 'map')
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutAbsent(item, is.of)]));
  const shape = shapeOf(value, is);
  if (shape === undefined) return value;
  const members = Object.entries(value).flatMap(([name, item]) => {
    const field = shape.fields.find((known) => known.name === name);
    if (field === undefined) return [[name, item]];
    if (item === null || (field.presence === 'plain' && isDefault(item))) return [];
    return [[name, withoutAbsent(item, field.is)]];
  });
  return Object.fromEntries(members);
}

function shapeOf(value: JsonObject, is: Kind): Shape | undefined {
  if (is.kind === 'object') return is.shape;
  if (is.kind !== 'variants') return undefined;
  const word = value[is.by];
  return typeof word === 'string' && Object.hasOwn(is.shapes, word) ? is.shapes[word] : undefined;
}

function isDefault(value: unknown): boolean {
  return value === false || value === 0 || isEmpty(value);
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === '' || value === null || (isObject(value) && Object.keys(value).length === 0);
}

/** Without what is empty, from the inside out; `undefined` when nothing is left. */
function stripped(value: unknown, defaults: boolean): unknown {
  let rest = value;
  if (Array.isArray(value)) rest = value.map((item) => stripped(item, defaults)).filter((item) => item !== undefined);
  else if (isObject(value)) {
    const members = Object.entries(value).map(([name, item]) => [name, stripped(item, defaults)] as const);
    rest = Object.fromEntries(members.filter(([, item]) => item !== undefined));
  }
  return (defaults ? isDefault(rest) : isEmpty(rest)) ? undefined : rest;
}

function leftOut(value: unknown, kept: unknown, path: string): readonly string[] {
  if (Array.isArray(value)) {
    if (!Array.isArray(kept) || kept.length !== value.length) return [path];
    return value.flatMap((item, index) => leftOut(item, kept[index], `${path}[${index}]`));
  }
  if (!isObject(value)) return kept === undefined && value !== null ? [path] : [];
  if (!isObject(kept)) return [path];
  return Object.entries(value).flatMap(([name, item]) =>
    leftOut(item, Object.hasOwn(kept, name) ? kept[name] : undefined, memberPath(path, name)),
  );
}
