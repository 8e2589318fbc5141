import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { isShape, type Shape, shapeIn, textIn } from '../shape.ts';
import type { World } from '../world.ts';
import { ACKNOWLEDGE_WITHIN_MS, type Attempt, type Envelope, type Outcome } from './transport.ts';

const MAX_SOCKETS = 10;

/**
 * `deaf`: pings are answered, and envelopes vanish for good, taken by a connection that passes nothing on (C170).
 * `silent`: half open; nothing arrives, pings are not answered, and Slack repeats what was not acknowledged.
 */
export type Hearing = 'hears' | 'deaf' | 'silent';

export interface Socket {
  readonly id: string;
  readonly ws: WebSocket;
  hearing: Hearing;
}

/** The app's WebSocket connections. Each envelope goes to one of them, by chance. */
export class SocketHub {
  readonly open: Socket[] = [];
  /** Connections ever made. */
  made = 0;
  /** How many connections may be open; one more is answered `too_many_websockets`. */
  max = MAX_SOCKETS;
  /** New connections begin so. */
  newHearing: Hearing = 'hears';
  readonly #world: World;
  readonly #tickets = new Set<string>();
  readonly #waiting = new Map<string, (answer: Shape) => void>();
  readonly #server = new WebSocketServer({ noServer: true, autoPong: false });

  constructor(world: World) {
    this.#world = world;
  }

  ticket(): string {
    const ticket = randomUUID();
    this.#tickets.add(ticket);
    return ticket;
  }

  upgrade(request: IncomingMessage, raw: Duplex, head: Buffer): void {
    const ticket = new URL(request.url ?? '/', 'http://slack').searchParams.get('ticket') ?? '';
    if (!this.#tickets.delete(ticket)) return void raw.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n');
    this.#server.handleUpgrade(request, raw, head, (ws) => this.#accept(ws));
  }

  /** The transport of Socket Mode. */
  async deliver(envelope: Envelope, attempt: Attempt): Promise<Outcome> {
    const { clock, random } = this.#world;
    const socket = this.open[Math.floor(random() * this.open.length)];
    if (socket?.hearing === 'deaf') return { kind: 'lost' };
    return new Promise((resolve) => {
      const settle = (outcome: Outcome): void => {
        this.#waiting.delete(envelope.id);
        calledOff();
        resolve(outcome);
      };
      const tooLate = clock.now() + ACKNOWLEDGE_WITHIN_MS;
      const calledOff = clock.wakeAt(tooLate, () => settle({ kind: 'failed', reason: 'timeout' }));
      if (socket === undefined) return settle({ kind: 'failed', reason: 'timeout' });
      if (socket.hearing === 'silent') return;
      this.#waiting.set(envelope.id, (answer) => settle({ kind: 'acknowledged', answer }));
      socket.ws.send(
        JSON.stringify({
          envelope_id: envelope.id,
          payload: envelope.payload,
          type: envelope.kind,
          accepts_response_payload: envelope.kind === 'interactive',
          ...(envelope.kind === 'events_api'
            ? { retry_attempt: attempt.number, retry_reason: attempt.reason ?? '' }
            : {}),
        }),
      );
    });
  }

  /** Slack recycles connections: it says so, and closes once the client has or a little later. */
  recycle(reason: 'warning' | 'refresh_requested' | 'link_disabled' = 'refresh_requested', sockets = this.open): void {
    for (const { ws } of sockets) {
      ws.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'fake' } }));
    }
  }

  /** The connections are gone, without a word. */
  drop(sockets: readonly Socket[] = this.open): void {
    for (const { ws } of [...sockets]) ws.terminate();
  }

  /** Connections that are there, and those that come, hear like this from now on. */
  setHearing(hearing: Hearing, andNewOnes = true): void {
    for (const socket of this.open) socket.hearing = hearing;
    if (andNewOnes) this.newHearing = hearing;
  }

  /** Says goodbye first: a client whose connection is cut while it closes it waits half a minute for an answer. */
  async close(): Promise<void> {
    const closed = this.open.map(({ ws }) => new Promise((resolve) => ws.once('close', resolve)));
    for (const { ws, hearing } of [...this.open]) {
      if (hearing === 'hears') ws.close(1001);
      else ws.terminate();
    }
    await Promise.all(closed);
    this.#server.close();
  }

  #accept(ws: WebSocket): void {
    if (this.open.length >= this.max) {
      ws.send(JSON.stringify({ type: 'disconnect', reason: 'too_many_websockets' }));
      return ws.close();
    }
    const socket: Socket = { id: `s${++this.made}`, ws, hearing: this.newHearing };
    this.open.push(socket);
    ws.on('ping', (data) => {
      if (socket.hearing !== 'silent') ws.pong(data);
    });
    ws.on('message', (data) => this.#heard(socket, data));
    ws.on('error', () => ws.terminate());
    ws.on('close', () => {
      this.open.splice(this.open.indexOf(socket), 1);
      this.#world.changes.note();
    });
    const info = { app_id: this.#world.app.id };
    ws.send(JSON.stringify({ type: 'hello', num_connections: this.open.length, connection_info: info }));
    this.#world.changes.note();
  }

  #heard(socket: Socket, data: RawData): void {
    if (socket.hearing !== 'hears') return;
    const parsed: unknown = JSON.parse(String(data));
    if (!isShape(parsed)) return;
    // Any connection may acknowledge: it is the envelope that counts. A late one finds nobody waiting.
    this.#waiting.get(textIn(parsed, 'envelope_id') ?? '')?.(shapeIn(parsed, 'payload') ?? {});
  }
}
