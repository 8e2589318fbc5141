import { checkSchema } from './check-schema.ts';
import { quoted, type Report } from './problem.ts';
import type { Schema } from './schema/schema.ts';

interface Tree {
  [key: string]: string | number | boolean | Tree;
}

/**
 * `timings.giveUpAfter=5m` and its like as the spec that they stand for: part of what `schema` says. What is wrong with one
 * is reported.
 */
export function specFromSets(schema: Schema): (sets: readonly string[], report: Report) => object {
  const check = checkSchema(schema);
  return (sets, report) => {
    const spec = branch();
    for (const set of sets) {
      const [, key = '', value = ''] = /^([^=]+)=(.*)$/s.exec(set) ?? [];
      if (key === '') report({ file: '--set', what: `no value for ${quoted(set)}`, write: 'write --set KEY=VALUE' });
      else put(spec, schema, key.split('.'), value);
    }
    const findings = check(spec);
    for (const { what, write } of findings) report({ file: '--set', what, write });
    return findings.length > 0 ? {} : spec;
  };
}

/** Without a prototype: a key may be any text. */
const branch = (): Tree => Object.create(null) as Tree;

function put(spec: Tree, schema: Schema, path: readonly string[], value: string): void {
  let tree = spec;
  for (const key of path.slice(0, -1)) {
    const there = tree[key];
    const next = typeof there === 'object' ? there : branch();
    tree[key] = next;
    tree = next;
  }
  tree[path.at(-1) ?? ''] = typedValue(value, schemaAt(schema, path)?.type);
}

/** A text that is none of the wanted type stays a text, and the check says so. */
function typedValue(text: string, type: Schema['type'] | undefined): string | number | boolean {
  if (type === 'integer' && /^-?\d{1,9}$/.test(text)) return Number(text);
  return type === 'boolean' && /^(true|false)$/.test(text) ? text === 'true' : text;
}

function schemaAt(schema: Schema, path: readonly string[]): Schema | undefined {
  return path.reduce<Schema | undefined>((at, key) => at?.properties?.[key], schema);
}
