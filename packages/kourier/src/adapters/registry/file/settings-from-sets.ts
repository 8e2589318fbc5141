import { checkSchema } from './check-schema.ts';
import { quoted, type Report } from './problem.ts';
import type { SettingsSpec } from './resolve-settings.ts';
import type { Schema } from './schema/schema.ts';
import { SETTINGS } from './schema/settings.ts';

const check = checkSchema(SETTINGS);

interface Tree {
  [key: string]: string | number | Tree;
}

/** `timings.giveUpAfter=5m` and its like as the `Settings.spec` that they stand for; what is wrong with one is reported. */
export function settingsFromSets(sets: readonly string[], report: Report): SettingsSpec {
  const spec = branch();
  for (const set of sets) {
    const [, key = '', value = ''] = /^([^=]+)=(.*)$/s.exec(set) ?? [];
    if (key === '') report({ file: '--set', what: `no value for ${quoted(set)}`, write: 'write --set KEY=VALUE' });
    else put(spec, key.split('.'), value);
  }
  const findings = check(spec);
  for (const { what, write } of findings) report({ file: '--set', what, write });
  return findings.length > 0 ? {} : (spec as SettingsSpec);
}

/** Without a prototype: a key may be any text. */
const branch = (): Tree => Object.create(null) as Tree;

function put(spec: Tree, path: readonly string[], value: string): void {
  let tree = spec;
  for (const key of path.slice(0, -1)) {
    const there = tree[key];
    const next = typeof there === 'object' ? there : branch();
    tree[key] = next;
    tree = next;
  }
  const isInteger = schemaAt(path)?.type === 'integer' && /^-?\d{1,9}$/.test(value);
  tree[path.at(-1) ?? ''] = isInteger ? Number(value) : value;
}

function schemaAt(path: readonly string[]): Schema | undefined {
  return path.reduce<Schema | undefined>((schema, key) => schema?.properties?.[key], SETTINGS);
}
