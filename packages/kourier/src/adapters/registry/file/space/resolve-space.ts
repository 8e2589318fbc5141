import { isObject, type JsonObject } from '@agentkourier/a2a/json-value';
import { verificationKeys } from '@agentkourier/a2a/signature/keys';
import { LIMITS } from '../../../../core/limits.ts';
import type { EventSink, SpacePolicy } from '../../../../ports/space/space-configuration.ts';
import type { Checked } from '../documents.ts';
import { FORMATS } from '../formats.ts';
import { quoted } from '../problem.ts';
import type { Documents, Product } from '../product.ts';
import { resolveSecret, type SecretFault } from '../resolve-secret.ts';
import type { SecretReference } from '../secrets.ts';
import { type Say, speaker } from '../speaker.ts';
import type { Path } from '../yaml-documents.ts';
import { givenJson } from './given-json.ts';

interface SpaceSpec {
  readonly tenant?: string;
  readonly egress?: {
    readonly public?: boolean;
    readonly ports?: readonly number[];
    readonly trustedHosts?: readonly string[];
  };
  readonly signatures?: { readonly required?: boolean; readonly keys?: readonly KeySpec[] };
  readonly events?: readonly { readonly name: string; readonly url: string; readonly secretRef: SecretReference }[];
}

interface KeySpec {
  readonly jwk?: JsonObject;
  readonly jwkFile?: string;
  readonly origins?: readonly string[];
}

/** Of Spaces, keys and token issuers that say nothing of a tenant. */
export const DEFAULT_TENANT = 'default';

/** Of HTTPS, where nothing else is named. */
export const DEFAULT_PORTS: readonly number[] = [443];

const spaceSpec = ({ value }: Checked): SpaceSpec => value['spec'] as SpaceSpec;

export function spaceReferences(document: Checked): readonly SecretReference[] {
  return (spaceSpec(document).events ?? []).map(({ secretRef }) => secretRef);
}

export function spaceFiles(document: Checked): ReturnType<NonNullable<Product<unknown>['attached']>> {
  return (spaceSpec(document).signatures?.keys ?? []).flatMap(({ jwkFile }) =>
    jwkFile === undefined ? [] : [{ name: jwkFile, maxBytes: LIMITS.secretBytes }],
  );
}

export function resolveSpace(document: Checked, documents: Documents): SpacePolicy {
  const { tenant = DEFAULT_TENANT, egress = {}, signatures = {}, events = [] } = spaceSpec(document);
  const say = speaker(document, documents.report);
  const fault = FORMATS['space-id'](document.name);
  if (fault !== undefined) say(['metadata', 'name'], `its name is ${fault.is}`, fault.write);
  const { required = false, keys = [] } = signatures;
  if (required && keys.length === 0)
    say(
      ['spec', 'signatures', 'required'],
      'signatures are required, and signatures.keys names no key',
      'add the keys that count',
    );
  return {
    id: document.name,
    tenant,
    egress: {
      public: egress.public ?? false,
      ports: egress.ports === undefined || egress.ports.length === 0 ? DEFAULT_PORTS : egress.ports,
      trustedHosts: egress.trustedHosts ?? [],
    },
    signatures: { required, keys: keys.flatMap((key, index) => keysOf(key, index, { document, documents, say })) },
    sinks: sinksOf(events, documents, say),
  };
}

interface At {
  readonly document: Checked;
  readonly documents: Documents;
  readonly say: Say;
}

/** One key is written down; a file may hold a set of them. */
function keysOf(
  { jwk, jwkFile, origins = [] }: KeySpec,
  index: number,
  { document, documents, say }: At,
): SpacePolicy['signatures']['keys'] {
  const name = jwkFile === undefined ? 'jwk' : 'jwkFile';
  const path: Path = ['spec', 'signatures', 'keys', index, name];
  const called = `signatures.keys[${index}].${name}`;
  const written = jwkFile === undefined ? jwk : givenJson(documents.attached(document, jwkFile), called, path, say);
  if (written === undefined) return [];
  const all = Array.isArray(written['keys']) ? written['keys'].filter(isObject) : [written];
  if (all.some((key) => 'd' in key || 'k' in key)) {
    say(path, `${called} is private`, 'write its public half, and take the other away from here');
    return [];
  }
  const reading = verificationKeys(written);
  if (reading.kind === 'unusable') say(path, `${called} is no key of a card: ${reading.why}`, 'write a public JWK');
  return all
    .filter((key) => verificationKeys(key).kind === 'read')
    .map((key) => ({ jwk: key, origins: origins.map((origin) => new URL(origin).origin) }));
}

function sinksOf(events: NonNullable<SpaceSpec['events']>, { secrets }: Documents, say: Say): readonly EventSink[] {
  const names = new Set<string>();
  return events.map(({ name, url, secretRef }, index) => {
    const path = ['spec', 'events', index];
    if (names.has(name)) say([...path, 'name'], `events ${quoted(name)} stands here twice`, 'rename one of them');
    names.add(name);
    const secret = resolveSecret(secretRef, [...path, 'secretRef'], { fault: signingFault, secrets, say });
    return { name, url, secret };
  });
}

/** As Standard Webhooks has it: `whsec_` and the base64 of 24 to 64 bytes. */
function signingFault(text: string): SecretFault | undefined {
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]{1,100}={0,2})$/.exec(text) ?? [];
  const { length } = Buffer.from(base64, 'base64');
  if (length >= 24 && length <= 64) return undefined;
  return { what: 'does not sign events', write: 'write whsec_ and what openssl rand -base64 32 prints' };
}
