import type { StreamEvent } from '@agentkourier/a2a/model';
import type { SpokenEvent } from './said-texts.ts';
import { type TurnEnd, TurnFold } from './turn-fold.ts';

/** What a typed stream yields: any number of the first, then one of the second. */
export type TypedEvent = SpokenEvent | TurnEnd;

/**
 * What an agent thinks and says in one turn, in the order in which it does (rule A9, seed 004): nothing that it did not
 * send, nothing twice, and what it took back as an event that replaces. The last event is the end, with the answer.
 *
 * `events` are of one turn, as `readEvent` of `@agentkourier/a2a/read-event` reads them from either version of A2A; a
 * stream that was lost and is followed (GetTask, SubscribeToTask) goes on in the same iterable. What it throws is thrown
 * here. It is read no faster than this stream is, and closed when the reader leaves or a limit is passed; that it ends
 * when the turn has ended is its own matter. Status messages, data and files are not told: they stand in `events`.
 */
export async function* typedStream(events: AsyncIterable<StreamEvent>): AsyncGenerator<TypedEvent, void, undefined> {
  const fold = new TurnFold();
  for await (const event of events) {
    for (const spoken of fold.apply(event)) yield spoken;
    if (fold.overLimit) break;
  }
  yield fold.end();
}
