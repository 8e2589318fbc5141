import type { Readable } from 'node:stream';
import { readResponse } from '@agentkourier/a2a/json-rpc';
import { parseJson } from '@agentkourier/a2a/json-value';
import { readEvent } from '@agentkourier/a2a/read-event';
import { SseReader, type SseState } from '@agentkourier/a2a/sse';
import { LIMITS } from '../../../core/limits.ts';
import type { AgentEvent } from '../../../core/reply/agent-event.ts';
import type { EventSink, Failure, StreamEnd } from '../../../ports/agent.ts';
import { AlikeFrames } from './alike-frames.ts';
import { discard } from './exchange.ts';
import { type CallName, errorCode, rpcFailure, unknown } from './failures.ts';
import { toAgentEvent } from './to-core.ts';
import { tooDense } from './too-dense.ts';
import type { Share } from './unfinished.ts';

export interface StreamOptions {
  readonly call: CallName;
  readonly sink: EventSink;
  readonly signal: AbortSignal;
  /** Without an event for so long the stream is cut (rule R7); there is no limit on its whole length (case C046). */
  readonly idleMs: number;
  /** The response's Retry-After. */
  readonly retryAfterMs: number | undefined;
  readonly share: Share;
}

/** Reads a body as a stream of events until it ends, breaks, falls silent, or the sink has had enough. Never throws. */
export function readStream(body: Readable, options: StreamOptions): Promise<StreamEnd> {
  return new Promise((resolve) => new StreamReading(body, options, resolve).start());
}

/** Said in a stream by some models' gateways at its end; it is no frame of A2A. */
const DONE = '[DONE]';

class StreamReading {
  readonly #body: Readable;
  readonly #options: StreamOptions;
  readonly #resolve: (end: StreamEnd) => void;
  readonly #reader: SseReader;
  readonly #alike = new AlikeFrames(eventOf);
  #idle: NodeJS.Timeout | undefined;
  #events = 0;
  #finished = false;

  constructor(body: Readable, options: StreamOptions, resolve: (end: StreamEnd) => void) {
    this.#body = body;
    this.#options = options;
    this.#resolve = resolve;
    this.#reader = new SseReader({ maxFrameLength: LIMITS.frameBytes, onData: (data) => this.#frame(data) });
  }

  start(): void {
    const { idleMs, signal } = this.#options;
    this.#idle = setTimeout(() => this.#fail(unknown(`no event for ${idleMs} ms`)), idleMs);
    signal.addEventListener('abort', this.#off, { once: true });
    this.#body.on('data', (chunk: Uint8Array) => this.#chunk(chunk));
    this.#body.on('end', () => this.#end());
    this.#body.on('error', (error) =>
      this.#fail(unknown(`the connection was lost (${errorCode(error) || 'no code'})`)),
    );
    this.#body.on('close', () => this.#fail(unknown('the connection was lost')));
    if (signal.aborted) this.#off();
  }

  readonly #off = (): void => this.#finish({ kind: 'closed' });

  #chunk(chunk: Uint8Array): void {
    if (this.#finished) return;
    const before = this.#events;
    const state: SseState = this.#reader.push(chunk);
    if (this.#finished) return;
    if (state === 'too-large') this.#fail({ kind: 'too-large', why: `a frame is over ${LIMITS.frameBytes} bytes` });
    else if (state === 'enough') this.#finish({ kind: 'closed' });
    else this.#keep(before);
  }

  #keep(before: number): void {
    const noRoom = this.#options.share.grow(this.#reader.held);
    if (noRoom) this.#fail(noRoom);
    // Only an event is a sign of life (decision 8): comments keep a proxy happy, not a task alive.
    else if (this.#events > before) this.#idle?.refresh();
  }

  #frame(data: string): 'more' | 'enough' {
    const known = this.#alike.recall(data);
    return known === undefined ? this.#whole(data) : this.#deliver(known);
  }

