import { canonicalJson } from '@agentkourier/a2a/canonical-json';
import type { JsonObject } from '@agentkourier/a2a/json-value';
import type { Reach } from '../../../../core/directory/registered-agent.ts';
import { LIMITS } from '../../../../core/limits.ts';
import type {
  ConfiguredAgent,
  Dialer,
  SpacePolicy,
  UpstreamCredential,
} from '../../../../ports/space/space-configuration.ts';
import type { Checked } from '../documents.ts';
import { FORMATS } from '../formats.ts';
import { quoted } from '../problem.ts';
import type { Documents, Product } from '../product.ts';
import { type Say, speaker } from '../speaker.ts';
import type { Path } from '../yaml-documents.ts';
import { givenJson } from './given-json.ts';
import { referredTo } from './referred-to.ts';

interface SpaceAgentSpec {
  readonly id?: string;
  readonly space: string;
  readonly card: { readonly url?: string; readonly file?: string; readonly inline?: JsonObject };
  readonly reach?: Reach;
  readonly dialer?: string;
  readonly credential?: string;
  readonly url?: string;
  readonly runtime?: {
    readonly account: string;
    readonly tenant?: string;
    readonly agent: string;
    readonly runtime: string;
  };
  readonly disabled?: boolean;
}

const agentSpec = ({ value }: Checked): SpaceAgentSpec => value['spec'] as SpaceAgentSpec;

export function agentFiles(document: Checked): ReturnType<NonNullable<Product<unknown>['attached']>> {
  const { file } = agentSpec(document).card;
  return file === undefined ? [] : [{ name: file, maxBytes: LIMITS.cardBytes }];
}

/** What agents may name. */
export interface KnownToAgents {
  readonly spaces: ReadonlyMap<string, SpacePolicy>;
  readonly credentials: ReadonlyMap<string, UpstreamCredential>;
  readonly dialers: ReadonlyMap<string, Dialer>;
}

/** Each agent, or none where its card is not to be had; what is wrong is reported. */
export function resolveAgents(documents: Documents, known: KnownToAgents): readonly ConfiguredAgent[] {
  const first = new Map<string, Checked>();
  return documents.of('SpaceAgent').flatMap((document) => {
    const { space, id = document.name } = agentSpec(document);
    const other = first.get(`${space} ${id}`);
    if (other === undefined) first.set(`${space} ${id}`, document);
    else
      speaker(document, documents.report)(
        ['spec', 'id'],
        `Space ${quoted(space)} has an agent ${quoted(id)} at ${other.file}:${other.line([])} already`,
        'write another id',
      );
    const agent = resolveAgent(document, documents, known);
    return agent === undefined ? [] : [agent];
  });
}

function resolveAgent(document: Checked, documents: Documents, known: KnownToAgents): ConfiguredAgent | undefined {
  const spec = agentSpec(document);
  const say = speaker(document, documents.report);
  const { id = document.name, space: spaceId, reach = 'inside', dialer, credential, url, runtime } = spec;
  const fault = FORMATS['space-id'](id);
  if (fault !== undefined) say(['metadata', 'name'], `its name is ${fault.is} of an agent`, 'write one as id');
  const { misshaped } = documents;
  const space = referredTo({ kind: 'Space', name: spaceId, path: ['spec', 'space'] }, known.spaces, misshaped, say);
  const through = dialerOf(spec, known, misshaped, say);
  if (credential !== undefined) requireCovered(spec, credential, known, misshaped, say);
  if (reach === 'public' && space !== undefined)
    requireGuarded(spec, { ...space.egress, named: `egress.ports of Space ${quoted(space.id)}` }, say);
  if (reach === 'vpc')
    requireGuarded(
      spec,
      { ports: through?.ports, trustedHosts: [], named: `ports of Dialer ${quoted(dialer ?? '')}` },
      say,
    );
  const card = cardOf(document, documents, say);
  return (
    card && {
      ...{ space: spaceId, id, card, reach, disabled: spec.disabled ?? false },
      ...(dialer === undefined ? {} : { dialer }),
      ...(credential === undefined ? {} : { credential }),
      ...(url === undefined ? {} : { url }),
      ...(runtime === undefined ? {} : { runtime: { ...runtime, tenant: runtime.tenant ?? '' } }),
    }
  );
}

function cardOf(document: Checked, documents: Documents, say: Say): ConfiguredAgent['card'] | undefined {
  const { url, file, inline } = agentSpec(document).card;
  if (url !== undefined) return { kind: 'url', url };
  if (file === undefined) {
    if (canonicalJson(inline) === undefined)
      say(
        ['spec', 'card', 'inline'],
        'card.inline holds what JSON does not know',
        'write it as it would stand in JSON',
      );
    return { kind: 'given', card: inline ?? {} };
  }
  const card = givenJson(documents.attached(document, file), 'card.file', ['spec', 'card', 'file'], say);
  return card && { kind: 'given', card };
}

function dialerOf(
  { reach, dialer }: SpaceAgentSpec,
  { dialers }: KnownToAgents,
  misshaped: Documents['misshaped'],
  say: Say,
): Dialer | undefined {
  const path = ['spec', 'dialer'];
  if (dialer === undefined) {
    if (reach === 'vpc') say(['spec'], 'dialer is missing: reach vpc needs it', 'add dialer');
    return undefined;
  }
  if (reach !== 'vpc') say(path, 'dialer is for reach vpc', 'leave it out, or write reach: vpc');
  return referredTo({ kind: 'Dialer', name: dialer, path }, dialers, misshaped, say);
}

/** A credential goes to its origins only: one that does not fit would be left out without a word. */
function requireCovered(
  { url, card }: SpaceAgentSpec,
  name: string,
  { credentials }: KnownToAgents,
  misshaped: Documents['misshaped'],
  say: Say,
): void {
  const path = ['spec', 'credential'];
  const credential = referredTo({ kind: 'Credential', name, path }, credentials, misshaped, say);
  const called = url ?? card.url;
  if (credential === undefined || called === undefined) return;
  const { origin } = new URL(called);
  if (credential.origins.includes(origin)) return;
  const more = url === undefined ? ', or write the url that calls go to' : '';
  say(
    path,
    `Credential ${quoted(name)} is not for ${quoted(origin)}, where the agent is`,
    `add it to its origins${more}`,
  );
}

interface WayOut {
  /** Absent: not known, so not judged. */
  readonly ports: readonly number[] | undefined;
  readonly trustedHosts: readonly string[];
  /** What the ports are called. */
  readonly named: string;
}

/** What the guarded transport would refuse at every call (rule A4). */
function requireGuarded({ url, card }: SpaceAgentSpec, { ports, trustedHosts, named }: WayOut, say: Say): void {
  const places: readonly (readonly [string, Path, string | undefined])[] = [
    ['url', ['spec', 'url'], url],
    ['card.url', ['spec', 'card', 'url'], card.url],
  ];
  for (const [called, path, text] of places) {
    if (text === undefined) continue;
    const { protocol, hostname, port: written } = new URL(text);
    const port = Number(written || (protocol === 'https:' ? 443 : 80));
    if (trustedHosts.includes(`${hostname}:${port}`)) continue;
    if (protocol !== 'https:')
      say(path, `${called} is not https, which its reach needs`, 'write https://, or reach: inside');
    else if (ports?.includes(port) === false)
      say(path, `${called} has port ${port}, which is not among the ${named}`, 'add it there');
  }
}
