import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { AgentCard } from '@a2a-js/sdk';
import { bodySha256, FORWARDED_IDENTITY_TYPE, identityClaims } from '@agentkourier/a2a/forwarded-identity';
import { Client } from '@agentkourier/agent';
import { sealIn } from '../src/adapters/identity/seal/seal-in.ts';
import { folderFor, KOURIER } from './process/product-process.ts';

const SDK = fileURLToPath(new URL('../../agent/src/index.ts', import.meta.url));

const BUILT = `
import { AgentBuilder } from ${JSON.stringify(SDK)};
export const agent = new AgentBuilder({ name: 'Built', description: 'A test.', version: '2.0.0' }).skill(
  { id: 'think', name: 'Think', description: 'Thinks aloud.', tags: ['thought'] },
  async function* ({ text }) {
    yield { reasoning: 'hm' };
    yield text.toUpperCase();
  },
);
`;

function moduleFor(t: TestContext, text: string): string {
  const file = join(folderFor(t), 'my-agent.ts');
  writeFileSync(file, text);
  return file;
}

function card(module: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [KOURIER, 'a2a', 'card', module, ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('A1 the card of a module has what it says and nothing else, and the official SDK reads the same', (t) => {
  const module = moduleFor(t, BUILT);
  const { status, stdout, stderr } = card(module, '--url', 'https://agent.example.com/x/');
  assert.deepEqual([status, stderr], [0, '']);
  const printed: Record<string, unknown> = JSON.parse(stdout);
  assert.deepEqual(
    { ...printed },
    {
      name: 'Built',
      description: 'A test.',
      version: '2.0.0',
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      supportedInterfaces: [
        { url: 'https://agent.example.com/x/a2a/jsonrpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url: 'https://agent.example.com/x/a2a/v1', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
      ],
      capabilities: { streaming: true, pushNotifications: false },
      skills: [{ id: 'think', name: 'Think', description: 'Thinks aloud.', tags: ['thought'] }],
    },
  );
  const reparsed = AgentCard.toJSON(AgentCard.fromJSON(printed)) as Record<string, unknown>;
  for (const key of Object.keys(printed)) assert.deepEqual(reparsed[key], printed[key], key);
});

test('the command line says what the module does not, and --protocol 0.3 prints that card', (t) => {
  const module = moduleFor(t, 'export default async function* ({ text }) { yield text }');
  const url = ['--url', 'https://agent.example.com'];
  const plain = JSON.parse(card(module, ...url).stdout);
  assert.deepEqual([plain.name, plain.skills[0].id], ['my-agent', 'answer']);
  const words = ['--name', 'research-agent', '--description', 'Answers.', '--skill', 'research', '--skill', 'write'];
  const named = JSON.parse(card(module, ...url, ...words, '--protocol', '0.3').stdout);
  assert.deepEqual([named.name, named.description, named.protocolVersion], ['research-agent', 'Answers.', '0.3.0']);
  assert.equal(named.url, 'https://agent.example.com/a2a/jsonrpc');
  assert.equal(named.supportedInterfaces, undefined);
  const research = { id: 'research', name: 'Research', description: 'Skill: research', tags: ['research'] };
  assert.deepEqual(named.skills[0], research);
});

test('a module without an agent is wrong usage, in one line', (t) => {
  for (const [text, why] of [
    ['export const nothing = 1;', /exports no agent; export a turn/],
    ['throw new Error("first\\nsecond");', /cannot be loaded: first/],
  ] as const) {
    const { status, stderr } = card(moduleFor(t, text), '--url', 'http://h');
    assert.equal(status, 2);
    assert.match(stderr, why);
    assert.equal(stderr.trimEnd().split('\n').length, 1);
  }
  assert.match(card('/nowhere/agent.ts', '--url', 'http://h').stderr, /cannot be loaded/);
});

async function serve(t: TestContext, module: string, ...args: string[]) {
  const child: ChildProcess = spawn(process.execPath, [KOURIER, 'a2a', 'serve', module, '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  assert(child.stdout && child.stderr);
  const { stderr } = child;
  let complaints = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  /** All that it said once this is in it: it comes another way than an answer. */
  const complained = async (pattern: RegExp): Promise<string> => {
    while (!pattern.test(complaints)) await once(stderr, 'data');
    return complaints;
  };
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const url = /^kourier: serving .+ on (http:\/\/\S+)$/.exec(String(line))?.[1];
  assert(url, String(line));
  return { url, child, ended, complained, complaints: () => complaints };
}

for (const binding of ['JSONRPC', 'HTTP+JSON'] as const) {
  test(`A2 a served module is called at the ${binding} interface of its card, and SIGTERM ends it well`, async (t) => {
    const { url, child, ended, complaints } = await serve(t, moduleFor(t, BUILT));
    const client = await Client.connect(url, { prefer: { binding } });
    const result = await client.sendMessage('hello');
    assert(result.kind === 'finished' && 'task' in result);
    assert.deepEqual(
      result.task.artifacts.map(({ artifactId }) => artifactId),
      ['reasoning', 'answer'],
    );
    assert.equal((await fetch(`${url}/.well-known/agent.json`)).status, 404);
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
    assert.equal(complaints(), '');
  });
}

test('with --protocol 0.3 it speaks that version, and with --data a paused task outlives the process', async (t) => {
  const module = moduleFor(t, `export default async ({ ask }) => 'Hello ' + (await ask('Who?'));`);
  const args = ['--protocol', '0.3', '--data', join(folderFor(t), 'kept')];
  const first = await serve(t, module, ...args);
  const asked = await (await Client.connect(first.url)).sendMessage('hi');
  assert(asked.kind === 'paused');
  const beside = spawnSync(process.execPath, [KOURIER, 'a2a', 'serve', module, '--port', '0', ...args], {
    encoding: 'utf8',
  });
  assert.equal(beside.status, 1);
  assert.match(beside.stderr, /^kourier: .*tasks\.db.*\n$/);
  first.child.kill('SIGKILL');
  await first.ended;
  const second = await serve(t, module, ...args);
  const client = await Client.connect(second.url);
  const answered = await client.sendMessage({ parts: 'Ada', taskId: asked.task.id ?? '' });
  assert(answered.kind === 'finished' && 'task' in answered);
  const [part] = answered.task.artifacts[0]?.parts ?? [];
  assert.equal(part?.kind === 'text' && part.text, 'Hello Ada');
});

test('A8 --no-include-reasoning keeps it inside; a wider host says that nothing guards it', async (t) => {
  const { url, complained } = await serve(t, moduleFor(t, BUILT), '--no-include-reasoning', '--host', '0.0.0.0');
  const here = url.replace('0.0.0.0', '127.0.0.1');
  const card = (await (await fetch(`${here}/.well-known/agent-card.json`)).json()) as Record<string, unknown>;
  assert.equal(card['name'], 'Built');
  const response = await fetch(`${here}/a2a/v1/message:send`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify({ message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] } }),
  });
  assert.doesNotMatch(await response.text(), /hm|adk_thought/);
  await complained(/open to whoever reaches this machine on 0\.0\.0\.0: nothing guards it/);
  // Case C008: every address of this machine is the address of none.
  await complained(/its card names http:\/\/0\.0\.0\.0:\d+, .*write --url/);
  const named = await serve(t, moduleFor(t, BUILT), '--host', '0.0.0.0', '--url', 'https://agents.example/built');
  assert.doesNotMatch(named.complaints(), /its card names/);
});

test('a turn that throws: its caller reads a constant text, and the log has all of it', async (t) => {
  const thrown = `throw new Error('the key is wrong', { cause: new Error('401 of the model') })`;
  const { url, complained } = await serve(t, moduleFor(t, `export default async () => { ${thrown}; };`));
  const result = await (await Client.connect(url)).sendMessage('hello');
  assert(result.kind === 'finished' && 'task' in result);
  assert.equal(result.task.state, 'failed');
  assert.doesNotMatch(JSON.stringify(result), /the key is wrong|401 of the model/);
  const { event, task, context, error } = JSON.parse(await complained(/\n$/));
  assert.deepEqual([event, task, context], ['turn-failed', result.task.id, result.task.contextId]);
  assert.match(error, /^Error: the key is wrong\n {4}at .*my-agent\.ts:.*cause.*401 of the model/s);
});

const TARGET = { account: 'acme', tenant: '', agent: 'echo', runtime: 'echo-1', registration: 'space-demo/echo' };
const MESSAGE = JSON.stringify({ message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] } });

