import { isObject, type JsonObject } from '../json-value.ts';
import { CARD_LIMITS } from '../limits.ts';
import { type Findings, memberPath, quoted, told, UNSAFE } from './findings.ts';
import type { Field, Kind, Shape, TextKind } from './schema.ts';

/** Judges an object and all that is in it, field by field. */
export function judgeObject(value: JsonObject, shape: Shape, path: string, into: Findings): void {
  for (const field of shape.fields) judgeField(value[field.name], field, memberPath(path, field.name), into);
  judgeChoice(value, shape, path, into);
  judgeOthers(value, shape, path, into);
}

function judgeField(value: unknown, { is, presence }: Field, path: string, into: Findings): void {
  if (value === undefined) {
    if (presence === 'required') into.fault(path, 'missing', 'nothing', allowed(is));
  } else if (value === null && presence !== 'required' && into.version === '1.0') {
    // JSON of Protocol Buffers takes null for absent; that of 0.3 does not.
    into.note(path, 'advice', 'null stands for absent; leave the member out');
  } else judgeValue(value, is, path, into);
  const isEmpty = Array.isArray(value) && value.length === 0 && presence === 'required';
  if (isEmpty && into.version === '1.0' && is.kind === 'list' && is.filled === undefined)
    into.note(path, 'advice', 'A2A 1.0 §5.7 wants at least one element in a required array, though §8.4.1 shows none');
}

function judgeValue(value: unknown, is: Kind, path: string, into: Findings): void {
  if (is.kind === 'text') {
    if (typeof value === 'string') return judgeText(value, is, path, into);
  } else if (is.kind === 'boolean') {
    if (typeof value === 'boolean') return;
  } else if (is.kind === 'list') {
    if (Array.isArray(value)) return judgeList(value, is, path, into);
  } else if (isObject(value)) {
    if (is.kind === 'object') return judgeObject(value, is.shape, path, into);
    if (is.kind === 'variants') return judgeVariant(value, is, path, into);
    if (is.kind === 'free') return;
    for (const [name, item] of Object.entries(value)) judgeValue(item, is.of, memberPath(path, name), into);
    return;
  }
  into.fault(path, 'wrong-type', told(value), allowed(is));
}

function judgeList(value: readonly unknown[], is: Kind & { kind: 'list' }, path: string, into: Findings): void {
  if (value.length === 0 && is.filled) into.fault(path, 'empty', 'an empty array', 'an array with an element');
  value.forEach((item, index) => {
    judgeValue(item, is.of, `${path}[${index}]`, into);
  });
}

function judgeVariant(value: JsonObject, is: Kind & { kind: 'variants' }, path: string, into: Findings): void {
  const word = value[is.by];
  const place = memberPath(path, is.by);
  const allowedWords = `${Object.keys(is.shapes).join(', ')}`;
  if (typeof word === 'string' && Object.hasOwn(is.shapes, word)) {
    const shape = is.shapes[word];
    if (shape !== undefined) judgeObject(value, shape, path, into);
    return;
  }
  if (word === undefined) into.fault(place, 'missing', 'nothing', `one of ${allowedWords}`);
  else into.fault(place, typeof word === 'string' ? 'not-allowed' : 'wrong-type', told(word), `one of ${allowedWords}`);
  for (const name of Object.keys(value))
    if (Object.hasOwn(is.elsewhere, name)) noteElsewhere(is.elsewhere[name], memberPath(path, name), into);
}

function judgeText(value: string, { filled, oneOf, address, mediaType }: TextKind, path: string, into: Findings): void {
  if (value === '' && filled) return into.fault(path, 'empty', 'an empty text', 'a text with characters');
  if (oneOf !== undefined && !oneOf.includes(value))
    into.fault(path, 'not-allowed', told(value), `one of ${oneOf.join(', ')}`);
  if (address === 'called' && !isWebAddress(value))
    into.fault(path, 'not-allowed', told(value), 'an absolute http or https URL');
  if (address === 'shown' && !URL.canParse(value)) into.note(path, 'advice', `${quoted(value)} is no absolute URL`);
  if (mediaType && !/^[^\s/;]+\/[^\s/;]+( *;.*)?$/.test(value))
    into.note(path, 'advice', `${quoted(value)} is no media type; write one as text/plain`);
  if (value.length > CARD_LIMITS.cardTextCharacters)
    into.note(path, 'advice', `${value.length} characters; more than ${CARD_LIMITS.cardTextCharacters} are cut`);
  if (value.replace(/[\n\r\t]/g, '').search(UNSAFE) >= 0)
    into.note(path, 'advice', 'holds control or direction characters, which are not shown');
}

export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

function judgeChoice(value: JsonObject, { choice, fields }: Shape, path: string, into: Findings): void {
  if (choice !== true) return;
  const names = fields.map(({ name }) => name);
  const chosen = names.filter((name) => value[name] !== undefined && value[name] !== null);
  const rule = `exactly one of ${names.join(', ')}`;
  if (chosen.length > 1) into.fault(path, 'ambiguous', chosen.join(' and '), rule);
  if (chosen.length === 0) into.fault(path, 'missing', isUndecoded(value) ? 'a member "$case"' : 'none', rule);
}

/** As the official JavaScript SDK keeps a scheme; some servers send it so. */
function isUndecoded({ scheme }: JsonObject): boolean {
  return isObject(scheme) && '$case' in scheme;
}

const NOT_OF_A_CARD = /^(allowed|available)?(tool|permission|model|llm)/i;

function judgeOthers(value: JsonObject, { fields, elsewhere = {} }: Shape, path: string, into: Findings): void {
  for (const name of Object.keys(value)) {
    if (fields.some((field) => field.name === name)) continue;
    const place = memberPath(path, name);
    if (Object.hasOwn(elsewhere, name)) {
      if (value[name] !== null) noteElsewhere(elsewhere[name], place, into);
    } else if (NOT_OF_A_CARD.test(name))
      into.note(place, 'not-of-a-card', 'tools, permissions and the choice of a model are not for a card to say');
    else into.note(place, 'unknown-field', `no field of A2A ${into.version}; it is kept, and signatures cover it`);
  }
}

function noteElsewhere(instead: string | undefined, path: string, into: Findings): void {
  const other = into.version === '1.0' ? '0.3' : '1.0';
  into.note(path, 'other-version', `a member of A2A ${other}; A2A ${into.version} writes ${instead}`);
}

/** What a kind of value is called. */
function allowed(is: Kind): string {
  switch (is.kind) {
    case 'text':
      if (is.oneOf !== undefined) return `one of ${is.oneOf.join(', ')}`;
      return is.address === 'called' ? 'an absolute http or https URL' : 'a text';
    case 'boolean':
      return 'true or false';
    case 'list':
      return is.of.kind === 'text' ? 'an array of texts' : 'an array';
    case 'free':
    case 'map':
    case 'object':
    case 'variants':
      return 'an object';
  }
}
