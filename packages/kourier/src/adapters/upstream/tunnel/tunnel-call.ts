import { type ClientHttp2Session, type ClientHttp2Stream, constants, type IncomingHttpHeaders } from 'node:http2';
import type { UpstreamAnswer, UpstreamRequest } from '../../../ports/space/upstream.ts';
import { TUNNEL_LIMITS } from './limits.ts';
import { tunnelFailed } from './tunnel-failures.ts';
import { passedOn } from './tunnel-wire.ts';

/** HTTP/2 counts each header as so many bytes more than it has (RFC 9113, section 6.5.2). */
const HEADER_OVERHEAD_BYTES = 32;

const STATUS = { first: 200, redirect: 300, error: 400, last: 599 } as const;

/** Sends a request. Throws `UpstreamFailed` for one that is not sent. */
export function beginCall(session: ClientHttp2Session, request: UpstreamRequest): ClientHttp2Stream {
  const headers = headersOf(request);
  if (bytesOf(headers) > TUNNEL_LIMITS.headerBytes) throw tunnelFailed('A2A_TUNNEL_REQUEST_TOO_LARGE');
  const stream = session.request(headers, { endStream: request.body === undefined });
  if (request.body !== undefined) stream.end(request.body);
  return stream;
}

/** The answer to what `beginCall` sent. Resolves and rejects as the port says. */
export function answerTo(
  session: ClientHttp2Session,
  stream: ClientHttp2Stream,
  signal: AbortSignal,
): Promise<UpstreamAnswer> {
  return new TunnelCall(session, stream, signal).answer;
}

function headersOf({ method, url, headers, body }: UpstreamRequest): Record<string, string> {
  const { host, pathname, search } = new URL(url);
  return {
    ...passedOn(headers),
    // So that a body that was cut off never looks whole.
    ...(body === undefined ? {} : { 'content-length': String(body.byteLength) }),
    ...{ ':method': method, ':scheme': 'http', ':authority': host, ':path': `${pathname}${search}` },
  };
}

function bytesOf(headers: IncomingHttpHeaders): number {
  return Object.entries(headers).reduce(
    (sum, [name, value = '']) => sum + name.length + String(value).length + HEADER_OVERHEAD_BYTES,
    0,
  );
}

/** What the other end sends is whatever it likes to: only a status and an end that HTTP/2 vouches for count. */
class TunnelCall {
  readonly answer: Promise<UpstreamAnswer>;
  readonly #session: ClientHttp2Session;
  readonly #stream: ClientHttp2Stream;
  readonly #signal: AbortSignal;
  #interimAnswers = 0;
  #isAnswered = false;
  #isEnded = false;
  #failed: unknown;
  #reject: (reason: unknown) => void = () => undefined;
  #wake = (): void => undefined;

  constructor(session: ClientHttp2Session, stream: ClientHttp2Stream, signal: AbortSignal) {
    this.#session = session;
    this.#stream = stream;
    this.#signal = signal;
    this.answer = new Promise((resolve, reject) => {
      this.#reject = reject;
      stream.once('response', (headers) => this.#heard(headers, resolve));
    });
    const abort = (): void => this.#fail(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    stream
      .on('headers', () => {
        this.#interimAnswers += 1;
        if (this.#interimAnswers > TUNNEL_LIMITS.interimAnswers) this.#fail(tunnelFailed('A2A_TUNNEL_BAD_ANSWER'));
      })
      .on('end', () => this.#end())
      .on('error', () => this.#fail(this.#why()))
      .on('close', () => {
        signal.removeEventListener('abort', abort);
        if (!this.#isEnded) this.#fail(this.#why());
      });
    if (signal.aborted) abort();
  }

  #heard(headers: IncomingHttpHeaders, resolve: (answer: UpstreamAnswer) => void): void {
    const status = Number(headers[':status']);
    this.#isAnswered = true;
    const isBounded = bytesOf(headers) <= TUNNEL_LIMITS.headerBytes;
    if (!(isBounded && status >= STATUS.first && status <= STATUS.last))
      return this.#fail(tunnelFailed('A2A_TUNNEL_BAD_ANSWER'));
    if (status >= STATUS.redirect && status < STATUS.error) return this.#fail(tunnelFailed('A2A_TUNNEL_REDIRECT'));
    resolve({
      status,
      header: (name) => (name.startsWith(':') ? undefined : textOf(headers[name])),
      read: (take) => this.#read(take),
      cancel: () => this.#isEnded || this.#fail(tunnelFailed('A2A_TUNNEL_CANCELLED')),
    });
  }

  #read(take: (piece: Uint8Array) => void | Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failed !== undefined) return reject(this.#failed);
      this.#reject = reject;
      this.#stream.on('readable', () => this.#wake());
      this.#pump(take).then(resolve, (error) => {
        this.#fail(error);
        reject(error);
      });
    });
  }

  async #pump(take: (piece: Uint8Array) => void | Promise<void>): Promise<void> {
    while (!this.#isEnded && this.#failed === undefined) {
      const piece = this.#stream.read() as Uint8Array | null;
      if (piece !== null) await take(piece);
      else if (!this.#isEnded)
        await new Promise<void>((woken) => {
          this.#wake = woken;
        });
    }
    if (this.#failed !== undefined) throw this.#failed;
  }

  /** A stream that was reset ends here, too: its code tells. */
  #end(): void {
    if (this.#stream.rstCode !== constants.NGHTTP2_NO_ERROR) return this.#fail(this.#why());
    this.#isEnded = true;
    this.#wake();
  }

  #fail(reason: unknown): void {
    if (this.#failed !== undefined) return;
    this.#failed = reason;
    this.#stream.close(constants.NGHTTP2_CANCEL);
    this.#reject(reason);
    this.#wake();
  }

  #why(): unknown {
    const { rstCode } = this.#stream;
    if (this.#signal.aborted) return this.#signal.reason;
    if (this.#session.destroyed) return tunnelFailed('A2A_TUNNEL_LOST');
    // Only before an answer: what has answered has got it.
    if (rstCode === constants.NGHTTP2_REFUSED_STREAM && !this.#isAnswered) return tunnelFailed('A2A_TUNNEL_REFUSED');
    const isOurs = rstCode === constants.NGHTTP2_ENHANCE_YOUR_CALM || rstCode === constants.NGHTTP2_PROTOCOL_ERROR;
    return tunnelFailed(isOurs ? 'A2A_TUNNEL_BAD_ANSWER' : 'A2A_TUNNEL_BROKEN_OFF', `HTTP/2 code ${rstCode}`);
  }
}

function textOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'object' ? value.join(', ') : value;
}
