import { type ClientHttp2Session, connect } from 'node:http2';
import { createWebSocketStream, type WebSocket } from 'ws';
import type { Clock } from '../../../ports/clock.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../../../ports/space/upstream.ts';
import { keepPulse } from './keep-pulse.ts';
import { TUNNEL_LIMITS } from './limits.ts';
import { beginCall, type CallLimits, TunnelCall } from './tunnel-call.ts';
import { tunnelFailed } from './tunnel-failures.ts';
import { REPLACED, SESSION_OPTIONS, SESSION_SETTINGS } from './tunnel-wire.ts';

/** Names nothing: whatever is asked for goes down the WebSocket. */
const AUTHORITY = 'http://tunnel.invalid';

/** The other end's, and its word that it has ours. */
const BOTH_SETTINGS = 2;

export interface TunnelEvents {
  /** Both ends have said what they take. Once, or never. */
  readonly ready: () => void;
  /** It takes no new calls. May come without `ready`, and more than once. */
  readonly leaving: () => void;
  /** The connection is gone. Once. */
  readonly gone: () => void;
}

/** The gateway's end of one connection. */
export class Tunnel {
  readonly #session: ClientHttp2Session;
  readonly #clock: Clock;
  readonly #limits: CallLimits;
  #running = 0;

  constructor(
    socket: WebSocket,
    { clock, limits }: { readonly clock: Clock; readonly limits: CallLimits },
    { ready, leaving, gone }: TunnelEvents,
  ) {
    this.#clock = clock;
    this.#limits = limits;
    const duplex = createWebSocketStream(socket);
    duplex.on('error', () => undefined);
    this.#session = connect(AUTHORITY, {
      ...SESSION_OPTIONS,
      createConnection: () => duplex,
      settings: { ...SESSION_SETTINGS, initialWindowSize: TUNNEL_LIMITS.answerWindowBytes },
      maxReservedRemoteStreams: 0,
    });
    const session = this.#session;
    const tooLate = clock.wakeAt(clock.now() + TUNNEL_LIMITS.handshakeMs, () => socket.terminate());
    const endPulse = keepPulse(socket, clock);
    // Limits that the other end has not acknowledged are not in force yet.
    let unsettled = BOTH_SETTINGS;
    const settled = (): void => {
      unsettled -= 1;
      if (unsettled > 0) return;
      tooLate();
      ready();
    };
    session
      .once('connect', () => session.setLocalWindowSize(TUNNEL_LIMITS.tunnelWindowBytes))
      .once('remoteSettings', settled)
      .once('localSettings', settled)
      .on('goaway', leaving)
      // Its calls say what became of them.
      .on('error', () => undefined)
      .once('close', () => socket.terminate());
    socket
      .on('error', () => undefined)
      // Before the stream hears of it: a session that still writes after the end of its stream ends the process (Node 22).
      .prependOnceListener('close', () => {
        tooLate();
        endPulse();
        session.destroy(tunnelFailed('A2A_TUNNEL_LOST'));
        gone();
      });
  }

  async call(request: UpstreamRequest, signal: AbortSignal): Promise<UpstreamAnswer> {
    signal.throwIfAborted();
    if (this.#session.closed || this.#session.destroyed) throw tunnelFailed('A2A_TUNNEL_NOT_CONNECTED');
    // HTTP/2 would queue them, and then nobody could say what was sent.
    const most = Math.min(TUNNEL_LIMITS.callsAtOnce, this.#session.remoteSettings.maxConcurrentStreams ?? 0);
    if (this.#running >= most) throw tunnelFailed('A2A_TUNNEL_BUSY');
    const stream = beginCall(this.#session, request);
    this.#running += 1;
    stream.once('close', () => {
      this.#running -= 1;
    });
    const around = { session: this.#session, clock: this.#clock, limits: this.#limits, signal };
    return new TunnelCall(stream, around).answer;
  }

  /** A newer one is there: what runs ends well, then the connection is closed. */
  replace(): void {
    this.#session.goaway(0, 0, Buffer.from(REPLACED));
    this.#session.close();
  }

  /** At once; the other end dials again. */
  cut(): void {
    this.#session.destroy(tunnelFailed('A2A_TUNNEL_LOST'));
  }
}
