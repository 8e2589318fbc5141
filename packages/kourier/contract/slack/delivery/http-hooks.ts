import { createHmac } from 'node:crypto';
import { isShape, type Shape } from '../shape.ts';
import type { World } from '../world.ts';
import { ACKNOWLEDGE_WITHIN_MS, type Attempt, type Envelope, type Outcome } from './transport.ts';

export interface RequestUrls {
  readonly events: string;
  readonly interactivity: string;
}

/** `x-slack-signature` and its timestamp for a body, as the app checks them. */
export function signed(secret: string, body: string, atMs: number): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(atMs / 1_000));
  const digest = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${digest}` };
}

/** Posts an envelope to a request URL of the app. */
export async function postToApp(
  world: World,
  urls: RequestUrls,
  envelope: Envelope,
  attempt: Attempt,
): Promise<Outcome> {
  const interactive = envelope.kind === 'interactive';
  const json = JSON.stringify(envelope.payload);
  const body = interactive ? new URLSearchParams({ payload: json }).toString() : json;
  const headers = {
    'content-type': interactive ? 'application/x-www-form-urlencoded' : 'application/json',
    ...signed(world.app.signingSecret, body, world.clock.now()),
    ...(attempt.number === 0
      ? {}
      : { 'x-slack-retry-num': String(attempt.number), 'x-slack-retry-reason': attempt.reason ?? 'unknown_error' }),
  };
  const abort = new AbortController();
  const calledOff = world.clock.wakeAt(world.clock.now() + ACKNOWLEDGE_WITHIN_MS, () => abort.abort());
  try {
    const init = { method: 'POST', headers, body, signal: abort.signal, redirect: 'manual' } as const;
    const response = await fetch(interactive ? urls.interactivity : urls.events, init);
    const text = await response.text();
    if (response.ok) return { kind: 'acknowledged', answer: answerOf(text) };
    return { kind: 'failed', reason: 'http_error', noRetry: response.headers.get('x-slack-no-retry') === '1' };
  } catch {
    return { kind: 'failed', reason: abort.signal.aborted ? 'http_timeout' : 'connection_failed' };
  } finally {
    calledOff();
  }
}

/** Asks the events URL whether it is the app's, as Slack does when it is entered; true where it gave the challenge back. */
export async function verifyUrl(world: World, urls: RequestUrls): Promise<boolean> {
  const challenge = world.id('challenge');
  const body = JSON.stringify({ token: world.app.verificationToken, challenge, type: 'url_verification' });
  const headers = { 'content-type': 'application/json', ...signed(world.app.signingSecret, body, world.clock.now()) };
  const response = await fetch(urls.events, { method: 'POST', headers, body });
  const text = await response.text();
  return response.ok && (text === challenge || answerOf(text)['challenge'] === challenge);
}

function answerOf(text: string): Shape {
  try {
    const parsed: unknown = JSON.parse(text);
    return isShape(parsed) ? parsed : {};
  } catch {
    return {};
  }
}
