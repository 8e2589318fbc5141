import type { Clock } from '../../../../ports/clock.ts';
import type { Webhook, WebhookRequest, WebhookResponse } from '../../../../ports/webhook.ts';
import type { Intake } from '../events/intake.ts';
import { HEARING } from '../hearing-limits.ts';
import { type Json, parsedJson, textIn } from '../json.ts';
import type { SlackLog } from '../slack-log.ts';
import { checkSignature } from './signature.ts';

export interface ReceiverOptions {
  readonly platform: string;
  readonly signingSecret: string;
  readonly clock: Clock;
  readonly log: SlackLog;
  /** Absent while nothing can be taken yet: Slack is to come again. */
  readonly intake: () => Intake | undefined;
}

/**
 * Events and clicks by HTTP: `/slack/events` and `/slack/interactivity`. 200 is the acknowledgement, and goes out when
 * what came is durable; with anything else Slack comes again, at once, after a minute and after five.
 */
export function slackReceiver(options: ReceiverOptions): readonly Webhook[] {
  const { bodyBytes } = HEARING;
  return [
    {
      ...{ path: '/slack/events', bodyBytes },
      receive: (request) => signed(request, options, (body) => event(parsedJson(body), options)),
    },
    {
      ...{ path: '/slack/interactivity', bodyBytes },
      receive: (request) => signed(request, options, (body) => interaction(payloadIn(body), options)),
    },
  ];
}

/** Nothing of a body is read before its signature. */
async function signed(
  request: WebhookRequest,
  { platform, signingSecret, clock, log }: ReceiverOptions,
  act: (body: string) => Promise<WebhookResponse>,
): Promise<WebhookResponse> {
  const signature = checkSignature(request, signingSecret, clock.now());
  if (signature === 'good') return act(new TextDecoder().decode(request.rawBody));
  log('warn', { event: 'slack-request-refused', platform, why: `the signature is ${signature}` });
  return text(401, `The signature is ${signature}.`);
}

async function event(payload: Json | undefined, { intake }: ReceiverOptions): Promise<WebhookResponse> {
  if (payload === undefined) return text(400, 'The body is no JSON object.');
  const challenge = textIn(payload, 'challenge');
  if (payload['type'] === 'url_verification' && challenge !== undefined) return text(200, challenge);
  return (await intake()?.event(payload)) === true ? text(200, '') : notTaken();
}

async function interaction(payload: Json | undefined, { intake }: ReceiverOptions): Promise<WebhookResponse> {
  if (payload === undefined) return text(400, 'The body has no payload.');
  const outcome = await intake()?.interaction(payload);
  if (outcome?.taken !== true) return notTaken();
  if (outcome.answer === undefined) return text(200, '');
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(outcome.answer) };
}

function payloadIn(body: string): Json | undefined {
  return parsedJson(new URLSearchParams(body).get('payload') ?? '');
}

const notTaken = (): WebhookResponse => text(503, 'Not taken. Send it again.');

function text(status: number, body: string): WebhookResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}
