import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { fakeSlack } from '../contract/slack/fake-slack.ts';
import { CHANNELS } from '../contract/slack/town.ts';
import { startDemoAgent } from '../src/demo/demo-agent.ts';
import { folderFor, KOURIER } from './process/product-process.ts';

/** Runs to its end. The fake Slack is in this process, so it must not block. */
function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [KOURIER, ...args], { timeout: 300_000 }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

const API = 'apiVersion: agentkourier.dev/v1alpha1';

/** A folder with a configuration and the secrets it refers to, a Slack and an agent that answers. */
async function workspace(t: TestContext) {
  const slack = await fakeSlack();
  const agent = await startDemoAgent({ onError: () => undefined });
  t.after(async () => {
    await agent.close();
    await slack.close();
  });
  const folder = folderFor(t);
  const secret = (key: string, value: string): void => {
    mkdirSync(join(folder, 'secrets', 'slack'), { recursive: true });
    writeFileSync(join(folder, 'secrets', 'slack', key), `${value}\n`);
  };
  secret('bot-token', slack.app.botToken);
  secret('app-token', slack.app.appToken);
  const config = ({ url = agent.url, channel = CHANNELS.ops as string }): string => {
    const file = join(folder, 'agents.yaml');
    writeFileSync(
      file,
      `${API}
kind: AgentBackend
metadata: { name: research }
spec: { dialect: a2a, url: "${url}" }
---
${API}
kind: Binding
metadata: { name: ops }
spec: { backend: research, identity: { userId: kourier }, chat: { platform: slack, channels: [${channel}] } }
---
${API}
kind: ChatPlatform
metadata: { name: slack }
spec:
  slack:
    mode: socket
    botTokenSecretRef: { name: slack, key: bot-token }
    appTokenSecretRef: { name: slack, key: app-token }
    apiUrl: ${slack.apiUrl}
`,
    );
    return file;
  };
  const doctor = (file: string, ...more: string[]) =>
    run('doctor', '--config', file, '--set', `secrets.dir=${join(folder, 'secrets')}`, ...more);
  return { config, secret, doctor, folder, agent };
}

test('doctor: all is well, for people and for programs', async (t) => {
  const { config, doctor, agent } = await workspace(t);
  const { code, out, err } = await doctor(config({}));
  assert.equal(err, '');
  assert.deepEqual(out.split('\n'), [
    'ok    configuration: binding ops on slack',
    `ok    binding ops: agent research at ${agent.url} answers: Demo agent 1.0.0, A2A 1.0, streaming`,
    'ok    platform slack: the bot token is good: @kourier in Acme',
    'ok    platform slack: all 15 scopes are granted',
    'ok    platform slack: the app token opens Socket Mode',
    'ok    platform slack: binding ops: channel C0OPS (#ops): the bot is in it',
    '',
  ]);
  assert.equal(code, 0);
  const json = JSON.parse((await doctor(config({}), '--json')).out) as { ok: boolean; checks: readonly unknown[] };
  assert.equal(json.ok, true);
  assert.equal(json.checks.length, 6);
});

test('doctor: an agent that is down, a wrong token and a channel without the bot are each told, and no secret', async (t) => {
  const { config, doctor, secret } = await workspace(t);
  const down = await doctor(config({ url: 'http://127.0.0.1:9', channel: CHANNELS.elsewhere }));
  assert.equal(down.code, 1);
  assert.match(
    down.out,
    /^FAIL {2}binding ops: agent research at http:\/\/127\.0\.0\.1:9 shows no card: .*ECONNREFUSED.* {2}→ start it, or correct its url or card\.url$/m,
  );
  assert.match(
    down.out,
    /^FAIL {2}.*\(#elsewhere\): the bot is not in it {2}→ write \/invite @kourier in #elsewhere$/m,
  );
  secret('bot-token', 'xoxb-hush-hush');
  const refused = await doctor(config({}));
  assert.equal(refused.code, 1);
  assert.match(refused.out, /^FAIL {2}platform slack: the bot token is refused: invalid_auth {2}→ install the app/m);
  assert.doesNotMatch(refused.out + refused.err, /hush/);
});

test('doctor: a configuration that cannot be read is a finding', async (t) => {
  const { config, doctor, secret } = await workspace(t);
  secret('bot-token', 'xoxp-hush-hush');
  const file = config({ channel: '"#ops"' });
  const { code, out } = await doctor(file);
  assert.equal(code, 1);
  assert.deepEqual(out.split('\n'), [
    `FAIL  configuration: ${file}:9: Binding ops: chat.channels[0] #ops is no id of a channel  → write the channel's id, as C0123ABCD (in Slack: the channel's name, About, at the end)`,
    `FAIL  configuration: ${file}:17: ChatPlatform slack: the value of secret slack, key bot-token, is no bot token  → write the Bot User OAuth Token, which begins with xoxb- (app settings: OAuth & Permissions)`,
    '',
  ]);
});

test('slack manifest: YAML says the same as JSON, and mode http where Slack calls', async () => {
  const printed = async (...args: string[]) => (await run('slack', 'manifest', ...args)).out;
  assert.deepEqual(parse(await printed('--format', 'yaml')), JSON.parse(await printed()));
  const { settings } = JSON.parse(await printed('--url', 'https://kourier.example/')) as {
    settings: Record<string, Record<string, unknown> | boolean>;
  };
  assert.equal(settings['socket_mode_enabled'], false);
  assert.deepEqual(settings['interactivity'], {
    is_enabled: true,
    request_url: 'https://kourier.example/slack/interactivity',
  });
  assert.match(
    JSON.stringify(settings['event_subscriptions']),
    /"request_url":"https:\/\/kourier\.example\/slack\/events"/,
  );
});
