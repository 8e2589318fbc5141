import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { CARD, type Carried, carry, messages, TestGateway } from '../../test/gateway.ts';
import { serve } from '../../test/served-agent.ts';
import { AgentBuilder, AgentServer, type AgentServerOptions, type VerifyInbound } from '../index.ts';

const HEADER = 'a2a-forwarded-identity';
const REFUSED = '{"error":"verified gateway identity is required"}';
const JSON_RPC = '/a2a/jsonrpc';

async function* thinks() {
  yield { reasoning: 'hm' };
  yield 'done';
}

/** The agent as a fetch handler, below a base path. */
async function handler(t: TestContext, options: Partial<AgentServerOptions>) {
  const agent = new AgentBuilder({ name: 'Test', description: 'An agent of a test.' }).answer(thinks);
  const server = new AgentServer(agent, { url: 'https://agent.example', onError: () => undefined, ...options });
  await server.open();
  t.after(() => server.close());
  return async ({ method, path, body }: Carried, headers: Record<string, string> = {}) => {
    const init = { method, headers, ...(body === undefined ? {} : { body }) };
    const response = await server.fetch(new Request(`https://agent.example${path}`, init));
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
}

test('A5 a fetch handler demands the same, below a base path, which is a part of what is signed', async (t) => {
  const gateway = new TestGateway();
  const asked = await handler(t, { inbound: gateway.callers(), protocols: ['1.0', '0.3'], basePath: '/agents/echo' });
  for (const [name, { carried: bare, headers }] of Object.entries(messages('hello'))) {
    const carried = { ...bare, path: `/agents/echo${bare.path}` };
    const refused = await asked(carried, headers);
    assert.deepEqual([refused.status, refused.text], [401, REFUSED], name);
    const short = await asked(carried, { ...headers, [HEADER]: gateway.token(bare) });
    assert.deepEqual([short.status, short.text], [401, REFUSED], `${name}, signed without the base path`);
    const token = gateway.token(carried);
    assert.equal((await asked(carried, { ...headers, [HEADER]: token })).status, 200, name);
    assert.equal((await asked(carried, { ...headers, [HEADER]: token })).status, 401, `${name}, again`);
  }
  const card = { method: 'GET', path: '/agents/echo/.well-known/agent-card.json?A2A-Version=1.0' };
  assert.equal((await asked(card)).text, REFUSED);
  assert.equal((await asked(card, { [HEADER]: gateway.token(card) })).status, 200);
  const outside = { method: 'GET', path: '/elsewhere' };
  assert.equal((await asked(outside, { [HEADER]: gateway.token(outside) })).text, REFUSED);
});

test('A5 a probe gets the card in each of its places, and nothing else', async (t) => {
  const gateway = new TestGateway();
  let turns = 0;
  const turn = async () => {
    turns += 1;
    return 'done';
  };
  const { url } = await serve(t, turn, { inbound: gateway.callers(), protocols: ['1.0', '0.3'] });
  const probed = (carried: Carried, headers: Record<string, string> = {}) =>
    carry(url, carried, { ...headers, [HEADER]: gateway.token(carried, { kind: 'probe', sub: 'gateway' }) });
  for (const carried of [CARD, { ...CARD, method: 'HEAD' }, { ...CARD, path: '/.well-known/agent.json' }])
    assert.equal((await probed(carried)).status, 200);
  for (const { carried, headers } of Object.values(messages('hello'))) {
    const { status, text } = await probed(carried, headers);
    assert.deepEqual([status, text], [401, REFUSED]);
  }
  for (const path of ['/a2a/v1/tasks', '/a2a/v1/extendedAgentCard', '/nothing'])
    assert.equal((await probed({ method: 'GET', path })).status, 401, path);
  assert.equal(turns, 0);
});

test('A5 a verifier that throws refuses in the same words, and what it threw is reported', async (t) => {
  const failures: unknown[] = [];
  const broken = new Error('no directory');
  for (const inbound of [
    async () => Promise.reject(broken),
    () => {
      throw broken;
    },
  ] as VerifyInbound[]) {
    const { url } = await serve(t, thinks, { inbound, onError: (error) => void failures.push(error) });
    const [{ carried, headers } = { carried: CARD, headers: {} }] = Object.values(messages('hello'));
    for (const each of [carried, CARD]) {
      const { status, text } = await carry(url, each, { ...headers, [HEADER]: 'x' });
      assert.deepEqual([status, text], [401, REFUSED]);
    }
  }
  assert.deepEqual(failures, [broken, broken, broken, broken]);
  const gateway = new TestGateway();
  const throws = () => {
    throw broken;
  };
  const { url } = await serve(t, thinks, { inbound: gateway.callers({ onRefused: throws }) });
  assert.equal((await carry(url, CARD)).text, REFUSED, 'nor does who listens to it let anybody in');
});

test('what a turn gets is the body that was verified, and what was not read of it is not waited for', async (t) => {
  const gateway = new TestGateway();
  const heard = Promise.withResolvers<string>();
  const { url } = await serve(t, thinks, {
    inbound: gateway.callers({ onRefused: (why) => why === 'body' && heard.resolve(why) }),
    onError: () => heard.resolve('reported'),
  });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  // The head alone: a body of which nothing comes is not read before the token has been.
  socket.write(`POST ${JSON_RPC} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n`);
  const [answer] = await once(socket.setEncoding('utf8'), 'data');
  assert.match(String(answer), /^HTTP\/1\.1 401 /);
  // A connection that breaks in the middle of a body that a token speaks of ends there, and the agent goes on.
  const carried = { method: 'POST', path: JSON_RPC, body: 'x'.repeat(900) };
  const half = connect(Number(new URL(url).port), '127.0.0.1');
  await once(half, 'connect');
  const head = `POST ${JSON_RPC} HTTP/1.1\r\nHost: a\r\n${HEADER}: ${gateway.token(carried)}\r\nContent-Length: 900\r\n\r\nxxx`;
  await new Promise<void>((resolve) => half.write(head, () => resolve()));
  half.destroy();
  assert.equal(await heard.promise, 'body', 'which is no fault of the agent');
  assert.equal((await carry(url, CARD, { [HEADER]: gateway.token(CARD) })).status, 200);
});

test('A8 behind a gateway what a model thought stays inside, unless it is asked for', async (t) => {
  const gateway = new TestGateway();
  const [{ carried, headers } = { carried: CARD, headers: {} }] = Object.values(messages('hello'));
  const artifacts = async (options: Partial<AgentServerOptions>) => {
    const asked = await handler(t, { inbound: gateway.callers(), ...options });
    const { text } = await asked(carried, { ...headers, [HEADER]: gateway.token(carried) });
    return JSON.parse(text).result.task.artifacts.length;
  };
  assert.equal(await artifacts({}), 1);
  assert.equal(await artifacts({ includeReasoning: true }), 2);
});

test('C6 the fuller card is for whom the gateway verified', async (t) => {
  const gateway = new TestGateway();
  const extendedCard = ({ id }: { readonly id: string }) => ({ name: `for ${id}` });
  const asked = await handler(t, { inbound: gateway.callers(), extendedCard });
  const carried = { method: 'GET', path: '/a2a/v1/extendedAgentCard?A2A-Version=1.0' };
  const { text } = await asked(carried, { [HEADER]: gateway.token(carried) });
  assert.deepEqual(JSON.parse(text), { name: 'for acme/north/user/ada' });
  const card = await asked(CARD, { 'a2a-version': '1.0', [HEADER]: gateway.token(CARD) });
  assert.equal(JSON.parse(card.text).capabilities.extendedAgentCard, true);
});

test('two who say who calls are one too many', async () => {
  const both = { inbound: new TestGateway().callers(), authenticate: () => ({ id: 'ada' }) };
  const agent = new AgentBuilder({ name: 'Test', description: 'An agent of a test.' }).answer(thinks);
  assert.throws(() => new AgentServer(agent, { url: 'https://agent.example', ...both }), /give one of them/);
});
