import { withoutEndSlashes } from '@agentkourier/a2a/without-end-slashes';
import { ACCESS_LIMITS } from '../../../../core/access/limits.ts';
import type { StoreChoice } from '../../../../ports/registry.ts';
import type { SpaceConfiguration } from '../../../../ports/space/space-configuration.ts';
import { durationMs } from '../duration.ts';
import { isLoopbackUrl } from '../formats.ts';
import type { Documents } from '../product.ts';
import { GATEWAY } from '../schema/gateway.ts';
import type { Say } from '../speaker.ts';
import { specFromSets } from '../spec-from-sets.ts';
import { specSpeaker } from '../spec-speaker.ts';

interface GatewaySpec {
  readonly publicUrl?: string;
  readonly store?: { readonly sqlite?: { readonly path?: string }; readonly postgres?: { readonly url: string } };
  readonly permits?: { readonly validFor?: string };
  readonly health?: { readonly every?: string; readonly timeout?: string; readonly failures?: number };
  readonly cards?: { readonly sign?: boolean };
}

type Gateway = Pick<SpaceConfiguration, 'publicUrl' | 'store' | 'permitValidMs' | 'health' | 'signCards'>;

/** docs/space-configuration.md has them too. */
export const GATEWAY_DEFAULTS = {
  permits: { validFor: '2m' },
  health: { every: '30s', timeout: '10s', failures: 3 },
} as const;

const specOf: (...from: Parameters<ReturnType<typeof specFromSets>>) => GatewaySpec = specFromSets(GATEWAY);

/** The Gateway document, if there is one, with what `--set` says over it. `isLocal`: nothing says who may call. */
export function resolveGateway({ of, sets, report }: Documents, isLocal: boolean): Gateway {
  const [document] = of('Gateway');
  const written = (document?.value['spec'] ?? {}) as GatewaySpec;
  const set = specOf(sets, report);
  const say = specSpeaker(document, set, report);
  const publicUrl = publicUrlOf(set.publicUrl ?? written.publicUrl, isLocal, say);
  const { validFor } = { ...GATEWAY_DEFAULTS.permits, ...written.permits, ...set.permits };
  const { every, timeout, failures } = { ...GATEWAY_DEFAULTS.health, ...written.health, ...set.health };
  const permitValidMs = durationMs(validFor) ?? 0;
  if (permitValidMs > ACCESS_LIMITS.permitMs)
    say(['permits', 'validFor'], 'permits.validFor is too long', 'write at most 5m');
  const [everyMs, timeoutMs] = [durationMs(every) ?? 0, durationMs(timeout) ?? 0];
  if (timeoutMs > everyMs) {
    const at = written.health?.timeout === undefined && set.health?.timeout === undefined ? 'every' : 'timeout';
    say(['health', at], 'health.timeout is longer than health.every', 'make it shorter');
  }
  return {
    ...(publicUrl === undefined ? {} : { publicUrl }),
    store: storeOf(set.store ?? written.store),
    permitValidMs,
    health: { everyMs, timeoutMs, failures },
    signCards: set.cards?.sign ?? written.cards?.sign ?? true,
  };
}

function publicUrlOf(text: string | undefined, isLocal: boolean, say: Say): string | undefined {
  if (text === undefined) return undefined;
  const isLoopback = isLoopbackUrl(text);
  if (!isLoopback && new URL(text).protocol !== 'https:')
    say(['publicUrl'], 'publicUrl is not https', 'write https://: callers send their keys there');
  if (!isLoopback && isLocal)
    say(
      ['publicUrl'],
      'publicUrl is not loopback, and nothing says who may call',
      'add an ApiKey (kourier space key makes one) or an IdentityProvider',
    );
  return withoutEndSlashes(new URL(text).href);
}

function storeOf({ sqlite, postgres }: NonNullable<GatewaySpec['store']> = {}): StoreChoice {
  if (postgres !== undefined) return { kind: 'postgres', url: postgres.url };
  return { kind: 'sqlite', ...(sqlite?.path === undefined ? {} : { path: sqlite.path }) };
}