/** A gateway with a key of its own, and what it says of the message to a served module; the module knows it by a file. */
async function gatewayFor(t: TestContext) {
  const seal = sealIn(folderFor(t));
  const place = createServer((_request, response) => response.end(JSON.stringify(seal.jwks)));
  place.listen(0, '127.0.0.1');
  await once(place, 'listening');
  t.after(() => place.close());
  const keysUrl = `http://127.0.0.1:${(place.address() as AddressInfo).port}/.well-known/jwks.json`;
  const file = (text: object | string): string => {
    const path = join(folderFor(t), 'gateway.json');
    writeFileSync(path, typeof text === 'string' ? text : JSON.stringify(text));
    return path;
  };
  const send = (url: string, jti: string): Promise<Response> => {
    const iat = Math.floor(Date.now() / 1_000);
    const claims = identityClaims({
      ...{ iss: 'https://gateway.example', iat, exp: iat + 30, jti, ...TARGET, sub: 'ada', kind: 'user' },
      ...{ htm: 'POST', htu: '/a2a/v1/message:send', bodySha256: bodySha256(MESSAGE) },
    });
    const headers = {
      'content-type': 'application/json',
      'a2a-version': '1.0',
      'a2a-forwarded-identity': seal.sign(FORWARDED_IDENTITY_TYPE, claims),
    };
    return fetch(`${url}/a2a/v1/message:send`, { method: 'POST', headers, body: MESSAGE });
  };
  return { seal, keysUrl, file, send, options: { issuer: 'https://gateway.example', ...TARGET } };
}

