import { ErrorCode, type WebAPICallResult, WebClient } from '@slack/web-api';

/** What came of one call: Slack's answer, its own word for no, or no word at all. */
export type SlackAnswer =
  | { readonly kind: 'ok'; readonly result: WebAPICallResult & Readonly<Record<string, unknown>> }
  | { readonly kind: 'refused'; readonly error: string; readonly needed?: string }
  | { readonly kind: 'unreachable'; readonly why: string };

export type AskSlack = (method: string, args?: Record<string, string>) => Promise<SlackAnswer>;

const TIMEOUT_MS = 10_000;
/** Calls here only read: a 429 is waited for, and a lost connection tried again. */
const RETRIES = { retries: 3, factor: 1, minTimeout: 200, maxTimeout: 200 };
const SILENT = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  setName: () => undefined,
  getLevel: () => 'error' as never,
};

/** Calls with one token. The answer never holds it. */
export function askSlack(apiUrl: string, token: string): AskSlack {
  const client = new WebClient(token, {
    ...{ slackApiUrl: apiUrl, timeout: TIMEOUT_MS, retryConfig: RETRIES, logger: SILENT, maxRequestConcurrency: 3 },
  });
  return async (method, args = {}) => {
    try {
      const result = await client.apiCall(method, args);
      return { kind: 'ok', result: result as WebAPICallResult & Record<string, unknown> };
    } catch (error) {
      return failureOf(error);
    }
  };
}

function failureOf(error: unknown): SlackAnswer {
  const { code, data, original, statusCode } = error as {
    readonly code?: string;
    readonly data?: { readonly error?: string; readonly needed?: string };
    readonly original?: { readonly code?: string; readonly cause?: { readonly code?: string } };
    readonly statusCode?: number;
  };
  if (code === ErrorCode.PlatformError) {
    const { error: word = '', needed } = data ?? {};
    // A page of somebody else comes as an error of its whole text.
    if (!/^[a-z0-9_.:-]{1,80}$/i.test(word)) return { kind: 'unreachable', why: 'what answers is no Slack' };
    return { kind: 'refused', error: word, ...(needed === undefined ? {} : { needed }) };
  }
  if (code === ErrorCode.HTTPError) return { kind: 'unreachable', why: `HTTP ${statusCode ?? ''}`.trim() };
  return { kind: 'unreachable', why: original?.cause?.code ?? original?.code ?? 'no answer' };
}
