import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { SocketModeClient } from '@slack/socket-mode';
import type { Clock } from '../../../../ports/clock.ts';
import type { Intake } from '../events/intake.ts';
import { isJson, type Json, textIn } from '../json.ts';
import { SILENT } from '../slack-api.ts';
import { whyOf } from '../slack-log.ts';

export interface SocketLineOptions {
  readonly appToken: string;
  readonly apiUrl: string;
  readonly clock: Clock;
  readonly intake: Intake;
  /** Called once, when this connection is of no use any more. Never within the constructor. */
  readonly ended: (why: string) => void;
  readonly connected: () => void;
}

interface Delivered {
  readonly ack: (response?: Record<string, unknown>) => Promise<void>;
  readonly type: string;
  readonly body: unknown;
}

const OPEN_MS = 10_000;
const CLOSE_MS = 1_000;
const PONG = 'undici:websocket:pong';

/**
 * One connection of Socket Mode, from its opening to its end; it never reconnects. The client's own reconnecting waits
 * five seconds each time, and where it fails it leaves a rejection that nobody catches and stays down (slack.md 1.2):
 * it is switched off, and whoever has this line opens another.
 */
export class SocketLine {
  readonly #options: SocketLineOptions;
  readonly #client: SocketModeClient;
  #url: string | undefined;
  #pongMs: number | undefined;
  #ended = false;
  readonly #heardPong = (message: unknown): void => this.#pong(message);

  constructor(options: SocketLineOptions) {
    this.#options = options;
    const { appToken, apiUrl } = options;
    this.#client = new SocketModeClient({
      appToken,
      logger: SILENT,
      autoReconnectEnabled: false,
      // An object of its own: the client writes into it.
      clientOptions: {
        slackApiUrl: apiUrl,
        timeout: OPEN_MS,
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
        allowAbsoluteUrls: false,
      },
    });
    this.#listen();
    void this.#client.start().then(
      () => {},
      (error: unknown) => this.end(whyOf(error ?? 'closed before it was open')),
    );
  }

  /** Absent: not connected. */
  get lastPongMs(): number | undefined {
    return this.#ended ? undefined : this.#pongMs;
  }

  /** Gives the connection up at once, also one that is only being opened. Twice is harmless. */
  end(why: string): void {
    if (!this.#setEnded(why)) return;
    this.#cut();
  }

  /** The same, but the other side may take in what was sent before. */
  async close(): Promise<void> {
    if (!this.#setEnded('closed')) return;
    const { clock } = this.#options;
    const calledOff = clock.wakeAt(clock.now() + CLOSE_MS, () => this.#cut());
    await this.#client.disconnect().catch(() => {});
    calledOff();
  }

  #setEnded(why: string): boolean {
    if (this.#ended) return false;
    this.#ended = true;
    unsubscribe(PONG, this.#heardPong);
    // What is opened after all, because the address was on its way, is closed at once: else it would count (case C169).
    this.#client.on('connecting', () => setImmediate(() => this.#cut()));
    queueMicrotask(() => this.#options.ended(why));
    return true;
  }

  #listen(): void {
    const { clock, connected } = this.#options;
    subscribe(PONG, this.#heardPong);
    this.#client.on('authenticated', (answer: unknown) => {
      this.#url = hrefOf(isJson(answer) ? textIn(answer, 'url') : undefined);
    });
    this.#client.on('connected', () => {
      if (this.#ended) return;
      this.#pongMs = clock.now();
      connected();
    });
    this.#client.on('disconnected', (error: unknown) =>
      this.end(error === undefined ? 'the connection was closed' : whyOf(error)),
    );
    // The client closes it itself then; if we did too, a timer of its own would be left behind for half a minute.
    this.#client.on('error', (error: unknown) => setImmediate(() => this.end(whyOf(error))));
    this.#client.on('slack_event', (delivered: Delivered) => void this.#deliver(delivered));
  }

  /** The first call asks it to close, the second does not wait for the other side. */
  #cut(): void {
    for (let twice = 0; twice < 2; twice++) this.#client.disconnect().catch(() => {});
  }

  async #deliver({ ack, type, body }: Delivered): Promise<void> {
    if (this.#ended || !isJson(body)) return;
    const answer = await this.#taken(type, body);
    if (answer === undefined) return;
    // On a connection that is closed meanwhile it cannot be told: Slack brings it again, and it is known then.
    await ack({ ...answer }).catch(() => {});
  }

  /** What to acknowledge with; `undefined`: not at all. */
  async #taken(type: string, body: Json): Promise<Json | undefined> {
    const { intake } = this.#options;
    if (type === 'events_api') return (await intake.event(body)) ? {} : undefined;
    if (type !== 'interactive') return {};
    const { taken, answer } = await intake.interaction(body);
    return taken ? (answer ?? {}) : undefined;
  }

  #pong(message: unknown): void {
    const socket = isJson(message) ? message['websocket'] : undefined;
    const url = typeof socket === 'object' && socket !== null && 'url' in socket ? socket.url : undefined;
    if (this.#url !== undefined && url === this.#url && this.#pongMs !== undefined) {
      this.#pongMs = this.#options.clock.now();
    }
  }
}

function hrefOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).href : undefined;
}
