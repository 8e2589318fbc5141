import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildLibrary } from './build-library.ts';

export const REFERENCE = 'docs/reference/agent.md';

interface Exported {
  readonly name: string;
  /** The text of its docstring, without its frame; empty when it has none. */
  readonly doc: string;
  /** As the compiler prints it, without `export declare`. */
  readonly declaration: string;
}

const HEAD = `# @agentkourier/agent: reference

Made from the docstrings of what the package exports by \`npm run reference\`; a test holds it against the code. Rule
numbers are those of [the agent contract](../agent-contract.md) and of the specification of A2A. For a first agent read
[building agents](../building-agents.md).
`;

/** The reference page of the SDK, made of what the compiler says of its exports. */
export function apiReference(): string {
  const folder = mkdtempSync(join(tmpdir(), 'reference-'));
  try {
    for (const library of ['a2a', 'agent']) buildLibrary(`packages/${library}`, join(folder, library));
    const exported = exportsOf(folder);
    const [values, types] = [exported.filter(isValue), exported.filter((each) => !isValue(each))];
    return [HEAD, ...section('Classes, functions and values', values), ...section('Types', types)].join('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const isValue = ({ declaration }: Exported): boolean => /^(abstract )?(class|function|const) /.test(declaration);

function section(title: string, exported: readonly Exported[]): readonly string[] {
  const sorted = exported.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const entries = sorted.map(({ name, doc, declaration }) => {
    const said = doc === '' ? '' : `\n${doc}\n`;
    return `### \`${name}\`\n${said}\n\`\`\`ts\n${declaration}\n\`\`\`\n`;
  });
  return [`## ${title}\n`, ...entries];
}

const REEXPORTS = /export (?:type )?\{([^}]*)\} from '([^']+)'/g;

/** What the SDK re-exports, each from the declaration file that it names, its own or one of `packages/a2a`. */
function exportsOf(folder: string): readonly Exported[] {
  const exported: Exported[] = [];
  const index = readFileSync(join(folder, 'agent/index.d.ts'), 'utf8');
  for (const [, names = '', from = ''] of index.matchAll(REEXPORTS)) {
    const file = from
      .replace(/^\.\//, 'agent/')
      .replace(/^@agentkourier\//, '')
      .replace(/\.ts$/, '');
    const declarations = declarationsIn(readFileSync(join(folder, `${file}.d.ts`), 'utf8'));
    for (const name of names.split(',').map((item) => item.trim().replace(/^type /, ''))) {
      if (name === '') continue;
      const found = declarations.get(name);
      if (found === undefined) throw new Error(`${from} declares no ${name}`);
      exported.push(found);
    }
  }
  return exported;
}

const DECLARES = /^export (?:declare )?((?:abstract )?(?:class|function|const|interface|type) (\w+).*)$/;

/** The compiler begins every declaration and its docstring in the first column, and nothing else of it. */
function declarationsIn(text: string): ReadonlyMap<string, Exported> {
  const found = new Map<string, Exported>();
  const lines = text.split('\n');
  let doc: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.startsWith('/**')) {
      doc = [];
      for (; !(lines[at] ?? '').trimEnd().endsWith('*/'); at += 1) doc.push(lines[at] ?? '');
      doc.push(lines[at] ?? '');
      continue;
    }
    const [, first = '', name = ''] = DECLARES.exec(line) ?? [];
    if (name === '') {
      if (line.trim() !== '') doc = [];
      continue;
    }
    const more = linesAfter(lines, at, first.startsWith('type '));
    const body = [first.trimEnd(), ...lines.slice(at + 1, at + 1 + more)];
    at += more;
    found.set(name, { name, doc: docText(doc), declaration: withoutPrivates(body).join('\n') });
    doc = [];
  }
  return found;
}

/** How many lines a declaration has after its first. Docstrings of a union's members stand in the first column, too. */
function linesAfter(lines: readonly string[], first: number, isType: boolean): number {
  if (isType) return lines.slice(first).findIndex((line) => /^(?! {4}).*;$/.test(line));
  return lines.slice(first + 1).findIndex((next) => !/^[\s})\]|]/.test(next) || next.trim() === '');
}

function docText(lines: readonly string[]): string {
  const text = lines.map((line) => line.replace(/^\s*(\/\*\*|\*(?!\/))?\s?/, '').replace(/\s*\*\/\s*$/, ''));
  return text.join('\n').trim();
}

const withoutPrivates = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => !/^\s+#private;$/.test(line));
