import type { TaskSnapshot } from '../core/reply/agent-event.ts';
import type { Reply } from '../core/reply/reply.ts';
import { HITL_URI } from '../core/request/read-pause.ts';
import type { Thread } from '../core/thread/thread.ts';
import type { Failure } from '../core/turn/call-outcome.ts';
import type { ReplySeen, TaskSeen, TurnEvent } from '../core/turn/event.ts';
import type { Step, Turn } from '../core/turn/turn.ts';
import type { Agent, CallOptions, EventSink, Outgoing, TaskRead } from '../ports/agent.ts';
import { chatOf, type World } from './world.ts';

/** What comes of a step, before it has its time and chance. */
export type Result = WithoutMoment<
  Extract<TurnEvent, { kind: 'chosen' | 'stream-ended' | 'task-read' | 'looked-up' | 'cancel-answered' }>
>;
export type WithoutMoment<Event> = Event extends unknown ? Omit<Event, 'atMs' | 'chance'> : never;

export interface Performance {
  readonly thread: Thread;
  readonly turn: Turn;
  readonly reply: Reply;
  readonly sink: EventSink;
  /** When the stream last brought news of the task. */
  readonly lifeAtMs: () => number | undefined;
  readonly signal: AbortSignal;
}

/** A step that is a call. */
export type Performed = Exclude<Step, { kind: 'wait' | 'ask' }>;

/** Performs a committed step: one call to the agent, whose end is an event. Never rejects. */
export async function perform(world: World, step: Performed, of: Performance): Promise<Result> {
  const { binding } = of.thread;
  const agent = world.agents.agentFor(binding, of.thread.agent);
  const options: CallOptions = { signal: of.signal, traceId: of.turn.traceId };
  switch (step.kind) {
    case 'choose':
      return { kind: 'chosen', choice: await world.agents.choose(binding, step.words, options) };
    case 'send':
      return streamEnd(of, agent ? await agent.send(outgoing(world, of), of.sink, options) : NO_AGENT);
    case 'answer':
      return streamEnd(of, agent ? await agent.send(answerOf(world, of), of.sink, options) : NO_AGENT);
    case 'subscribe':
      return streamEnd(of, await withTask(of, agent, (known, id) => known.subscribe(id, of.sink, options)));
    case 'look-up':
      return { kind: 'looked-up', lookup: await lookUp(of, agent, options) };
    case 'read':
    case 'check-cancel':
    case 'check-answer':
    case 'check-typed': {
      const read = await withTask(of, agent, (known, id) => known.getTask(id, options));
      return { kind: 'task-read', ...seen(of, read) };
    }
    case 'cancel': {
      const read = await withTask(of, agent, (known, id) => known.cancelTask(id, options));
      return { kind: 'cancel-answered', ...seen(of, read) };
    }
  }
}

const NO_AGENT = { kind: 'not-sent', why: 'the binding is not configured' } as const satisfies Failure;

function withTask<Outcome>(
  { turn }: Performance,
  agent: Agent | undefined,
  call: (agent: Agent, id: NonNullable<Turn['taskId']>) => Promise<Outcome>,
): Promise<Outcome | Failure> {
  return agent && turn.taskId !== undefined ? call(agent, turn.taskId) : Promise.resolve(NO_AGENT);
}

function lookUp({ thread, turn }: Performance, agent: Agent | undefined, options: CallOptions) {
  if (!agent) return NO_AGENT;
  // Without a context there is nothing to look in (rule R9).
  if (thread.contextId === undefined) return { kind: 'absent' } as const;
  return agent.findTurn({ contextId: thread.contextId, messageId: turn.messageId }, options);
}

function outgoing(world: World, { thread, turn }: Performance): Outgoing {
  const { platform } = chatOf(world, thread.binding);
  return {
    messageId: turn.messageId,
    text: turn.text,
    ...(thread.contextId === undefined ? {} : { contextId: thread.contextId }),
    ...(turn.actor === undefined ? {} : { actor: { ...turn.actor, platform } }),
  };
}

/** To the paused task (rule S4), with the id and platform of whoever decided, and nothing else of theirs (rule S5). */
function answerOf(world: World, { thread, turn }: Performance): Outgoing {
  const { answering, taskId } = turn;
  if (!answering || taskId === undefined) throw new Error('an answer that nobody gave');
  const { messageId, text, payload, actor } = answering;
  return {
    messageId,
    text,
    taskId,
    ...(thread.contextId === undefined ? {} : { contextId: thread.contextId }),
    ...(payload === undefined ? {} : { extension: { uri: HITL_URI, payload } }),
    actor: { id: actor.id, platform: chatOf(world, thread.binding).platform },
  };
}

function streamEnd({ reply, lifeAtMs }: Performance, end: Awaited<ReturnType<Agent['send']>>): Result {
  const at = lifeAtMs();
  return { kind: 'stream-ended', end, reply: replySeen(reply), ...(at === undefined ? {} : { lifeAtMs: at }) };
}

function seen({ reply }: Performance, read: TaskRead): { read: Failure | TaskSeen; reply: ReplySeen } {
  if (read.kind !== 'task') return { read, reply: replySeen(reply) };
  reply.applySnapshot(read.task);
  const { task } = read;
  return { read: { kind: 'task', status: task.status, fingerprint: fingerprint(task) }, reply: replySeen(reply) };
}

export function replySeen(reply: Reply): ReplySeen {
  return {
    ...(reply.taskId === undefined ? {} : { taskId: reply.taskId }),
    ...(reply.contextId === undefined ? {} : { contextId: reply.contextId }),
    ...(reply.settled === undefined ? {} : { settled: reply.settled }),
    message: reply.message !== undefined,
    answeredByMessage: reply.answeredByMessage,
    moved: reply.moved,
    heard: reply.heard,
    hasText: reply.text() !== '',
    overLimit: reply.overLimit,
  };
}

/** Short, and different whenever the task has moved: its state, its status' time, and how much there is of it. */
export function fingerprint({ status, artifacts, history }: TaskSnapshot): string {
  let size = 0;
  let parts = 0;
  for (const artifact of artifacts) {
    parts += artifact.parts.length;
    for (const part of artifact.parts) if (part.kind === 'text') size += part.text.length;
  }
  return [status.state, status.timestamp ?? '', artifacts.length, parts, size, history.length].join(' ');
}