  #whole(data: string): 'more' | 'enough' {
    const dense = tooDense(data);
    if (dense !== undefined) return this.#fail(dense);
    const value = parseJson(data);
    if (value === undefined) return data.trim() === DONE ? 'more' : this.#fail(unknown('a frame is not JSON'));
    return this.#reply(value, data);
  }

  /** One JSON-RPC response, from a frame or from a body that was no stream. */
  #reply(value: unknown, frame?: string): 'more' | 'enough' {
    const reply = readResponse(value);
    if (reply.kind === 'none') return this.#fail(unknown('a frame is no JSON-RPC response'));
    if (!reply.versioned) return this.#unversioned(reply.kind === 'result' ? reply.result : undefined);
    if (reply.kind === 'error') {
      return this.#fail(rpcFailure(reply.error, this.#options.call, this.#options.retryAfterMs));
    }
    const read = readEvent(reply.result);
    // A kind of event that we do not know is the agent's own affair.
    if (read === undefined) return 'more';
    const event = toAgentEvent(read);
    if (frame !== undefined) this.#alike.learn(frame, event);
    return this.#deliver(event);
  }

  #deliver(event: AgentEvent): 'more' | 'enough' {
    this.#events += 1;
    return this.#options.sink(event);
  }

  /**
   * A response without its version is no valid answer, so nothing that it says is shown. The task that it names is real
   * all the same: it is told, so that the turn is followed and not sent again (case C029).
   */
  #unversioned(result: unknown): 'enough' {
    const event = readEvent(result);
    if (event !== undefined && this.#events === 0) {
      const { taskId, contextId } = namesOf(toAgentEvent(event));
      const status = { state: 'unknown', codes: [] } as const;
      const ids = { ...(taskId === undefined ? {} : { taskId }), ...(contextId === undefined ? {} : { contextId }) };
      if (taskId !== undefined) this.#deliver({ kind: 'status', ...ids, status, final: false });
    }
    return this.#fail(unknown('a JSON-RPC response without its version'));
  }

  #end(): void {
    if (this.#finished) return;
    const { frames, unterminated, residue } = this.#reader.end();
    if (residue !== undefined) this.#residue(residue);
    if (this.#events === 0) this.#fail(unknown('the stream ended without an event'));
    else if (unterminated && frames > 0) this.#fail(unknown('the stream ended inside a frame'));
    else this.#finish({ kind: 'closed' });
  }

  /** With no frame seen, the body may be one response that somebody sent without the format (case C025). */
  #residue(text: string): void {
    const dense = tooDense(text);
    if (dense !== undefined) return void this.#fail(dense);
    const value = parseJson(text);
    if (value !== undefined) this.#reply(value);
  }

  /** Before any event it is the call's failure; after one the stream is cut, whatever broke it (case C049). */
  #fail(failure: Failure): 'enough' {
    if (this.#events === 0) this.#finish(failure);
    else this.#finish(cut(failure));
    return 'enough';
  }

  #finish(end: StreamEnd): void {
    if (this.#finished) return;
    this.#finished = true;
    clearTimeout(this.#idle);
    this.#options.share.end();
    this.#options.signal.removeEventListener('abort', this.#off);
    if (!this.#body.readableEnded) discard(this.#body);
    this.#resolve(end);
  }
}

/** What a frame says that is known to be good. */
function eventOf(frame: string): AgentEvent | undefined {
  const reply = readResponse(parseJson(frame));
  const event = reply.kind === 'result' && reply.versioned ? readEvent(reply.result) : undefined;
  return event && toAgentEvent(event);
}

function cut(failure: Failure): StreamEnd {
  const { why } = failure;
  const retryAfterMs = 'retryAfterMs' in failure ? failure.retryAfterMs : undefined;
  return retryAfterMs === undefined ? { kind: 'cut', why } : { kind: 'cut', retryAfterMs, why };
}

function namesOf(event: AgentEvent) {
  if (event.kind === 'task') return { taskId: event.task.id, contextId: event.task.contextId };
  if (event.kind === 'message') return { taskId: undefined, contextId: undefined };
  return { taskId: event.taskId, contextId: event.contextId };
}
