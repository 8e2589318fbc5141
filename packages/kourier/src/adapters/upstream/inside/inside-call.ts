import type { Dispatcher } from 'undici';
import type { UpstreamAnswer, UpstreamFailed } from '../../../ports/space/upstream.ts';
import { type AnswerHeaders, headerOf, isEventStream } from '../wire/answer-rules.ts';
import type { UPSTREAM_LIMITS } from '../wire/limits.ts';
import { PieceFlow } from '../wire/piece-flow.ts';
import { upstreamFailed } from '../wire/upstream-codes.ts';
import { failureOf } from './failure-of.ts';

type Limits = Readonly<Record<keyof typeof UPSTREAM_LIMITS, number>>;

/** One call from the pool's dispatch to the last byte: what undici tells of it, as the port has it. */
export class InsideCall implements Dispatcher.DispatchHandler {
  readonly answer: Promise<UpstreamAnswer>;
  readonly #settle = Promise.withResolvers<UpstreamAnswer>();
  readonly #limits: Limits;
  readonly #origin: string;
  readonly #signal: AbortSignal;
  readonly #late: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #flow: PieceFlow | undefined;
  #bytes = 0;
  #maxBytes = 0;
  #isSettled = false;

  constructor(origin: string, limits: Limits, signal: AbortSignal) {
    this.#origin = origin;
    this.#limits = limits;
    this.#signal = signal;
    this.answer = this.#settle.promise;
    this.#late = setTimeout(() => this.#reject(this.#tooLate()), limits.headersMs);
    signal.addEventListener('abort', this.#callOff, { once: true });
  }

  /** There is a connection, and the request is about to be written to it. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isSettled) controller.abort(new Error('the call is over'));
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: AnswerHeaders): void {
    // What comes before the answer (103 Early Hints) is none.
    if (this.#isSettled || status < 200) return;
    const refused = this.#refusalOf(status, headers);
    if (refused !== undefined) return this.#reject(refused);
    const { idleMs, streamIdleMs } = this.#limits;
    this.#maxBytes = this.#maxBytesOf(headers);
    controller.pause();
    const stop = (): void => {
      if (!controller.aborted) controller.abort(new Error('the call is over'));
    };
    const source = { pause: () => controller.pause(), resume: () => controller.resume(), stop };
    const flow = new PieceFlow(source, {
      idleMs: isEventStream(headers) ? streamIdleMs : idleMs,
      idle: () => upstreamFailed('A2A_UPSTREAM_IDLE_TIMEOUT', 'timeout'),
      signal: this.#signal,
    });
    this.#flow = flow;
    this.#done();
    this.#settle.resolve({
      status,
      header: (name) => headerOf(headers, name),
      read: (take) => flow.read(take),
      cancel: () => flow.cancel(),
    });
  }

  onResponseData(_controller: Dispatcher.DispatchController, piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > this.#maxBytes) this.#flow?.fail(tooLarge(this.#maxBytes));
    else this.#flow?.push(piece);
  }

  onResponseEnd(): void {
    this.#flow?.end();
  }

  onResponseError(_controller: unknown, error: unknown): void {
    const failure = failureOf(error, this.#controller !== undefined);
    if (this.#flow === undefined) this.#reject(failure);
    else this.#flow.fail(failure);
  }

  #refusalOf(status: number, headers: AnswerHeaders): UpstreamFailed | undefined {
    if (status >= 300 && status < 400 && status !== 304)
      return upstreamFailed('A2A_UPSTREAM_REDIRECT_REFUSED', placeOf(headerOf(headers, 'location'), this.#origin));
    if (status > 599) return upstreamFailed('A2A_UPSTREAM_RESPONSE_REFUSED', `status ${status}`);
    const encoding = headerOf(headers, 'content-encoding') ?? 'identity';
    if (encoding.toLowerCase() !== 'identity') return upstreamFailed('A2A_UPSTREAM_ENCODING_REFUSED');
    const maxBytes = this.#maxBytesOf(headers);
    return Number(headerOf(headers, 'content-length') ?? 0) > maxBytes ? tooLarge(maxBytes) : undefined;
  }

  #maxBytesOf(headers: AnswerHeaders): number {
    return isEventStream(headers) ? this.#limits.eventStreamBytes : this.#limits.responseBytes;
  }

  #tooLate(): UpstreamFailed {
    const code = this.#controller === undefined ? 'A2A_UPSTREAM_CONNECT_FAILED' : 'A2A_UPSTREAM_HEADERS_TIMEOUT';
    return upstreamFailed(code, 'timeout');
  }

  readonly #callOff = (): void => this.#reject(this.#signal.reason);

  #reject(reason: unknown): void {
    if (this.#isSettled) return;
    this.#done();
    this.#controller?.abort(new Error('the call is over'));
    this.#settle.reject(reason);
  }

  #done(): void {
    this.#isSettled = true;
    clearTimeout(this.#late);
    this.#signal.removeEventListener('abort', this.#callOff);
  }
}

const tooLarge = (maxBytes: number): UpstreamFailed =>
  upstreamFailed('A2A_UPSTREAM_RESPONSE_TOO_LARGE', `over ${maxBytes} bytes`);

/** Where a redirect points, for the log: its path, with its origin when that is another (case C113). */
function placeOf(location: string | undefined, base: string): string | undefined {
  if (location === undefined || !URL.canParse(location, base)) return undefined;
  const { origin, pathname } = new URL(location, base);
  return (origin === base ? pathname : origin + pathname).slice(0, 200);
}
