import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { RequestType } from '../../core/thread/entry.ts';
import type { Outcome } from '../../core/turn/decision.ts';

/** What is known only when asked. */
export interface Counted {
  /** Turns that wait in all threads, when somebody knows better than the observations say. */
  readonly queueDepth?: () => number;
}

const OUTCOMES = [
  'completed',
  'no-output',
  'failed',
  'rejected',
  'canceled',
  'unreachable',
  'refused',
  'request-failed',
  'session-gone',
  'pause-unusable',
  'limit-exceeded',
  'cancel-failed',
] as const satisfies readonly Outcome[];

/** From a message without a model to an hour of work. */
const TURN_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600];

const REQUEST_TYPES = ['text', 'questions', 'tool-approval'] as const satisfies readonly RequestType[];

export type Metrics = ReturnType<typeof machineMetrics>;

/** The metrics of `interface.md`, in a registry of their own, each there from the start. */
export function machineMetrics({ queueDepth }: Counted = {}) {
  const registry = new Registry();
  const registers = [registry];
  const named = (name: string, help: string) => ({ name: `agentkourier_${name}`, help, registers });
  const metrics = {
    registry,
    credentialRejections: new Counter(
      named('credential_rejections_total', 'Turns that ended because an agent rejected the credentials'),
    ),
    turns: new Counter({ ...named('turns_total', 'Turns settled'), labelNames: ['outcome'] as const }),
    turnSeconds: new Histogram({ ...named('turn_seconds', 'From accepted to settled'), buckets: TURN_SECONDS }),
    streamsOpen: new Gauge(named('streams_open', 'Streams of agents open now')),
    streamDrops: new Counter(named('stream_drops_total', 'Streams lost before their task settled')),
    retries: new Counter({ ...named('retries_total', 'Back-offs begun'), labelNames: ['reason'] as const }),
    queueDepth: queueGauge(named('queue_depth', 'Turns accepted and not begun'), queueDepth),
    requestsOpen: new Gauge({
      ...named('requests_open', 'Questions and approvals that wait'),
      labelNames: ['type'] as const,
    }),
    chatCalls: new Counter({
      ...named('chat_calls_total', 'Calls to chat platforms'),
      labelNames: ['platform', 'method', 'outcome'] as const,
    }),
  };
  for (const outcome of OUTCOMES) metrics.turns.inc({ outcome }, 0);
  for (const type of REQUEST_TYPES) metrics.requestsOpen.set({ type }, 0);
  metrics.retries.inc({ reason: 'stream-dropped' }, 0);
  metrics.chatCalls.inc({ platform: 'web', method: 'show', outcome: 'ok' }, 0);
  return metrics;
}

function queueGauge(named: { name: string; help: string; registers: Registry[] }, count: Counted['queueDepth']): Gauge {
  if (count === undefined) return new Gauge(named);
  return new Gauge({
    ...named,
    collect() {
      this.set(count());
    },
  });
}
