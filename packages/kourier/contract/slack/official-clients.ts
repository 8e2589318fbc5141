import { type Logger, LogLevel, SocketModeClient } from '@slack/socket-mode';
import { WebClient } from '@slack/web-api';
import type { FakeSlack } from './fake-slack.ts';
import type { Shape } from './shape.ts';

/** A test says what went wrong by itself. */
export const SILENT: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  setName: () => undefined,
  getLevel: () => LogLevel.ERROR,
};

/** As the product uses it for writes: repeats nothing by itself. */
export function webClient(apiUrl: string, token: string): WebClient {
  return new WebClient(token, {
    slackApiUrl: apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: SILENT,
  });
}

/** What the official client hands on. */
export interface Heard {
  readonly ack: (response?: Shape) => Promise<void>;
  readonly envelope_id: string;
  readonly type: string;
  readonly body: Shape;
  readonly retry_num?: number;
  readonly retry_reason?: string;
}

/** Connected once this resolves. Acknowledges nothing by itself. */
export async function listener(
  slack: FakeSlack,
  pingTimeoutMs = 60_000,
): Promise<{
  readonly heard: Heard[];
  readonly client: SocketModeClient;
  /** How often it has been connected. A client that is closed while it connects rejects a promise that nobody has. */
  connected(): number;
  /** The first that `is` says yes to. */
  hears(is: (heard: Heard) => boolean): Promise<Heard>;
  close(): Promise<void>;
}> {
  const client = new SocketModeClient({
    appToken: slack.app.appToken,
    logger: SILENT,
    clientOptions: { slackApiUrl: slack.apiUrl },
    clientPingTimeout: pingTimeoutMs,
  });
  const heard: Heard[] = [];
  client.on('slack_event', (event: Heard) => {
    heard.push(event);
    slack.world.changes.note();
  });
  let connections = 0;
  client.on('connected', () => {
    connections++;
    slack.world.changes.note();
  });
  await client.start();
  return {
    heard,
    client,
    connected: () => connections,
    hears: (is) => slack.until(() => heard.find(is)),
    close: () => client.disconnect(),
  };
}
