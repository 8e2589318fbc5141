import { type Logger, LogLevel, WebAPIPlatformError, WebAPIRateLimitedError, WebClient } from '@slack/web-api';
import { type Json, listIn, textIn } from './json.ts';

/** What came of one call. `error`: Slack's word for it, or `unreachable` where it did not say one. */
export type ApiOutcome =
  | { readonly kind: 'ok'; readonly body: Json }
  | { readonly kind: 'failed'; readonly error: string; readonly why: string; readonly retryAfterMs?: number };

/** Slack's Web API, for reading and for what only one person sees. Repeats nothing by itself, never rejects. */
export interface SlackApi {
  call(method: string, args: Readonly<Record<string, unknown>>): Promise<ApiOutcome>;
}

export interface SlackApiOptions {
  readonly botToken: string;
  readonly apiUrl: string;
  /** `ok`, or Slack's word for what was wrong. */
  readonly called: (method: string, outcome: string) => void;
}

const CALL_MS = 10_000;

/** The official client says things to the console by itself; what is to be said stands in the outcomes. */
export const SILENT: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => LogLevel.ERROR,
  setName() {},
};

export function slackApi({ botToken, apiUrl, called }: SlackApiOptions): SlackApi {
  const client = new WebClient(botToken, {
    slackApiUrl: apiUrl,
    logger: SILENT,
    retryConfig: { retries: 0 },
    // Without it one limit would hold up every other call for as long.
    rejectRateLimitedCalls: true,
    timeout: CALL_MS,
    allowAbsoluteUrls: false,
  });
  return {
    async call(method, args) {
      try {
        const body: Json = { ...(await client.apiCall(method, { ...args })) };
        called(method, 'ok');
        return { kind: 'ok', body };
      } catch (error) {
        const failed = failure(error);
        called(method, failed.error);
        return failed;
      }
    },
  };
}

function failure(error: unknown): Extract<ApiOutcome, { kind: 'failed' }> {
  if (error instanceof WebAPIPlatformError) {
    const word = error.data.error;
    // What is missing is what a person has to add to the app.
    const needed = textIn({ ...error.data }, 'needed');
    return { kind: 'failed', error: word, why: needed === undefined ? word : `${word}: ${needed}` };
  }
  if (error instanceof WebAPIRateLimitedError) {
    return { kind: 'failed', error: 'rate_limited', why: 'rate_limited', retryAfterMs: error.retryAfter * 1_000 };
  }
  return { kind: 'failed', error: 'unreachable', why: error instanceof Error ? error.message : String(error) };
}

export const messagesIn = (body: Json): readonly Json[] => listIn(body, 'messages');
