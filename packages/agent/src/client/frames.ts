import { SseReader, type SseState } from '@agentkourier/a2a/sse';
import { CLIENT_LIMITS } from '../limits.ts';
import { TransportError } from './client-error.ts';
import type { ReplyBody } from './reply-body.ts';

/**
 * The data of each server-sent event of a body. A body that turns out to be one bare JSON value is its only one (case
 * C025). Throws a TransportError when the body breaks, ends inside an event, or one is too large.
 */
export async function* framesOf(body: ReplyBody, idleMs: () => number): AsyncGenerator<string, void> {
  let frames: string[] = [];
  const reader = new SseReader({
    maxFrameLength: CLIENT_LIMITS.frameCharacters,
    onData: (data) => {
      frames.push(data);
      return 'more';
    },
  });
  let state: SseState = 'more';
  for (let chunk = await body.read(idleMs()); chunk !== undefined; chunk = await body.read(idleMs())) {
    state = reader.push(chunk);
    const ready = frames;
    frames = [];
    yield* ready;
    if (state !== 'too-large') continue;
    throw new TransportError(`An event is longer than ${CLIENT_LIMITS.frameCharacters} characters.`);
  }
  const { unterminated, residue } = reader.end();
  yield* frames;
  if (residue !== undefined) yield residue;
  else if (unterminated) throw new TransportError('The stream ended inside an event.');
}
