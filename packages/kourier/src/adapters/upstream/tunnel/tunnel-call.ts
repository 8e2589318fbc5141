import { type ClientHttp2Session, type ClientHttp2Stream, constants, type IncomingHttpHeaders } from 'node:http2';
import type { Clock } from '../../../ports/clock.ts';
import type { UpstreamAnswer, UpstreamFailed, UpstreamRequest } from '../../../ports/space/upstream.ts';
import { headerOf, isEventStream } from '../wire/answer-rules.ts';
import { UPSTREAM_LIMITS } from '../wire/limits.ts';
import { PieceFlow } from '../wire/piece-flow.ts';
import { TUNNEL_LIMITS } from './limits.ts';
import { tunnelFailed } from './tunnel-failures.ts';
import { passedOn } from './tunnel-wire.ts';

/** HTTP/2 counts each header as so many bytes more than it has (RFC 9113, section 6.5.2). */
const HEADER_OVERHEAD_BYTES = 32;

/** What one answer may take; `UPSTREAM_LIMITS`, or what a composer set in place of them. */
export interface CallLimits {
  readonly responseBytes: number;
  readonly eventStreamBytes: number;
}

/** Sends a request. Throws `UpstreamFailed` for one that is not sent. */
export function beginCall(session: ClientHttp2Session, request: UpstreamRequest): ClientHttp2Stream {
  const headers = headersOf(request);
  if (bytesOf(headers) > TUNNEL_LIMITS.headerBytes) throw tunnelFailed('A2A_TUNNEL_REQUEST_REFUSED');
  const stream = session.request(headers, { endStream: request.body === undefined });
  if (request.body !== undefined) stream.end(request.body);
  return stream;
}

function headersOf({ method, url, headers, body }: UpstreamRequest): Record<string, string> {
  const { host, pathname, search } = new URL(url);
  const { 'content-length': _told, ...passed } = passedOn(headers);
  return {
    ...passed,
    // So that a body that was cut off never looks whole.
    ...(body === undefined ? {} : { 'content-length': String(body.byteLength) }),
    // What is read here is read as it comes.
    'accept-encoding': 'identity',
    ...{ ':method': method, ':scheme': 'http', ':authority': host, ':path': `${pathname}${search}` },
  };
}

function bytesOf(headers: IncomingHttpHeaders): number {
  return Object.entries(headers).reduce(
    (sum, [name, value = '']) => sum + name.length + String(value).length + HEADER_OVERHEAD_BYTES,
    0,
  );
}

export interface CallSurroundings {
  readonly session: ClientHttp2Session;
  readonly clock: Clock;
  readonly limits: CallLimits;
  /** Of the caller. */
  readonly signal: AbortSignal;
}

/** What comes back for what `beginCall` sent. The other end sends whatever it likes to: only a status and an end that HTTP/2 vouches for count. */
export class TunnelCall {
  /** Resolves and rejects as the port says. */
  readonly answer: Promise<UpstreamAnswer>;
  readonly #stream: ClientHttp2Stream;
  readonly #around: CallSurroundings;
  readonly #settle = Promise.withResolvers<UpstreamAnswer>();
  readonly #callOff: () => void;
  #interimAnswers = 0;
  #flow: PieceFlow | undefined;
  #isEnded = false;

