import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { SCOPES as FAKE_SCOPES } from '../../../../../contract/slack/app.ts';
import { type FakeSlackOptions, fakeSlack } from '../../../../../contract/slack/fake-slack.ts';
import { CHANNELS, PEOPLE } from '../../../../../contract/slack/town.ts';
import type { Finding } from '../../../../ports/finding.ts';
import type { Binding, ChatPlatform } from '../../../../ports/registry.ts';
import { SCOPES } from '../app/scopes.ts';
import { diagnoseSlack } from './diagnose-slack.ts';

const binding = (chat: Partial<Binding['chat']>, approvers?: readonly string[]): Binding => ({
  name: 'ops',
  backend: { name: 'research', dialect: 'a2a', url: 'http://127.0.0.1:9', headers: [], egress: 'direct' },
  identity: { userId: 'u' },
  chat: { platform: 'slack', channels: [], directMessages: false, ...chat },
  interactions: approvers === undefined ? {} : { toolApprovals: { timeoutMs: 1, approvers } },
});
const OPS = binding({ channels: [CHANNELS.ops] });

type SocketApp = Extract<ChatPlatform, { mode: 'socket' }>;

async function open(t: TestContext, options: FakeSlackOptions = {}) {
  const slack = await fakeSlack(options);
  t.after(() => slack.close());
  const { apiUrl, app } = slack;
  const platform: SocketApp = {
    kind: 'slack',
    name: 'slack',
    mode: 'socket',
    ...{ apiUrl, botToken: app.botToken, appToken: app.appToken },
  };
  const diagnose = async (bindings: readonly Binding[], more: Partial<SocketApp> = {}): Promise<readonly string[]> =>
    shown(await diagnoseSlack({ ...platform, ...more }, bindings));
  return { slack, platform, diagnose };
}

/** Less the platform's name, which begins each. */
const shown = (findings: readonly Finding[]): readonly string[] =>
  findings.map(({ verdict, what, todo }) => {
    assert.ok(what.startsWith('platform slack: '));
    return `${verdict} ${what.slice('platform slack: '.length)}${todo === undefined ? '' : ` → ${todo}`}`;
  });

const GOOD = [
  'ok the bot token is good: @kourier in Acme',
  `ok all ${Object.keys(SCOPES).length} scopes are granted`,
  'ok the app token opens Socket Mode',
];

test('all is well: a line for each, and Slack was only read', async (t) => {
  const { slack, diagnose } = await open(t);
  const bindings = [binding({ channels: [CHANNELS.ops, CHANNELS.secret], directMessages: true }, [PEOPLE.ada])];
  assert.deepEqual(await diagnose(bindings), [
    ...GOOD,
    'ok binding ops: channel C0OPS (#ops): the bot is in it',
    'ok binding ops: channel G0SECRET (#secret): the bot is in it',
    'ok binding ops: approver U0ADA is Ada Lovelace',
  ]);
  const reading = /^(auth\.test|bots\.info|apps\.connections\.open|conversations\.info|users\.info)$/;
  for (const { method } of slack.calls) assert.match(method, reading);
});

test('wrong tokens are told without a further look, and never said', async (t) => {
  const { diagnose } = await open(t);
  const findings = await diagnose([OPS], { botToken: 'xoxb-hush-hush', appToken: 'xapp-hush-hush' });
  assert.deepEqual(findings, [
    'fail the bot token is refused: invalid_auth → install the app, and put its Bot User OAuth Token into the secret (app settings: OAuth & Permissions)',
    'fail the app token is refused: invalid_auth → turn Socket Mode on, and put an App-Level Token with connections:write into the secret (app settings: Basic Information)',
  ]);
  assert.doesNotMatch(findings.join(), /hush/);
});

test('an app token without its scope, and one of another app', async (t) => {
  const { slack, diagnose } = await open(t);
  slack.faults.next('apps.connections.open', { answer: { error: 'missing_scope' } });
  assert.equal(
    (await diagnose([OPS]))[2],
    'fail the app token is refused: missing_scope → give it the scope connections:write (app settings: Basic Information, App-Level Tokens)',
  );
  assert.equal(
    (await diagnose([OPS], { appToken: 'xapp-1-A0OTHER-1-hush' }))[2],
    'fail the app token is of app A0OTHER, the bot token of A0KOURIER → take both from one app',
  );
});

