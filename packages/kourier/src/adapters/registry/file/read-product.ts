import { type Attached, attachedPath, readAttached } from './attached-files.ts';
import type { Checked } from './documents.ts';
import { type Problem, problemLines, quoted, type Report } from './problem.ts';
import type { Documents, Product } from './product.ts';
import type { FileText } from './read-file.ts';
import { readSources } from './read-sources.ts';
import { KINDS, type Kind } from './schema/kinds.ts';
import { readSecretFiles, type SecretReference, secretsOf } from './secrets.ts';
import { SourceShapes } from './source-shapes.ts';
import type { Source } from './yaml-documents.ts';

export interface ConfigurationPlace {
  /** Files, or folders of `*.yaml` and `*.yml`. */
  readonly paths: readonly string[];
  /** `KEY=VALUE` into the spec of the one document that holds for all, over what it says. */
  readonly sets: readonly string[];
  /** Secrets as a mounted folder: DIR/NAME/KEY. */
  readonly secretsDir?: string;
  /** Documents that are no file: the demo's. */
  readonly builtIn?: readonly Source[];
}

/** One reading: a whole configuration, or every reason why there is none. */
export interface Reading<Configuration> {
  readonly configuration?: Configuration;
  readonly problems: readonly string[];
  readonly sources: readonly Source[];
  readonly references: readonly SecretReference[];
  /** The files that documents refer to, those that are not there included. */
  readonly attached: readonly Attached[];
  /** Changes when anything that was read does. In memory only: it holds secrets. */
  readonly fingerprint: string;
}

/** `before`: the last good configuration of this process. */
export type Read<Configuration> = (
  place: ConfigurationPlace,
  before?: Configuration,
) => Promise<Reading<Configuration>>;

/** Readings of one product. They remember what earlier ones parsed. */
export function readProduct<Configuration>(product: Product<Configuration>): Read<Configuration> {
  const shapes = new SourceShapes(product.command);
  return async (place, before) => {
    const problems: Problem[] = [];
    const report: Report = (problem) => problems.push(problem);
    const sources = [...(place.builtIn ?? []), ...(await readSources(place.paths, report))];
    const { checked, misshaped } = sortDocuments(shapes.read(sources, report), report);
    const references = checked.flatMap((document) => product.references(document));
    const { secretsDir, sets } = place;
    const files =
      secretsDir === undefined ? new Map<string, string>() : await readSecretFiles(secretsDir, references, report);
    const attached = await readAttached(checked, product);
    const of = (kind: Kind): readonly Checked[] => checked.filter((document) => document.kind === kind);
    const misshapedOf = (kind: Kind): ReadonlySet<string> => misshaped.get(kind) ?? new Set();
    const folder = secretsDir === undefined ? {} : { folder: secretsDir };
    const secrets = secretsOf({ documents: of('Secret'), misshaped: misshapedOf('Secret'), files, ...folder });
    const documents = { of, misshaped: misshapedOf, secrets, attached: attachedIn(attached), sets, report };
    const configuration = product.resolve(documents, before);
    const lines = problemLines(problems);
    return {
      ...(lines.length === 0 ? { configuration } : {}),
      ...{ problems: lines, sources, references, attached },
      fingerprint: JSON.stringify([sources, attached, [...files], lines]),
    };
  };
}

const NOT_READ: FileText = { kind: 'fault', what: 'not there', write: 'check the path' };

function attachedIn(all: readonly Attached[]): Documents['attached'] {
  const byFile = new Map(all.map(({ file, read }) => [file, read]));
  return (document, name) => byFile.get(attachedPath(document, name)) ?? NOT_READ;
}

interface Sorted {
  readonly checked: readonly Checked[];
  /** Names of documents that are refused for their shape. */
  readonly misshaped: ReadonlyMap<Kind, ReadonlySet<string>>;
}

function sortDocuments(shaped: ReturnType<SourceShapes['read']>, report: Report): Sorted {
  const checked: Checked[] = [];
  const misshaped = new Map<Kind, Set<string>>();
  const first = new Map<string, string>();
  for (const { document, found } of shaped) {
    const { kind, name = '' } = found;
    if (kind === undefined) continue;
    const { named } = KINDS[kind];
    const title = named === 'one' ? kind : `${kind} ${name}`;
    const here = `${document.file}:${document.line([])}`;
    const before = first.get(title);
    first.set(title, before ?? here);
    if (before !== undefined && named !== 'repeats' && (name !== '' || named === 'one')) {
      const write = named === 'one' ? 'keep one for all' : 'rename or remove one of them';
      report({
        file: document.file,
        line: document.line([]),
        what: `${quoted(title)} stands at ${before} already`,
        write,
      });
    } else if (found.checked !== undefined) checked.push(found.checked);
    else misshaped.set(kind, (misshaped.get(kind) ?? new Set()).add(name));
  }
  return { checked, misshaped };
}
