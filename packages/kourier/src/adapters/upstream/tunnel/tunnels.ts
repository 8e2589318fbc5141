import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Clock } from '../../../ports/clock.ts';
import type { Upstream } from '../../../ports/space/upstream.ts';
import { UPSTREAM_LIMITS } from '../wire/limits.ts';
import { TUNNEL_LIMITS } from './limits.ts';
import { Tunnel } from './tunnel.ts';
import type { CallLimits } from './tunnel-call.ts';
import { tunnelFailed } from './tunnel-failures.ts';
import { TUNNEL_PROTOCOL, WEB_SOCKET_OPTIONS } from './tunnel-wire.ts';

/** Which agent dialled, in the words of the Space. */
export interface TunnelEnd {
  readonly space: string;
  readonly agent: string;
}

export interface TunnelsOptions {
  readonly clock: Clock;
  /** An agent got its first tunnel, or lost its last. Not called for a newer one in place of an older. */
  readonly changed?: (end: TunnelEnd, isConnected: boolean) => void;
  /** In place of those of `UPSTREAM_LIMITS`. */
  readonly limits?: Partial<CallLimits>;
}

/** All that is open for one agent; the newest is last. */
interface Ends {
  readonly tunnels: Tunnel[];
  /** Takes new calls. */
  current?: Tunnel;
}

/**
 * The tunnels of agents that dialled out to this process. An agent has one that takes new calls, the newest that came
 * up; what runs through an older one ends well.
 */
export class Tunnels {
  readonly #clock: Clock;
  readonly #changed: (end: TunnelEnd, isConnected: boolean) => void;
  readonly #limits: CallLimits;
  readonly #ends = new Map<string, Ends>();
  readonly #sockets = new WebSocketServer({
    ...WEB_SOCKET_OPTIONS,
    noServer: true,
    clientTracking: false,
    handleProtocols: () => TUNNEL_PROTOCOL,
  });
  #open = 0;

  constructor({ clock, changed = () => undefined, limits = {} }: TunnelsOptions) {
    this.#limits = { ...UPSTREAM_LIMITS, ...limits };
    this.#clock = clock;
    this.#changed = changed;
  }

  /**
   * Makes a request of `server.on('upgrade')` a tunnel; whoever calls this has made sure that the caller may publish this
   * agent. Answers itself what is no tunnel (400) and what is too many (503).
   */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer, end: TunnelEnd): void {
    socket.on('error', () => undefined);
    const offered = request.headers['sec-websocket-protocol']?.split(',').map((name) => name.trim());
    if (offered?.includes(TUNNEL_PROTOCOL) !== true)
      return refuse(socket, '400 Bad Request', `offer the WebSocket protocol ${TUNNEL_PROTOCOL}`);
    if (this.#open >= TUNNEL_LIMITS.tunnels)
      return refuse(socket, '503 Service Unavailable', 'this gateway carries as many tunnels as it can; dial later');
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
      this.#open += 1;
      const ends = this.#endsOf(end);
      const tunnel: Tunnel = new Tunnel(
        webSocket,
        { clock: this.#clock, limits: this.#limits },
        {
          ready: () => this.#ready(end, ends, tunnel),
          leaving: () => this.#leaving(end, ends, tunnel),
          gone: () => this.#gone(end, ends, tunnel),
        },
      );
      ends.tunnels.push(tunnel);
      if (ends.tunnels.length > TUNNEL_LIMITS.tunnelsOfOneAgent) spare(ends)?.cut();
    });
  }

  isConnected(space: string, agent: string): boolean {
    return this.#ends.get(keyOf({ space, agent }))?.current !== undefined;
  }

  /** Calls to an agent through whatever tunnel it has at the time of each call. */
  upstreamOf(space: string, agent: string): Upstream {
    const key = keyOf({ space, agent });
    return {
      call: async (request, signal) => {
        signal.throwIfAborted();
        const tunnel = this.#ends.get(key)?.current;
        if (tunnel === undefined) throw tunnelFailed('A2A_TUNNEL_NOT_CONNECTED');
        return tunnel.call(request, signal);
      },
    };
  }

  /** Cuts every tunnel; their ends dial again, if need be another process. Safe to repeat. */
  close(): void {
    for (const { tunnels } of [...this.#ends.values()]) for (const tunnel of [...tunnels]) tunnel.cut();
  }

  #endsOf(end: TunnelEnd): Ends {
    const key = keyOf(end);
    const ends = this.#ends.get(key) ?? { tunnels: [] };
    this.#ends.set(key, ends);
    return ends;
  }

  #ready(end: TunnelEnd, ends: Ends, tunnel: Tunnel): void {
    const older = ends.current;
    ends.current = tunnel;
    if (older === undefined) this.#changed(end, true);
    else older.replace();
  }

  #leaving(end: TunnelEnd, ends: Ends, tunnel: Tunnel): void {
    if (ends.current !== tunnel) return;
    delete ends.current;
    this.#changed(end, false);
  }

  #gone(end: TunnelEnd, ends: Ends, tunnel: Tunnel): void {
    this.#open -= 1;
    ends.tunnels.splice(ends.tunnels.indexOf(tunnel), 1);
    if (ends.tunnels.length === 0) this.#ends.delete(keyOf(end));
    this.#leaving(end, ends, tunnel);
  }
}

/** The oldest that takes no new calls. */
function spare({ tunnels, current }: Ends): Tunnel | undefined {
  return tunnels.find((tunnel) => tunnel !== current);
}

function keyOf({ space, agent }: TunnelEnd): string {
  return JSON.stringify([space, agent]);
}

/** Who does not hang up is hung up on: nobody else looks after the connection. */
function refuse(socket: Duplex, status: string, text: string): void {
  const head = `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${text.length}`;
  socket.end(`${head}\r\n\r\n${text}`, () => socket.destroy());
}
