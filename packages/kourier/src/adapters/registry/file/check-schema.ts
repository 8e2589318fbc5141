import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { FORMATS } from './formats.ts';
import { listed, quoted, writeOneOf } from './problem.ts';
import type { Format, Schema } from './schema/schema.ts';
import type { Path } from './yaml-documents.ts';

/** One thing wrong with a value: where in it, as a path to the key meant, and in words. */
export interface Finding {
  readonly path: Path;
  readonly what: string;
  readonly write: string;
}

// `oneOf` and `anyOf` name keys whose schema stands beside it, not within it.
const ajv = new Ajv({ allErrors: true, verbose: true, strict: true, strictRequired: false, strictTypes: false });
for (const [name, check] of Object.entries(FORMATS)) ajv.addFormat(name, (text: string) => check(text) === undefined);

/** Checks a value against a schema: everything that is wrong with it, in one pass. The words hold no value of it. */
export function checkSchema(schema: Schema): (value: unknown) => readonly Finding[] {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= ajv.compile(closed(schema));
    if (validate(value)) return [];
    // Below them stand the alternatives that do not hold: they say it themselves.
    return (validate.errors ?? []).filter(({ schemaPath }) => !/\/(one|any)Of\//.test(schemaPath)).map(finding);
  };
}

/** No other keys than those listed, all the way down. */
function closed(schema: Schema): object {
  const { properties, additionalProperties, items, ...rest } = schema;
  return {
    ...rest,
    ...(properties === undefined ? {} : { properties: mapValues(properties, closed), additionalProperties: false }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: closed(additionalProperties) }),
    ...(items === undefined ? {} : { items: closed(items) }),
  };
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

function finding(error: ErrorObject): Finding {
  const path = pathOf(error.instancePath);
  const at = error.data === null ? shown(path.slice(0, -1)) : shown(path);
  const schema = error.parentSchema as unknown as Schema;
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'additionalProperties': {
      const key = String(params['additionalProperty']);
      const write = writeOneOf(key, Object.keys(schema.properties ?? {}));
      return { path: [...path, key], what: `unknown key ${shown([...path, key])}`, write };
    }
    case 'required':
      return missing(path, String(params['missingProperty']));
    case 'anyOf':
      return missing(path, schema.anyOf?.[0]?.required[0] ?? '');
    case 'oneOf': {
      const keys = (schema.oneOf ?? []).flatMap(({ required }) => required);
      return {
        path,
        what: `${at} needs ${keys.length === 1 ? '' : 'exactly one of '}${listed(keys)}`,
        write: 'write one',
      };
    }
    case 'type':
      return { path, ...typeWords(at, path, schema, error.data) };
    case 'enum':
      return { path, what: `${at} is not known`, write: writeOneOf(String(error.data), schema.enum ?? []) };
    case 'format': {
      const fault = FORMATS[schema.format as Format](String(error.data));
      return { path, what: `${at} is ${fault?.is}`, write: fault?.write ?? 'correct it' };
    }
    case 'minItems':
      return { path, what: `${at} names nothing`, write: 'write at least one' };
    default:
      return { path, what: `${at} ${error.message}`, write: 'correct it' };
  }
}

function missing(path: Path, key: string): Finding {
  return { path: [...path, key], what: `${shown([...path, key])} is missing`, write: `add ${key}` };
}

const TYPES = {
  object: { is: 'no group of keys', write: 'write its keys below it, indented' },
  array: { is: 'no list', write: 'write a list, as [a, b]' },
  string: { is: 'no text', write: 'put it in quotes' },
  integer: { is: 'no whole number', write: 'write a whole number without quotes' },
  boolean: { is: 'neither true nor false', write: 'write true or false' },
} as const;

function typeWords(at: string, path: Path, { type, format }: Schema, data: unknown): { what: string; write: string } {
  const { is, write } = TYPES[type];
  // The key of an empty value may be a value that was written as a key.
  if (data === null && typeof path.at(-2) === 'string' && HELD_BY_NAME.has(String(path.at(-2))))
    return { what: `a key in ${at} has no value`, write: 'write KEY: "value"' };
  if (data === null) return { what: `${shown(path)} is empty`, write };
  if (format === 'duration') return { what: `${at} is no duration`, write: FORMATS.duration('')?.write ?? write };
  return { what: `${at} is ${is}`, write };
}

const HELD_BY_NAME = new Set(['stringData', 'data', 'labels', 'annotations']);

/** `spec` goes without saying. */
function shown(path: Path): string {
  const said = path[0] === 'spec' && path.length > 1 ? path.slice(1) : path;
  if (said.length === 0) return 'the document';
  return quoted(
    said
      .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
      .join('')
      .replace(/^\./, ''),
  );
}

function pathOf(pointer: string): Path {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~')));
}
