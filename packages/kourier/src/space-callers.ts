import { authenticate } from './adapters/identity/authenticate.ts';
import type { SpaceObserver } from './adapters/machine/space-observer.ts';
import { UsageError } from './cli/usage-error.ts';
import type { Principal } from './core/access/principal.ts';
import { isLoopback } from './http/local-guard.ts';
import type { Clock } from './ports/clock.ts';
import type { Authenticate } from './ports/space/authenticate.ts';
import type { SpaceConfiguration, SpaceRegistry } from './ports/space/space-configuration.ts';

/** Who calls: by key or token, or in local mode whoever is on this machine. */
export function callers(registry: SpaceRegistry, clock: Clock, observer: SpaceObserver): Authenticate {
  const { access: first } = registry.current();
  if (first === undefined) return async () => EVERYBODY;
  let access = first;
  const failed = (error: Error): void =>
    observer.observe({ event: 'issuer-unavailable', error: error.message.slice(0, 300) });
  return authenticate({
    // Who takes the last key away lets nobody in, and does not open the door.
    access: () => {
      access = registry.current().access ?? NOBODY;
      return access;
    },
    ...{ fetch: globalThis.fetch, clock, failed },
  });
}

const NOBODY = { apiKeys: [], issuers: [] } as const;

/** Of local mode: an operator of every Space. */
const EVERYBODY: Principal = { tenant: 'default', kind: 'user', id: 'local', grants: new Map([['*', 'operator']]) };

/** Throws a `UsageError` where nobody is told apart and more than this machine would be let in. */
export function requireLoopback(host: string, { access }: SpaceConfiguration): void {
  if (access !== undefined || isLoopback(host)) return;
  throw new UsageError(
    `--host ${host} is not loopback, and the configuration names no callers`,
    'write 127.0.0.1, or configure an ApiKey or an IdentityProvider',
  );
}

/** In local mode, which tells nobody apart, there are no tenants either. */
export function withoutTenants(configuration: SpaceConfiguration): SpaceConfiguration {
  if (configuration.access !== undefined) return configuration;
  const spaces = [...configuration.spaces].map(([id, space]) => [id, { ...space, tenant: EVERYBODY.tenant }] as const);
  return { ...configuration, spaces: new Map(spaces) };
}
