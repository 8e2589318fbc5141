import type { RequestType } from '../../core/thread/entry.ts';
import type { Observation, Observe } from '../../ports/observer.ts';
import type { Level, Log } from './log.ts';
import { type Counted, type Metrics, machineMetrics } from './metrics.ts';

export interface MachineObserver {
  readonly observe: Observe;
  /** What GET /metrics answers with. */
  readonly metrics: { readonly contentType: string; text(): Promise<string> };
}

/** What a person has to look at is a warning; what goes wrong for the courier itself is an error. */
const LEVELS: Readonly<Record<Observation['event'], Level>> = {
  'message-accepted': 'debug',
  'turn-began': 'info',
  'turn-settled': 'info',
  'call-failed': 'warn',
  retry: 'info',
  'request-opened': 'info',
  'request-settled': 'info',
  'stream-opened': 'debug',
  'stream-closed': 'debug',
  'credentials-rejected': 'warn',
  'lease-lost': 'warn',
  'late-event-dropped': 'info',
  'status-text-only': 'warn',
  'store-failed': 'error',
  'chat-called': 'debug',
  'configuration-changed': 'info',
  'configuration-refused': 'error',
};

/** Reasons are ours, but they can quote: one line of the log stays one line that can be read. */
const WHY_CHARACTERS = 500;

/** Every observation as one line of the log, and as numbers. */
export function machineObserver({ log, ...counted }: { readonly log: Log } & Counted): MachineObserver {
  const metrics = machineMetrics(counted);
  const count = counting(metrics);
  return {
    observe(observation) {
      log(LEVELS[observation.event], bounded(observation));
      count(observation);
    },
    metrics: { contentType: metrics.registry.contentType, text: () => metrics.registry.metrics() },
  };
}

function bounded(observation: Observation): Readonly<Record<string, unknown>> {
  if (!('why' in observation)) return observation;
  return { ...observation, why: observation.why.slice(0, WHY_CHARACTERS) };
}

function counting(metrics: Metrics): (observation: Observation) => void {
  // Turns, not a number: a turn that an earlier process accepted begins here without having been counted.
  const queued = new Set<string>();
  const leaveQueue = (turn: string): void => {
    if (queued.delete(turn)) metrics.queueDepth.set(queued.size);
  };
  const requests = openRequests(metrics);
  return (observation) => {
    requests(observation);
    switch (observation.event) {
      case 'message-accepted':
        if (observation.turn !== undefined) metrics.queueDepth.set(queued.add(observation.turn).size);
        return;
      case 'turn-began':
        return leaveQueue(observation.turn);
      case 'turn-settled':
        leaveQueue(observation.turn);
        metrics.turns.inc({ outcome: observation.outcome });
        return metrics.turnSeconds.observe(Math.max(0, observation.tookMs) / 1_000);
      case 'stream-opened':
        return metrics.streamsOpen.inc();
      case 'stream-closed':
        metrics.streamsOpen.dec();
        if (observation.dropped) metrics.streamDrops.inc();
        return;
      case 'retry':
        return metrics.retries.inc({ reason: observation.reason });
      case 'credentials-rejected':
        return metrics.credentialRejections.inc();
      case 'chat-called': {
        const { platform, method, outcome } = observation;
        return metrics.chatCalls.inc({ platform, method, outcome });
      }
      default:
    }
  };
}

/** Requests, not a number: one that an earlier process opened may be told of again, or settle without ever having been. */
function openRequests(metrics: Metrics): (observation: Observation) => void {
  const open = new Map<string, { readonly thread: string; readonly type: RequestType }>();
  const forget = (turn: string): void => {
    const known = open.get(turn);
    if (known === undefined) return;
    open.delete(turn);
    metrics.requestsOpen.dec({ type: known.type });
  };
  return (observation) => {
    switch (observation.event) {
      case 'request-opened': {
        const { thread, turn, type } = observation;
        forget(turn);
        open.set(turn, { thread, type });
        return metrics.requestsOpen.inc({ type });
      }
      case 'request-settled':
      case 'turn-settled':
        return forget(observation.turn);
      case 'lease-lost':
        // Another courier counts them now.
        for (const [turn, { thread }] of open) if (thread === observation.thread) forget(turn);
        return;
      default:
    }
  };
}
