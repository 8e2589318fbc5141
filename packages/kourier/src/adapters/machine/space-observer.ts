import { Counter, Gauge, Registry } from 'prom-client';
import type { Level, Log } from './log.ts';

/** One line of the log of a Space. Nothing that anybody said is in one, and no secret. */
export interface SpaceEvent {
  readonly event: string;
  readonly code?: string;
  readonly error?: string;
  readonly operation?: string;
}

export interface SpaceObserver {
  readonly observe: (event: SpaceEvent) => void;
  readonly metrics: { readonly contentType: string; text(): Promise<string> };
}

/** What a person should look at; all others are information. */
export const SPACE_LEVELS: Readonly<Record<string, Level>> = {
  'call-carried': 'debug',
  'event-delivered': 'debug',
  'call-failed': 'warn',
  'agent-waits': 'warn',
  'agent-refused': 'warn',
  'event-failed': 'warn',
  'queue-died': 'error',
  'outbox-failed': 'error',
  'watch-failed': 'error',
  'request-failed': 'error',
  'issuer-unavailable': 'warn',
};

/** Every event as a line of the log, and as numbers. `counts` is asked when the metrics are. */
export function spaceObserver(
  log: Log,
  counts: () => Promise<{ readonly dead: number; readonly owed: number }>,
): SpaceObserver {
  const registry = new Registry();
  const registers = [registry];
  const calls = new Counter({
    name: 'agentkourier_space_calls_total',
    help: 'Calls of agents that the gateway got',
    labelNames: ['operation', 'outcome'] as const,
    registers,
  });
  const events = new Counter({
    name: 'agentkourier_space_events_total',
    help: 'Attempts to bring an event to a sink',
    labelNames: ['outcome'] as const,
    registers,
  });
  new Gauge({
    name: 'agentkourier_space_outbox',
    help: 'Events that are owed to sinks, and dead letters',
    labelNames: ['state'] as const,
    registers,
    async collect() {
      // A store that fails must not take the other numbers with it: these are absent then.
      this.reset();
      const found = await counts().catch(() => undefined);
      if (found === undefined) return;
      this.set({ state: 'dead' }, found.dead);
      this.set({ state: 'owed' }, found.owed);
    },
  });
  return {
    observe(event) {
      log(SPACE_LEVELS[event.event] ?? 'info', { ...event });
      if (event.event.startsWith('call-'))
        calls.inc({ operation: event.operation ?? '', outcome: event.event.slice(5) });
      if (event.event === 'event-delivered' || event.event === 'event-failed')
        events.inc({ outcome: event.event.slice(6) });
    },
    metrics: { contentType: registry.contentType, text: () => registry.metrics() },
  };
}
