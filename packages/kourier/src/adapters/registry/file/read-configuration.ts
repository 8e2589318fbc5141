import type { Backend, Binding, ChatPlatform, Configuration } from '../../../ports/registry.ts';
import type { Checked } from './documents.ts';
import { type Problem, problemLines, quoted, type Report } from './problem.ts';
import { readSources } from './read-sources.ts';
import { backendSpec, resolveBackend } from './resolve-backend.ts';
import { bindingReferences, resolveBinding } from './resolve-binding.ts';
import { ChatPlaces } from './resolve-chat.ts';
import { checkOneApp, platformReferences, resolvePlatform } from './resolve-platform.ts';
import { resolveSettings } from './resolve-settings.ts';
import type { Kind } from './schema/kinds.ts';
import { readSecretFiles, type SecretReference, type Secrets, secretsOf } from './secrets.ts';
import { settingsFromSets } from './settings-from-sets.ts';
import { SourceShapes } from './source-shapes.ts';
import type { Source } from './yaml-documents.ts';

export interface ConfigurationPlace {
  /** Files, or folders of `*.yaml` and `*.yml`. */
  readonly paths: readonly string[];
  /** `KEY=VALUE` into `Settings.spec`, over what a Settings document says. */
  readonly sets: readonly string[];
  /** Secrets as a mounted folder: DIR/NAME/KEY. */
  readonly secretsDir?: string;
  /** Documents that are no file: the demo's. */
  readonly builtIn?: readonly Source[];
}

/** One reading: a whole configuration, or every reason why there is none. */
export interface Reading {
  readonly configuration?: Configuration;
  readonly problems: readonly string[];
  readonly sources: readonly Source[];
  readonly references: readonly SecretReference[];
  /** Changes when anything that was read does. In memory only: it holds secrets. */
  readonly fingerprint: string;
}

/** `shapes` remembers what earlier readings parsed. */
export async function readConfiguration(place: ConfigurationPlace, shapes = new SourceShapes()): Promise<Reading> {
  const problems: Problem[] = [];
  const report: Report = (problem) => problems.push(problem);
  const sources = [...(place.builtIn ?? []), ...(await readSources(place.paths, report))];
  const documents = sortDocuments(shapes.read(sources, report), report);
  const references = referencesOf(documents.checked);
  const { secretsDir } = place;
  const files =
    secretsDir === undefined ? new Map<string, string>() : await readSecretFiles(secretsDir, references, report);
  const configuration = resolve(
    documents,
    { files, ...(secretsDir === undefined ? {} : { folder: secretsDir }) },
    place.sets,
    report,
  );
  const lines = problemLines(problems);
  return {
    ...(lines.length === 0 ? { configuration } : {}),
    problems: lines,
    sources,
    references,
    fingerprint: JSON.stringify([sources, [...files], lines]),
  };
}

interface Documents {
  readonly checked: readonly Checked[];
  /** `KIND NAME` of documents that are refused for their shape. */
  readonly misshaped: ReadonlySet<string>;
}

function sortDocuments(shaped: ReturnType<SourceShapes['read']>, report: Report): Documents {
  const checked: Checked[] = [];
  const misshaped = new Set<string>();
  const first = new Map<string, string>();
  for (const { document, found } of shaped) {
    const { kind, name = '' } = found;
    if (kind === undefined) continue;
    const title = kind === 'Settings' ? kind : `${kind} ${name}`;
    const here = `${document.file}:${document.line([])}`;
    const before = first.get(title);
    first.set(title, before ?? here);
    if (before !== undefined && (name !== '' || kind === 'Settings')) {
      const write = kind === 'Settings' ? 'keep one for all' : 'rename or remove one of them';
      report({
        file: document.file,
        line: document.line([]),
        what: `${quoted(title)} stands at ${before} already`,
        write,
      });
    } else if (found.checked !== undefined) checked.push(found.checked);
    else misshaped.add(title);
  }
  return { checked, misshaped };
}

function resolve(
  { checked, misshaped }: Documents,
  mounted: { readonly files: ReadonlyMap<string, string>; readonly folder?: string },
  sets: readonly string[],
  report: Report,
): Configuration {
  const of = (kind: Kind): readonly Checked[] => checked.filter((document) => document.kind === kind);
  const misshapedOf = (kind: Kind): ReadonlySet<string> =>
    new Set(
      [...misshaped].filter((title) => title.startsWith(`${kind} `)).map((title) => title.slice(kind.length + 1)),
    );
  const secrets = secretsOf({ documents: of('Secret'), misshaped: misshapedOf('Secret'), ...mounted });
  const backends = new Map<string, Backend>();
  for (const document of of('AgentBackend')) backends.set(document.name, resolveBackend(document, secrets, report));
  const platforms = platformsOf(of('ChatPlatform'), secrets, report);
  const places = new ChatPlaces(new Set(platforms.keys()), misshapedOf('ChatPlatform'), report);
  const known = { backends, misshapedBackends: misshapedOf('AgentBackend'), places, secrets };
  const bindings = new Map<string, Binding>();
  for (const document of of('Binding')) {
    const binding = resolveBinding(document, known, report);
    if (binding !== undefined) bindings.set(document.name, binding);
  }
  const settings = resolveSettings(of('Settings')[0], settingsFromSets(sets, report), report);
  return { bindings, platforms, ...settings };
}

function platformsOf(
  documents: readonly Checked[],
  secrets: Secrets,
  report: Report,
): ReadonlyMap<string, ChatPlatform> {
  const resolved = documents.map((document) => ({ document, platform: resolvePlatform(document, secrets, report) }));
  checkOneApp(resolved, report);
  return new Map(resolved.map(({ platform }) => [platform.name, platform]));
}

function referencesOf(documents: readonly Checked[]): readonly SecretReference[] {
  return documents.flatMap((document) => {
    if (document.kind === 'AgentBackend')
      return (backendSpec(document).headers ?? []).flatMap(({ valueFrom }) =>
        valueFrom === undefined ? [] : [valueFrom.secretKeyRef],
      );
    if (document.kind === 'ChatPlatform') return platformReferences(document);
    return document.kind === 'Binding' ? bindingReferences(document) : [];
  });
}