test('a missing scope fails where a binding needs it, and warns elsewhere, each with what it is for', async (t) => {
  const without = ['channels:history', 'im:history', 'users:read.email'];
  const { diagnose } = await open(t, { scopes: FAKE_SCOPES.filter((scope) => !without.includes(scope)) });
  const add = 'add it and install the app again (app settings: OAuth & Permissions)';
  assert.deepEqual((await diagnose([OPS])).slice(1, 4), [
    `fail scope channels:history is missing: without it the app is not able to read threads of public channels that it is in → ${add}`,
    `warn scope im:history is missing: without it the app is not able to read direct messages to it → ${add}`,
    `warn scope users:read.email is missing: without it the app is not able to tell the agent the e-mail address of who writes → ${add}`,
  ]);
  const verdicts = (await diagnose([binding({ directMessages: true })])).map((line) => line.split(' is missing')[0]);
  assert.deepEqual(verdicts.slice(1, 3), ['warn scope channels:history', 'fail scope im:history']);
});

test('channels: unknown, without the bot, archived, and not to be looked up', async (t) => {
  const { slack, diagnose } = await open(t, { scopes: FAKE_SCOPES.filter((scope) => scope !== 'groups:read') });
  slack.world.channel(CHANNELS.partners).archived = true;
  const channels = ['C0NOWHERE', CHANNELS.elsewhere, CHANNELS.partners, CHANNELS.secret];
  assert.deepEqual((await diagnose([binding({ channels })])).slice(-4), [
    'fail binding ops: channel C0NOWHERE does not exist, or is private and the bot is not in it → compare the id; if the channel is private, write /invite @kourier in it',
    'fail binding ops: channel C0ELSEWHERE (#elsewhere): the bot is not in it → write /invite @kourier in #elsewhere',
    'fail binding ops: channel C0PARTNERS (#partners) is archived → unarchive it, or leave it out',
    'warn binding ops: channel G0SECRET cannot be looked up: missing_scope (groups:read) → add the scopes that are missing first',
  ]);
});

test('an approver who is nobody here', async (t) => {
  const { diagnose } = await open(t);
  assert.deepEqual((await diagnose([binding({ channels: [CHANNELS.ops] }, ['ada'])])).slice(-1), [
    'fail binding ops: approver ada is nobody in this workspace → write a member id, as U0123ABCD (in Slack: the profile, ⋮, Copy member ID)',
  ]);
});

test('mode http: what only Slack can show is said, and no connection asked for', async (t) => {
  const { slack, platform } = await open(t);
  const { appToken: _, ...app } = platform;
  const findings = await diagnoseSlack({ ...app, mode: 'http', signingSecret: 's' }, [OPS]);
  assert.match(
    shown(findings)[2] ?? '',
    /^ok mode http: .* → let Slack reach POST \/slack\/events and \/slack\/interactivity/,
  );
  assert.equal(
    slack.calls.some(({ method }) => method === 'apps.connections.open'),
    false,
  );
});

test('something that is no Slack, and nothing at all', async (t) => {
  const page = createServer((_, response) => response.end(`<html>${'x'.repeat(100_000)}</html>`)).listen(
    0,
    '127.0.0.1',
  );
  t.after(() => page.close());
  await new Promise((resolve) => page.once('listening', resolve));
  const apiUrl = `http://127.0.0.1:${(page.address() as AddressInfo).port}/`;
  const { diagnose } = await open(t);
  assert.deepEqual((await diagnose([], { apiUrl })).slice(0, 1), [
    `fail ${apiUrl} cannot be reached: what answers is no Slack → open the way to it, or correct apiUrl`,
  ]);
  page.closeAllConnections();
  await new Promise((resolve) => page.close(resolve));
  assert.deepEqual((await diagnose([], { apiUrl })).slice(0, 1), [
    `fail ${apiUrl} cannot be reached: ECONNREFUSED → open the way to it, or correct apiUrl`,
  ]);
});
