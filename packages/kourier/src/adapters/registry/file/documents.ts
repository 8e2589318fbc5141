import { nearest } from '../../../core/nearest.ts';
import { checkSchema, type Finding } from './check-schema.ts';
import { listed, quoted, type Report } from './problem.ts';
import { type Command, isKind, KINDS, type Kind, kindsOf } from './schema/kinds.ts';
import type { Path, YamlDocument } from './yaml-documents.ts';

/** A document whose shape holds: `value` is what the schema of its kind says. */
export interface Checked {
  readonly kind: Kind;
  readonly name: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly file: string;
  line(path: Path): number;
}

const CHECKS = Object.fromEntries(
  Object.entries(KINDS).map(([kind, { schema }]) => [kind, checkSchema(schema)]),
) as Readonly<Record<Kind, (value: unknown) => readonly Finding[]>>;

export interface Found {
  /** Absent: no document of ours. */
  readonly kind?: Kind;
  readonly name?: string;
  /** Absent: refused for its shape. */
  readonly checked?: Checked;
}

/**
 * The document in its kind, or reports all that is wrong with its shape. Its name counts as known in either case. Kinds
 * that another command reads are refused.
 */
export function checkDocument(document: YamlDocument, command: Command, report: Report): Found {
  const { file, value } = document;
  const say = (path: Path, what: string, write: string): void =>
    report({ file, line: document.line(path), what, write });
  if (!isRecord(value)) {
    say([], 'no document of ours', `write one with apiVersion, kind and metadata (kinds: ${listed(kindsOf(command))})`);
    return {};
  }
  const kind = kindOf(value, command, say);
  if (kind === undefined) return {};
  const findings = CHECKS[kind](value);
  const { metadata } = value;
  const name = isRecord(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : undefined;
  const title = name === undefined ? kind : `${kind} ${quoted(name)}`;
  for (const { path, what, write } of findings) say(path, `${title}: ${what}`, write);
  if (name === undefined) return { kind };
  if (findings.length > 0) return { kind, name };
  return { kind, name, checked: { kind, name, value, file, line: (path) => document.line(path) } };
}

function kindOf(
  value: Readonly<Record<string, unknown>>,
  command: Command,
  say: (path: Path, what: string, write: string) => void,
): Kind | undefined {
  const { kind, apiVersion } = value;
  if (typeof kind !== 'string') {
    say(
      ['kind'],
      kind === undefined ? 'kind is missing' : 'kind is no text',
      `write one of ${listed(kindsOf(command))}`,
    );
    return undefined;
  }
  if (!isKind(kind)) {
    const near = nearest(kind, kindsOf(command));
    say(['kind'], `kind ${quoted(kind)} is not known`, `write ${near ?? `one of ${listed(kindsOf(command))}`}`);
    return undefined;
  }
  const { readBy } = KINDS[kind];
  if (!readBy.includes(command)) {
    say(['kind'], `kind ${kind} belongs to ${listed(readBy)}`, 'move it to a file that is given to that');
    return undefined;
  }
  if (apiVersion === KINDS[kind].apiVersion) return kind;
  const what = apiVersion === undefined ? 'apiVersion is missing' : 'apiVersion is not known';
  say(['apiVersion'], `${kind}: ${what}`, `write apiVersion: ${KINDS[kind].apiVersion}`);
  return undefined;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
