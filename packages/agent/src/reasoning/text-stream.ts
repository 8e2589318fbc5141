import type { StreamEvent } from '@agentkourier/a2a/model';
import type { TurnEnd } from './turn-fold.ts';
import { typedStream } from './typed-stream.ts';

const NEXT: Readonly<Record<Exclude<TurnEnd['outcome'], 'completed'>, string>> = {
  paused: 'The agent waits: read end.status.message and answer with a message that has end.taskId.',
  failed: 'The agent did not finish its task: see end.status.',
  interrupted: 'The stream ended before the task: read or subscribe to the task end.taskId.',
  'too-large': 'The agent said more than AGENT_LIMITS.heardCharacters or heardArtifacts: ask it for less.',
};

/** Thrown by `textStream`: the turn ended, but not with a whole answer. */
export class UnfinishedTurn extends Error {
  override readonly name = 'UnfinishedTurn';
  readonly end: TurnEnd;

  constructor(end: TurnEnd, next: string) {
    super(next);
    this.end = end;
  }
}

/**
 * The answer's text as plain strings (rule A9). A string cannot say that it replaces: where the agent takes text back,
 * the old text stands before the new one, and what was taken back without a new text stays. Who must not show that reads
 * `typedStream`. `events` as there. Ends when the agent has completed its answer; a pause, a failure, a stream that broke
 * off and one that was too large throw `UnfinishedTurn` after the text that came.
 */
export async function* textStream(events: AsyncIterable<StreamEvent>): AsyncGenerator<string, void, undefined> {
  for await (const event of typedStream(events)) {
    if (event.type === 'text' && event.delta !== '') yield event.delta;
    if (event.type === 'end' && event.outcome !== 'completed') throw new UnfinishedTurn(event, NEXT[event.outcome]);
  }
}
