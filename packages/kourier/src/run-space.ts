import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { authenticate } from './adapters/identity/authenticate.ts';
import { sealIn } from './adapters/identity/seal/seal-in.ts';
import { machineClock } from './adapters/machine/clock.ts';
import { errorWords } from './adapters/machine/crash.ts';
import type { Log } from './adapters/machine/log.ts';
import { type SpaceObserver, spaceObserver } from './adapters/machine/space-observer.ts';
import { demoSpaceConfiguration } from './adapters/registry/file/space/demo-space-configuration.ts';
import { spaceRegistry } from './adapters/registry/file/space/space-registry.ts';
import { postgresSpaceStore } from './adapters/space-store/postgres/postgres-space-store.ts';
import { sqliteSpaceStore } from './adapters/space-store/sqlite/sqlite-space-store.ts';
import { Tunnels } from './adapters/upstream/tunnel/tunnels.ts';
import type { ServeSpaceOptions } from './cli/space/serve-options.ts';
import { UsageError } from './cli/usage-error.ts';
import type { Principal } from './core/access/principal.ts';
import { publishedCard } from './core/directory/published-card.ts';
import type { RegisteredAgent } from './core/directory/registered-agent.ts';
import { startDemoAgent } from './demo/demo-agent.ts';
import { isLoopback } from './http/local-guard.ts';
import { spaceInterface } from './http/space/space-interface.ts';
import type { SpaceServices } from './http/space/space-services.ts';
import type { Clock } from './ports/clock.ts';
import type { Authenticate } from './ports/space/authenticate.ts';
import type { Seal } from './ports/space/seal.ts';
import type { SpaceConfiguration, SpacePolicy, SpaceRegistry } from './ports/space/space-configuration.ts';
import type { SpaceStore } from './ports/space/space-store.ts';
import { CardWatch } from './space/card-watch.ts';
import { cardPlace, fetchCard } from './space/card-fetch.ts';
import { Directory } from './space/directory.ts';
import { Finding } from './space/finding.ts';
import { Gateway } from './space/gateway/gateway.ts';
import { deliverEvents, owedEvents } from './space/outbox/deliver-events.ts';
import { Dispatcher } from './space/outbox/dispatcher.ts';
import { Permits } from './space/permits.ts';
import { type AgentPlace, Registration } from './space/registration.ts';
import { SpaceUpstreams } from './space-upstreams.ts';

export interface SpaceSurroundings {
  readonly log: Log;
  readonly print: (line: string) => void;
  /** Resolves when the process is told to stop. */
  readonly stopped: Promise<unknown>;
}