  constructor(stream: ClientHttp2Stream, around: CallSurroundings) {
    this.#stream = stream;
    this.#around = around;
    this.answer = this.#settle.promise;
    const { signal, clock } = around;
    const tooLate = (): void => this.#fail(tunnelFailed('A2A_TUNNEL_HEADERS_TIMEOUT'));
    const late = clock.wakeAt(clock.now() + UPSTREAM_LIMITS.headersMs, tooLate);
    const abort = (): void => this.#fail(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    this.#callOff = () => {
      late();
      signal.removeEventListener('abort', abort);
    };
    stream
      .on('headers', () => {
        this.#interimAnswers += 1;
        if (this.#interimAnswers > TUNNEL_LIMITS.interimAnswers)
          this.#fail(tunnelFailed('A2A_TUNNEL_RESPONSE_REFUSED'));
      })
      .once('response', (headers) => this.#heard(headers))
      .on('end', () => this.#end())
      .on('error', () => this.#fail(this.#why()))
      .on('close', () => {
        if (!this.#isEnded) this.#fail(this.#why());
      });
  }

  #heard(headers: IncomingHttpHeaders): void {
    const stream = this.#stream;
    const isStream = isEventStream(headers);
    const { responseBytes, eventStreamBytes } = this.#around.limits;
    const maxBytes = isStream ? eventStreamBytes : responseBytes;
    const refused = refusalOf(headers, maxBytes);
    if (refused !== undefined) return this.#fail(refused);
    this.#callOff();
    stream.pause();
    const source = { pause: () => stream.pause(), resume: () => stream.resume(), stop: () => this.#letGo() };
    const flow = new PieceFlow(source, {
      idleMs: isStream ? UPSTREAM_LIMITS.streamIdleMs : UPSTREAM_LIMITS.idleMs,
      idle: () => tunnelFailed('A2A_TUNNEL_IDLE_TIMEOUT'),
      signal: this.#around.signal,
    });
    this.#flow = flow;
    let bytes = 0;
    stream.on('data', (piece: Uint8Array) => {
      bytes += piece.byteLength;
      if (bytes > maxBytes) flow.fail(tooLarge(maxBytes));
      else flow.push(piece);
    });
    this.#settle.resolve({
      status: Number(headers[':status']),
      header: (name) => (name.startsWith(':') ? undefined : headerOf(headers, name)),
      read: (take) => flow.read(take),
      cancel: () => flow.cancel(),
    });
  }

  /** A stream that was reset ends here, too: its code tells. */
  #end(): void {
    if (this.#stream.rstCode !== constants.NGHTTP2_NO_ERROR) return this.#fail(this.#why());
    this.#isEnded = true;
    this.#flow?.end();
  }

  #fail(reason: unknown): void {
    if (this.#flow !== undefined) return this.#flow.fail(reason);
    this.#callOff();
    this.#settle.reject(reason);
    this.#letGo();
  }

  #letGo(): void {
    if (!this.#isEnded) this.#stream.close(constants.NGHTTP2_CANCEL);
  }

  #why(): unknown {
    const { rstCode } = this.#stream;
    const { signal, session } = this.#around;
    if (signal.aborted) return signal.reason;
    if (session.destroyed) return tunnelFailed('A2A_TUNNEL_LOST');
    const detail = `HTTP/2 code ${rstCode}`;
    // Only before an answer: what has answered has got it.
    if (rstCode === constants.NGHTTP2_REFUSED_STREAM && this.#flow === undefined)
      return tunnelFailed('A2A_TUNNEL_CONNECT_FAILED', detail);
    // Either end says so, of headers that it does not take.
    if (rstCode === constants.NGHTTP2_ENHANCE_YOUR_CALM) return tunnelFailed('A2A_TUNNEL_RESPONSE_TOO_LARGE', detail);
    if (rstCode === constants.NGHTTP2_PROTOCOL_ERROR) return tunnelFailed('A2A_TUNNEL_RESPONSE_REFUSED', detail);
    return tunnelFailed('A2A_TUNNEL_CONNECTION_LOST', detail);
  }
}

function refusalOf(headers: IncomingHttpHeaders, maxBytes: number): UpstreamFailed | undefined {
  const status = Number(headers[':status']);
  if (!(status >= 200 && status <= 599)) return tunnelFailed('A2A_TUNNEL_RESPONSE_REFUSED', 'status');
  if (status >= 300 && status < 400 && status !== 304)
    return tunnelFailed('A2A_TUNNEL_REDIRECT_REFUSED', placeOf(headers.location));
  if ((headerOf(headers, 'content-encoding') ?? 'identity').toLowerCase() !== 'identity')
    return tunnelFailed('A2A_TUNNEL_ENCODING_REFUSED');
  if (Number(headers['content-length'] ?? 0) > maxBytes) return tooLarge(maxBytes);
  return undefined;
}

const NOWHERE = 'http://tunnel.invalid';

/** Where a redirect points, for the log: no query, which may hold a secret (case C113). */
function placeOf(location: string | undefined): string | undefined {
  if (location === undefined || !URL.canParse(location, NOWHERE)) return undefined;
  const { origin, pathname } = new URL(location, NOWHERE);
  return (origin === NOWHERE ? pathname : origin + pathname).slice(0, 200);
}

const tooLarge = (maxBytes: number): UpstreamFailed =>
  tunnelFailed('A2A_TUNNEL_RESPONSE_TOO_LARGE', `over ${maxBytes} bytes`);
