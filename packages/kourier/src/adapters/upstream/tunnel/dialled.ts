import type { IncomingMessage } from 'node:http';
import { createServer, type ServerHttp2Session } from 'node:http2';
import { createWebSocketStream, WebSocket } from 'ws';
import type { Clock } from '../../../ports/clock.ts';
import { forwardCall } from './forward-call.ts';
import { keepPulse } from './keep-pulse.ts';
import { TUNNEL_LIMITS } from './limits.ts';
import { REPLACED, SESSION_OPTIONS, SESSION_SETTINGS, TUNNEL_PROTOCOL, WEB_SOCKET_OPTIONS } from './tunnel-wire.ts';

export interface DialOptions {
  /** `ws:` or `wss:`. */
  readonly url: URL;
  readonly key: string;
  /** Where calls go. */
  readonly to: URL;
  readonly clock: Clock;
  /** The gateway has heard this end, and sends calls. */
  readonly connected: () => void;
  /** Aborted: takes no new calls, lets those that run end, and is over. */
  readonly signal: AbortSignal;
}

/** How one connection ended. */
export type DialEnd =
  | { readonly kind: 'lost'; readonly because: string }
  /** The gateway answered, and no tunnel. */
  | { readonly kind: 'refused'; readonly status: number }
  /** Another end dialled in for the same agent. */
  | { readonly kind: 'replaced' }
  | { readonly kind: 'drained' };

/** One connection, from the dial to its end. Never rejects. */
export function dialOnce({ url, key, to, clock, connected, signal }: DialOptions): Promise<DialEnd> {
  const socket = new WebSocket(url, TUNNEL_PROTOCOL, {
    ...WEB_SOCKET_OPTIONS,
    headers: { authorization: `Bearer ${key}` },
    followRedirects: false,
  });
  let because = 'the connection was lost';
  let end: DialEnd | undefined;
  const cut = (why: string): void => {
    because = why;
    socket.terminate();
  };
  const tooLate = clock.wakeAt(clock.now() + TUNNEL_LIMITS.handshakeMs, () => cut('the Space did not answer in time'));
  const stopDialling = (): void => cut('stopped');
  signal.addEventListener('abort', stopDialling, { once: true });
  let endPulse = (): void => undefined;
  socket
    .on('unexpected-response', (_request, answer: IncomingMessage) => {
      end = { kind: 'refused', status: answer.statusCode ?? 0 };
      answer.destroy();
      socket.terminate();
    })
    .on('error', (error) => {
      if (because === 'the connection was lost') because = wordsOf(error);
    })
    .once('open', () => {
      signal.removeEventListener('abort', stopDialling);
      endPulse = keepPulse(socket, clock);
      serve(socket, to, {
        signal,
        heard: (error) => {
          if (error !== null) return;
          tooLate();
          connected();
        },
        replaced: () => {
          end = { kind: 'replaced' };
        },
      });
    });
  return new Promise((resolve) => {
    socket.once('close', () => {
      tooLate();
      endPulse();
      signal.removeEventListener('abort', stopDialling);
      resolve(signal.aborted ? { kind: 'drained' } : (end ?? { kind: 'lost', because }));
    });
  });
}

interface Serving {
  readonly signal: AbortSignal;
  readonly heard: (error: Error | null) => void;
  readonly replaced: () => void;
}

/** Takes the gateway's calls from the socket until one of both ends. */
function serve(socket: WebSocket, to: URL, { signal, heard, replaced }: Serving): void {
  const server = createServer({
    ...SESSION_OPTIONS,
    settings: { ...SESSION_SETTINGS, maxConcurrentStreams: TUNNEL_LIMITS.callsAtOnce },
    streamResetBurst: TUNNEL_LIMITS.cancelsAtOnce,
    streamResetRate: TUNNEL_LIMITS.cancelsPerSecond,
  });
  const duplex = createWebSocketStream(socket);
  duplex.on('error', () => undefined);
  server.on('sessionError', () => undefined);
  server.on('stream', (stream, headers) => forwardCall(stream, headers, to));
  server.once('session', (session: ServerHttp2Session) => {
    const drain = (): void => session.close();
    session
      // The gateway sends calls once it has our word for its settings; what it answers after that comes after that.
      .once('localSettings', () => session.ping(heard))
      .on('goaway', (_code, _lastStream, why?: Buffer) => {
        if (why?.toString() === REPLACED) replaced();
      })
      .once('close', () => {
        signal.removeEventListener('abort', drain);
        socket.terminate();
      });
    signal.addEventListener('abort', drain, { once: true });
    if (signal.aborted) drain();
    // Before the stream hears of it: a session that still writes after the end of its stream ends the process (Node 22).
    socket.prependOnceListener('close', () => session.destroy());
  });
  server.emit('connection', duplex);
}

/** Of a failed connection only what a person can act on. */
function wordsOf(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return code === '' ? error.message : `${code}: ${error.message}`;
}
