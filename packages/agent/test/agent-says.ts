import type { StreamEvent } from '@agentkourier/a2a/model';
import { readEvent } from '@agentkourier/a2a/read-event';
import { type SpokenEvent, type TurnEnd, type TypedEvent, typedStream } from '../src/index.ts';

/** A part of A2A 1.0. */
export interface SaidPart {
  readonly text?: string;
  readonly data?: unknown;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export const text = (said: string): SaidPart => ({ text: said });
export const thought = (said: string): SaidPart => ({ text: said, metadata: { adk_thought: true } });
/** The whole answer, as KsADK marks it. */
export const whole = (said: string): SaidPart => ({ text: said, metadata: { ksadk_output_snapshot: true } });

/** A frame of A2A 1.0 as it is read. Throws when it is none. */
export function said(frame: unknown): StreamEvent {
  const event = readEvent(frame);
  if (event === undefined) throw new Error(`no event: ${JSON.stringify(frame)}`);
  return event;
}

/** What an artifact says now, all of it. */
export const artifact = (artifactId: string, ...parts: readonly SaidPart[]): StreamEvent =>
  said({ artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId, parts } } });

/** What an artifact says next. */
export const more = (artifactId: string, ...parts: readonly SaidPart[]): StreamEvent =>
  said({ artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId, parts }, append: true } });

export const status = (state: string, message?: string): StreamEvent =>
  said({ statusUpdate: { taskId: 't', contextId: 'c', status: statusOf(state, message) } });

/** A whole task; entries of one artifact may stand apart. */
export const task = (state: string, artifacts: readonly (readonly [string, ...SaidPart[]])[] = []): StreamEvent =>
  said({
    task: {
      id: 't',
      contextId: 'c',
      status: statusOf(state),
      artifacts: artifacts.map(([artifactId, ...parts]) => ({ artifactId, parts })),
    },
  });

const statusOf = (state: string, message?: string) => ({
  state,
  ...(message === undefined ? {} : { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: message }] } }),
});

export interface Heard {
  readonly events: readonly SpokenEvent[];
  readonly end: TurnEnd;
}

export const heard = (events: readonly StreamEvent[]): Promise<Heard> => readToEnd(streamOf(events));

/** A typed stream, read to its end. */
export async function readToEnd(stream: AsyncIterable<StreamEvent>): Promise<Heard> {
  const events: SpokenEvent[] = [];
  let end: TurnEnd | undefined;
  for await (const event of typedStream(stream)) {
    if (event.type === 'end') end = event;
    else events.push(event);
  }
  if (end === undefined) throw new Error('a typed stream ends with its end');
  return { events, end };
}

export async function* streamOf<T>(items: readonly T[]): AsyncGenerator<T, void, undefined> {
  yield* items;
}

/** `text a +delta`, `thinking a =delta` for what replaces an artifact's, `text a !delta` for what replaces the answer. */
export const inShort = (events: readonly SpokenEvent[]): string[] =>
  events.map(({ type, artifactId, delta, replaces }) => `${type} ${artifactId} ${SIGNS[replaces]}${delta}`);

const SIGNS = { nothing: '+', artifact: '=', answer: '!' } as const;

/** The answer as a reader folds it from the events alone: what the documentation tells to do. */
export function foldedAnswer(events: readonly TypedEvent[]): string {
  const texts = new Map<string, string>();
  for (const event of events) {
    if (event.type !== 'text') continue;
    const { artifactId, delta, replaces } = event;
    if (replaces === 'answer') texts.clear();
    texts.set(artifactId, replaces === 'nothing' ? (texts.get(artifactId) ?? '') + delta : delta);
  }
  return [...texts.values()].join('');
}