test('A5 --inbound takes what a gateway carries, and nothing else; each reason is said once; A8 thoughts stay inside', async (t) => {
  const { keysUrl, file, send, options } = await gatewayFor(t);
  const args = ['--inbound', file({ ...options, keysUrl }), '--host', '0.0.0.0', '--url', 'http://agent.example'];
  const { url, child, ended, complaints } = await serve(t, moduleFor(t, BUILT), ...args);
  const here = url.replace('0.0.0.0', '127.0.0.1');
  for (let calls = 0; calls < 3; calls += 1) {
    const refused = await fetch(`${here}/.well-known/agent-card.json`);
    assert.deepEqual(
      [refused.status, await refused.text()],
      [401, '{"error":"verified gateway identity is required"}'],
    );
  }
  const sent = await send(here, 'j1');
  assert.equal(sent.status, 200);
  const text = await sent.text();
  assert.match(text, /"X"/);
  assert.doesNotMatch(text, /hm|adk_thought/);
  assert.equal((await send(here, 'j1')).status, 401, 'again');
  child.kill('SIGTERM');
  await ended;
  const said = (why: string) =>
    `kourier: a call was refused (${why}); docs/inbound.md says what to do. This is said once.\n`;
  assert.equal(complaints(), said('no-identity') + said('used'));
});

test('A5 an agent whose gateway gives no keys lets nobody in, and says why', async (t) => {
  const { seal, file, send, options } = await gatewayFor(t);
  const nowhere = await serve(
    t,
    moduleFor(t, BUILT),
    '--inbound',
    file({ ...options, keysUrl: 'http://127.0.0.1:1/' }),
  );
  assert.equal((await send(nowhere.url, 'j1')).status, 401);
  nowhere.child.kill('SIGTERM');
  await nowhere.ended;
  assert.match(
    nowhere.complaints(),
    /refused \(no-keys: the gateway's keys cannot be had from http:\/\/127.0.0.1:1\/\)/,
  );
  const given = await serve(t, moduleFor(t, BUILT), '--inbound', file({ ...options, keys: seal.jwks }));
  assert.equal((await send(given.url, 'j1')).status, 200);
});

test('a file of --inbound that is none is wrong usage, in one line that names it', async (t) => {
  const { file, options } = await gatewayFor(t);
  const path = file(options);
  const args = [KOURIER, 'a2a', 'serve', moduleFor(t, BUILT), '--port', '0', '--inbound', path];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const why = "the gateway's keys must be given: keys or keysUrl, one of the two";
  assert.deepEqual([status, stderr], [2, `kourier: ${path}: ${why}; write the options of docs/inbound.md\n`]);
});
