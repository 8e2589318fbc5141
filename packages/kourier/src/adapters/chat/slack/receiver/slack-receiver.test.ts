import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signed } from '../../../../../contract/slack/delivery/http-hooks.ts';
import { TestClock } from '../../../../../contract/slack/test-clock.ts';
import type { Json } from '../json.ts';
import { slackReceiver } from './slack-receiver.ts';

const SECRET = 'secret';
const MINUTE = 60_000;

function receiver(hasIntake = true) {
  const clock = new TestClock();
  const taken: Json[] = [];
  const lines: string[] = [];
  const intake = {
    async event(payload: Json) {
      taken.push(payload);
      return payload['lost'] !== true;
    },
    async interaction(payload: Json) {
      taken.push(payload);
      return {
        taken: payload['lost'] !== true,
        ...(payload['form'] === true ? { answer: { response_action: 'clear' } } : {}),
      };
    },
  };
  const options = {
    platform: 'slack',
    signingSecret: SECRET,
    clock,
    log: (_: string, { why }: { why?: string }) => void lines.push(why ?? ''),
  };
  const webhooks = slackReceiver({ ...options, intake: () => (hasIntake ? intake : undefined) });
  const call = (
    path: string,
    body: string,
    headers = signed(SECRET, body, clock.now()) as Record<string, string | undefined>,
  ) => {
    const webhook = webhooks.find((each) => each.path === path);
    assert.ok(webhook);
    return webhook.receive({ headers, rawBody: Buffer.from(body) });
  };
  return { clock, taken, lines, call };
}

const EVENT = JSON.stringify({ type: 'event_callback', event: { type: 'message', text: 'ü' } });

describe('what Slack sends by HTTP', () => {
  it('is taken with a good signature', async () => {
    const { call, taken } = receiver();
    assert.equal((await call('/slack/events', EVENT)).status, 200);
    assert.deepEqual(taken, [JSON.parse(EVENT)]);
  });

  for (const [why, headers] of [
    ['forged', (now: number) => signed('other', EVENT, now)],
    ['forged', (now: number) => signed(SECRET, `${EVENT} `, now)],
    [
      'forged',
      (now: number) => ({ ...signed(SECRET, EVENT, now), 'x-slack-request-timestamp': String(now / 1_000 + 1) }),
    ],
    ['stale', (now: number) => signed(SECRET, EVENT, now - 5 * MINUTE - 1_000)],
    ['stale', (now: number) => signed(SECRET, EVENT, now + 5 * MINUTE + 1_000)],
    ['missing', () => ({})],
    ['missing', (now: number) => ({ ...signed(SECRET, EVENT, now), 'x-slack-signature': 'v0=abc' })],
    ['missing', (now: number) => ({ ...signed(SECRET, EVENT, now), 'x-slack-request-timestamp': '1e9' })],
  ] as const) {
    it(`is refused unread, with a line of the log, when its signature is ${why}`, async () => {
      const { call, clock, lines, taken } = receiver();
      assert.equal((await call('/slack/events', EVENT, headers(clock.now()))).status, 401);
      assert.deepEqual([taken, lines], [[], [`the signature is ${why}`]]);
    });
  }

  it('is still good at the end of five minutes', async () => {
    const { call, clock } = receiver();
    assert.equal((await call('/slack/events', EVENT, signed(SECRET, EVENT, clock.now() - 5 * MINUTE))).status, 200);
  });

  it('answers the challenge of an address that is being configured, also before anything is up', async () => {
    const { call } = receiver(false);
    const { status, body } = await call('/slack/events', '{"type":"url_verification","challenge":"c1"}');
    assert.deepEqual([status, body], [200, 'c1']);
  });

  it('is not acknowledged when it was not taken, or nothing is up', async () => {
    assert.equal((await receiver().call('/slack/events', '{"lost":true}')).status, 503);
    assert.equal((await receiver(false).call('/slack/events', EVENT)).status, 503);
    assert.equal((await receiver().call('/slack/interactivity', form({ lost: true }))).status, 503);
    assert.equal((await receiver(false).call('/slack/interactivity', form({}))).status, 503);
  });

  it('is refused when it is no JSON', async () => {
    for (const body of ['', '[]', '{', 'null'])
      assert.equal((await receiver().call('/slack/events', body)).status, 400);
    for (const body of ['', 'payload=', 'payload=%7B']) {
      assert.equal((await receiver().call('/slack/interactivity', body)).status, 400);
    }
  });

  it('a click is answered with nothing, a form with what it does next', async () => {
    const { call, taken } = receiver();
    assert.deepEqual((await call('/slack/interactivity', form({ type: 'block_actions' }))).body, '');
    const { body, headers } = await call('/slack/interactivity', form({ form: true }));
    assert.deepEqual([body, headers['content-type']], ['{"response_action":"clear"}', 'application/json']);
    assert.equal(taken.length, 2);
  });
});

const form = (payload: Json): string => new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
