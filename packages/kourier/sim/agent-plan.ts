import type { TaskState } from '../src/core/reply/agent-event.ts';
import type { Prng } from './prng.ts';
import type { AgentTraits } from './swarm.ts';

/** What an agent will do with one message, drawn when it comes. */
export type Plan =
  | TaskPlan
  /** A bare message; an empty text is a message without a text part. */
  | { readonly kind: 'message'; readonly text: string }
  /** A stream that ends without an event. */
  | { readonly kind: 'nothing' }
  /** Events that name no task, with or without a context. */
  | { readonly kind: 'nameless'; readonly text: string };

export interface TaskPlan {
  readonly kind: 'task';
  readonly first: 'task' | 'status' | 'artifact';
  readonly moves: readonly Move[];
  readonly end: TaskState | 'never';
  /** How the stream ends with the task. */
  readonly ending: 'task' | 'status' | 'status-then-task' | 'status-and-open' | 'bare-close';
  readonly statusText: boolean;
}

/** Something that a task does: a piece of its answer, its whole self, a sign of life, or words that are not for this turn. */
export type Move =
  | { readonly kind: 'artifact'; readonly artifactId: string; readonly text: string; readonly append: boolean }
  | { readonly kind: 'call' | 'result'; readonly callId: string; readonly fails: boolean }
  /** Waits for a person: the stream is left open or closed. */
  | { readonly kind: 'ask'; readonly what: 'text' | 'approval'; readonly number: number; readonly closes: boolean }
  | { readonly kind: 'snapshot' | 'working' | 'foreign' };

/** `name` goes into every text, so that no two runs say the same. */
export function drawPlan(prng: Prng, traits: AgentTraits, name: string): Plan {
  const odd = prng.chance(traits.odd);
  const kind = odd
    ? prng.one(['message', 'message', 'empty', 'nothing', 'nameless', 'task', 'task', 'task', 'task'])
    : 'task';
  switch (kind) {
    case 'message':
      return { kind, text: `[${name} says]` };
    case 'empty':
      return { kind: 'message', text: '' };
    case 'nothing':
      return { kind };
    case 'nameless':
      return { kind, text: `[${name} nameless]` };
    default:
      return drawTask(prng, traits, odd, name);
  }
}

const ODD_ENDS = [
  'completed',
  'failed',
  'rejected',
  'canceled',
  'input-required',
  'auth-required',
  'unknown',
  'never',
] as const;

function drawTask(prng: Prng, traits: AgentTraits, odd: boolean, name: string): TaskPlan {
  const count = prng.one([1, 1, 2, 4, 9]);
  const silent = odd && prng.chance(0.4);
  const texts = Array.from({ length: count }, (_, at) => drawMove(prng, at, name));
  return {
    kind: 'task',
    first: prng.one(['task', 'task', 'status', 'artifact']),
    moves: silent ? [{ kind: 'working' }] : withAsks(prng, traits, withTools(prng, texts)),
    end: odd ? prng.one(ODD_ENDS) : 'completed',
    ending: prng.one(['task', 'status', 'status', 'status-then-task', 'status-and-open', 'bare-close']),
    statusText: prng.chance(silent ? 0.7 : 0.2),
  };
}

function drawMove(prng: Prng, at: number, name: string): Move {
  const kind = prng.one(['append', 'append', 'append', 'replace', 'snapshot', 'working', 'foreign']);
  if (at > 0 && (kind === 'snapshot' || kind === 'working' || kind === 'foreign')) return { kind };
  const artifactId = prng.one(['a', 'a', 'a', 'b']);
  // A text begins with its own number, so that no text is the beginning of one that replaced it (rule R13 would keep the longer).
  return { kind: 'artifact', artifactId, text: `[${at} ${name}]`, append: kind !== 'replace' };
}

/** Tool calls between the pieces of the answer, each with its result later on, or with none. */
function withTools(prng: Prng, texts: readonly Move[]): readonly Move[] {
  const calls = prng.chance(0.3) ? prng.between(1, 3) : 0;
  const moves = [...texts];
  for (let call = 0; call < calls; call++) {
    const tool = { callId: `call-${call}`, fails: prng.chance(0.3) };
    const at = prng.between(1, moves.length);
    moves.splice(at, 0, { kind: 'call', ...tool });
    if (prng.chance(0.8)) moves.splice(prng.between(at + 1, moves.length), 0, { kind: 'result', ...tool });
  }
  return moves;
}

function withAsks(prng: Prng, { asks }: AgentTraits, moves: readonly Move[]): readonly Move[] {
  const all = [...moves];
  for (let number = 1; number <= 2 && prng.chance(asks); number++) {
    const what = prng.one(['text', 'text', 'approval'] as const);
    all.splice(prng.between(1, all.length), 0, { kind: 'ask', what, number, closes: prng.chance(0.6) });
  }
  return all;
}
