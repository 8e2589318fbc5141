import { isObject, isWithinDepth, parseJson } from '@agentkourier/a2a/json-value';
import { SseReader } from '@agentkourier/a2a/sse';
import type { UpstreamAnswer } from '../../ports/space/upstream.ts';
import { SPACE_LIMITS } from '../limits.ts';
import type { GatewayReply } from './exchange.ts';
import { hasFewContainers } from './few-containers.ts';
import { type Heard, heardIn } from './heard.ts';
import type { Words } from './print-refusal.ts';
import { upstreamFailed } from './refusal.ts';

export interface Relay {
  readonly words: Words;
  /** Waits until what was heard is on record; nothing to wait for when it is nothing new. Rejects with a `Refusal`. */
  readonly hear: (heard: Heard) => Promise<void> | undefined;
  /** Headers of the answer beside those of the agent. */
  readonly headers: Readonly<Record<string, string>>;
  /** Changes an answer before it is sent: the JSON text of a result that is not all the caller's. */
  readonly rewrite?: ((text: string) => Promise<string>) | undefined;
}

/** Headers of the agent's answer that go on. What it says of caches does not: an answer is one caller's. */
const PASSED = ['a2a-version', 'a2a-extensions', 'x-a2a-extensions', 'retry-after'];

export const isEventStream = (answer: UpstreamAnswer): boolean =>
  answer.status === 200 && (answer.header('content-type') ?? '').trim().toLowerCase().startsWith('text/event-stream');

/**
 * Carries an event stream: the same bytes as they come, but nothing that is news of the task before it is on record.
 * Rejects when the stream breaks, or tells of another task: whoever calls then breaks the reply off, so that nobody takes
 * what was sent for the whole.
 */
export async function relayStream(answer: UpstreamAnswer, reply: GatewayReply, relay: Relay): Promise<void> {
  const { words } = relay;
  let news: Promise<void>[] = [];
  let isTooMuch = false;
  const reader = new SseReader({
    maxFrameLength: SPACE_LIMITS.eventBytes,
    onData: (data) => {
      isTooMuch ||= !hasFewContainers(data);
      if (isTooMuch) return 'enough';
      const heard = heardIn(data, words);
      const recorded = heard === undefined ? undefined : relay.hear(heard);
      if (recorded === undefined) return 'more';
      // Told where it is waited for. Where the reading ends before that, nobody waits, and it must not end the process.
      recorded.catch(() => undefined);
      news.push(recorded);
      return 'more';
    },
  });
  reply.head(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    ...passed(answer),
    ...relay.headers,
  });
  const bare = new BareAnswer();
  await answer.read((piece) => {
    if (reader.push(piece) === 'too-large' || isTooMuch) throw eventTooLarge();
    if (reader.mayBeObject) return bare.hold(piece);
    const held = bare.take();
    if (news.length === 0 && held.length === 0) return reply.write(piece);
    const waiting = news;
    news = [];
    return Promise.all(waiting).then(() => writeAll([...held, piece], reply));
  });
  // One answer in place of a stream is read as one (case C025).
  const { residue } = reader.end();
  if (residue !== undefined && !hasFewContainers(residue)) throw eventTooLarge();
  const heard = residue === undefined ? undefined : heardIn(residue, words);
  if (heard !== undefined) await relay.hear(heard);
  await writeAll(bare.take(), reply);
  reply.end();
}

const JSON_TYPE = 'application/json';

const mediaType = (answer: UpstreamAnswer): string => (answer.header('content-type') ?? '').split(';')[0]?.trim() ?? '';

/**
 * What is called an event stream and begins like an object may be one answer: it is held until an event tells that it is a
 * stream after all, or until it is known whole whose it is.
 */
class BareAnswer {
  #pieces: Uint8Array[] = [];

  /** Keeps a copy: whoever reads may use a piece again. The reader bounds what is held. */
  hold(piece: Uint8Array): undefined {
    this.#pieces.push(piece.slice());
  }

  /** All that was held, once. */
  take(): readonly Uint8Array[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }
}

const eventTooLarge = () => upstreamFailed('A2A_UPSTREAM_EVENT_TOO_LARGE', { isSent: true });

async function writeAll(pieces: readonly Uint8Array[], reply: GatewayReply): Promise<void> {
  for (const piece of pieces) await reply.write(piece);
}

/** Carries an answer that is no stream. Rejects, with nothing sent, when it is none of A2A or tells of another task. */
export async function relayAnswer(answer: UpstreamAnswer, reply: GatewayReply, relay: Relay): Promise<void> {
  const { status } = answer;
  // What the agent thinks of the gateway's credentials says nothing of the caller's.
  if (status === 401 || status === 403) throw upstreamFailed('A2A_UPSTREAM_CREDENTIALS_REFUSED', { isSent: true });
  const text = await readText(answer);
  if (!hasFewContainers(text)) throw answerTooLarge();
  const isJson = /^application\/(?:[\w.+-]+\+)?json$/i.test(mediaType(answer));
  // Some name no type, or another one: what it is, its text tells (case C025).
  const isAnswer = isJson ? text === '' || isWithin(text) : status < 300 && isObject(parseJson(text)) && isWithin(text);
  if (!isAnswer) throw notA2a(answer);
  const heard = status < 300 ? heardIn(text, relay.words) : undefined;
  if (heard !== undefined) await relay.hear(heard);
  const body = status < 300 && relay.rewrite !== undefined ? await relay.rewrite(text) : text;
  const bytes = new TextEncoder().encode(body);
  reply.head(status, {
    // Without parameters: the letters are those that were judged, in UTF-8, whatever charset the agent names.
    'content-type': isJson ? mediaType(answer) : JSON_TYPE,
    'content-length': String(bytes.length),
    'cache-control': 'no-store',
    ...passed(answer),
    ...relay.headers,
  });
  reply.end(bytes);
}

/** A server before the agent answered, or something that is no agent: what it says is of no use to a caller. */
function notA2a(answer: UpstreamAnswer) {
  const { status } = answer;
  const code =
    status >= 500 || status === 408 || status === 429 ? `A2A_UPSTREAM_HTTP_${status}` : 'A2A_UPSTREAM_NOT_A2A';
  const retryAfter = Number(answer.header('retry-after'));
  return upstreamFailed(code, {
    isSent: true,
    ...(Number.isInteger(retryAfter) && retryAfter > 0 ? { retryAfterSeconds: retryAfter } : {}),
  });
}

function isWithin(text: string): boolean {
  const value = parseJson(text);
  return value !== undefined && isWithinDepth(value, SPACE_LIMITS.jsonDepth);
}

const answerTooLarge = () => upstreamFailed('A2A_UPSTREAM_ANSWER_TOO_LARGE', { isSent: true });

async function readText(answer: UpstreamAnswer): Promise<string> {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let bytes = 0;
  await answer.read((piece) => {
    bytes += piece.length;
    if (bytes > SPACE_LIMITS.answerBytes) throw answerTooLarge();
    pieces.push(decoder.decode(piece, { stream: true }));
  });
  return pieces.join('') + decoder.decode();
}

function passed(answer: UpstreamAnswer): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of PASSED) {
    const value = answer.header(name);
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}
