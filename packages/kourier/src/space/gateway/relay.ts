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
  const news: Promise<void>[] = [];
  let isTooMuch = false;
  const reader = new SseReader({
    maxFrameLength: SPACE_LIMITS.eventBytes,
    onData: (data) => {
      isTooMuch ||= !hasFewContainers(data);
      if (isTooMuch) return 'enough';
      const heard = heardIn(data, words);
      const recorded = heard === undefined ? undefined : relay.hear(heard);
      if (recorded !== undefined) news.push(recorded);
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
  let kept: Uint8Array[] = [];
  const pass = (piece: Uint8Array) => {
    if (kept.length === 0) return reply.write(piece);
    const whole = Buffer.concat([...kept, piece]);
    kept = [];
    return reply.write(whole);
  };
  await answer.read((piece) => {
    const state = reader.push(piece);
    const goOn = () => {
      if (state === 'too-large' || isTooMuch) throw eventTooLarge();
      if (!mayBeAnswer(reader)) return pass(piece);
      // A copy: whoever reads may use a piece again.
      kept.push(piece.slice());
      return undefined;
    };
    // Whatever becomes of the piece, nothing that may reject is left alone: that would end the process.
    return news.length === 0 ? goOn() : Promise.all(news.splice(0)).then(goOn);
  });
  // One answer in place of a stream is read as one (case C025).
  const { residue } = reader.end();
  if (residue !== undefined && !hasFewContainers(residue)) throw eventTooLarge();
  const heard = residue === undefined ? undefined : heardIn(residue, words);
  if (heard !== undefined) await relay.hear(heard);
  if (kept.length > 0) await pass(new Uint8Array());
  reply.end();
}

/** Before its first event, what waits for more may be one answer in place of a stream: it is kept until it is known whose it is. */
const mayBeAnswer = ({ frames, held }: SseReader): boolean => frames === 0 && held > 0;

const JSON_TYPE = 'application/json';

const mediaType = (answer: UpstreamAnswer): string => (answer.header('content-type') ?? '').split(';')[0]?.trim() ?? '';

const eventTooLarge = () => upstreamFailed('A2A_UPSTREAM_EVENT_TOO_LARGE', { isSent: true });

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
