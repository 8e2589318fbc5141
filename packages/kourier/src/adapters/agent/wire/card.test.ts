import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { json, raw, reply, silence, status } from '../../../../contract/http-agent.ts';
import { renderCard } from '../../../../contract/render-wire.ts';
import { BINDING, callOptions, overHttp, SPAN_ID, TRACE_ID } from '../../../../test/agent-over-http.ts';
import type { ContextId, MessageId, TaskId } from '../../../core/thread/ids.ts';
import type { Agent } from '../../../ports/agent.ts';

const TASK = 'task-1' as TaskId;
const HITL = 'https://kagent.dev/extensions/hitl/v1';
const done = reply({ result: { id: TASK, status: { state: 'completed' } } });

const read = (agent: Agent) => agent.getTask(TASK, callOptions());
const whyOf = async (agent: Agent) => {
  const reading = await read(agent);
  return reading.kind === 'task' ? 'task' : `${reading.kind}: ${reading.why}`;
};

describe('where', () => {
  test('C011 the card is below the endpoint, joined, without its query and slashes; calls go to the endpoint as written', async (t) => {
    for (const [path, card] of [
      ['/tenant/agent', '/tenant/agent/.well-known/agent-card.json'],
      ['/tenant//', '/tenant/.well-known/agent-card.json'],
      ['/', '/.well-known/agent-card.json'],
      ['/agent?key=1', '/agent/.well-known/agent-card.json'],
    ] as const) {
      const { http, agent } = await overHttp(t, '1.0', { path });
      http.on('get', done);
      assert.equal((await read(agent)).kind, 'task');
      assert.deepEqual(
        http.calls.map((call) => call.path),
        [card, path],
      );
    }
  });

  test('C008, D7 whatever address the card names, calls go to the endpoint', async (t) => {
    for (const url of [
      'http://[::]:8080/invoke',
      'http://0.0.0.0:1/',
      'http://agent-0.agents:80/',
      'http://127.0.0.1:9/x',
    ]) {
      const { http, agent } = await overHttp(t, '1.0', { path: '/here' });
      const supportedInterfaces = [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
      http.on('card', json({ ...(renderCard('1.0') as object), supportedInterfaces })).on('get', done);
      assert.equal((await read(agent)).kind, 'task');
      assert.equal(http.calls.at(-1)?.path, '/here');
    }
  });

  test('kagent-v1 adds namespace and name', async (t) => {
    const { http, agent } = await overHttp(t, '1.0', {
      path: '/base/',
      backend: { dialect: 'kagent-v1' },
      binding: { agent: { namespace: 'a b', name: '../x' } },
    });
    http.on('get', done);
    assert.equal((await read(agent)).kind, 'task');
    const endpoint = '/base/agents/a%20b/..%2Fx';
    assert.deepEqual(
      http.calls.map((call) => call.path),
      [`${endpoint}/.well-known/agent-card.json`, endpoint],
    );
  });

  test('decision 1: the backend may name another place', async (t) => {
    const { http, configure, agents } = await overHttp(t, '1.0');
    configure({ backend: { cardUrl: `${http.origin}/cards/x/.well-known/agent-card.json?v=1` } });
    const agent = agents.agentFor(BINDING);
    assert.ok(agent);
    http.on('other', json(renderCard('1.0'))).on('get', done);
    assert.equal((await read(agent)).kind, 'task');
    assert.deepEqual(
      http.calls.map((call) => call.path),
      ['/cards/x/.well-known/agent-card.json?v=1', '/agent'],
    );
  });

  test('C010 a card that stands at the origin is only told of, and looked for once', async (t) => {
    const { http, agent } = await overHttp(t, '1.0');
    http.on('card', status(404), json(renderCard('1.0')), raw('<html>', 'text/html'));
    assert.match(
      await whyOf(agent),
      /^not-sent: .*404.*a card stands at \/\.well-known\/agent-card\.json of the origin/,
    );
    assert.match(await whyOf(agent), /^not-sent: agent card: not JSON$/);
    assert.equal(http.seen('card').length, 3);
    assert.equal(http.seen('get').length, 0);
  });

  test('a url that cannot be called is not sent', async (t) => {
    for (const url of ['', 'ftp://h/', 'file:///etc/passwd', 'http://127.0.0.1:1/']) {
      const { agent } = await overHttp(t, '1.0', { backend: { url } });
      assert.equal((await read(agent)).kind, 'not-sent');
    }
  });
});

describe('when', () => {
  test('once, also for calls that come together, and again only when what rule D8 names changes', async (t) => {
    const { http, agent, agents, configure } = await overHttp(t, '1.0');
    http.on('get', ...Array(6).fill(done));
    await Promise.all([read(agent), read(agent), read(agent)]);
    assert.equal(http.seen('card').length, 1);
    configure({
      timings: { streamIdleMs: 1_000 },
      binding: { chat: { platform: 'slack', channels: ['C1'], directMessages: false } },
    });
    assert.equal(agents.agentFor(BINDING), agent);
    configure({ binding: { identity: { userId: 'alice' } } });
    const other = agents.agentFor(BINDING);
    assert.ok(other !== undefined && other !== agent);
    await read(other);
    assert.equal(http.seen('card').length, 2);
    assert.equal(agents.agentFor('nobody'), undefined);
  });

  test('a failed fetch is tried again by the next call', async (t) => {
    const { http, agent, agents } = await overHttp(t, '1.0');
    http.on('card', status(503, { 'retry-after': '3' })).on('get', done);
    assert.deepEqual(await read(agent), { kind: 'not-sent', retryAfterMs: 3_000, why: 'agent card: HTTP 503' });
    assert.equal(agents.describe(BINDING), undefined);
    assert.equal((await read(agent)).kind, 'task');
    assert.deepEqual(agents.describe(BINDING), {
      name: 'Contract agent',
      description: 'Answers what its script says.',
      version: '1.0.0',
      protocolVersion: '1.0',
    });
  });

  test('headers of a card that come late are a failed fetch', async (t) => {
    const { http, agent } = await overHttp(t, '1.0', { timings: { responseHeadersMs: 40 } });
    http.on('card', silence);
    assert.match(await whyOf(agent), /^not-sent: agent card: no response headers/);
  });
});

describe('what', () => {
  test('C022, C113 a redirect is not followed, and its target is told', async (t) => {
    const { http, agent } = await overHttp(t, '1.0');
    http.on('card', status(307, { location: '/agent/' }));
    assert.match(await whyOf(agent), /^not-sent: .*redirects are not followed; it pointed to \/agent\/$/);
    http.on('get', status(301, { location: 'http://other.example/x?token=1' }));
    assert.match(await whyOf(agent), /^not-sent: .*pointed to http:\/\/other\.example\/x$/);
    assert.equal(http.calls.length, 3);
  });

  test('rejected credentials are just that', async (t) => {
    const { http, agent } = await overHttp(t, '1.0');
    http.on('card', status(401), status(403));
    assert.match(await whyOf(agent), /^credentials: /);
    assert.match(await whyOf(agent), /^credentials: /);
  });

  test('C001, C011 what is no card is not sent, and says why', async (t) => {
    const { http, agent } = await overHttp(t, '1.0', { path: '/' });
    http.on('card', json({}), raw('x'), status(405, {}, '<html>'), json({ x: 'y'.repeat(1_100_000) }));
    assert.match(
      await whyOf(agent),
      /^not-sent: not an agent card: \$\.name missing, .*\$\.capabilities missing, .*\$\.skills missing$/,
    );
    assert.match(await whyOf(agent), /^not-sent: agent card: not JSON/);
    assert.match(await whyOf(agent), /^not-sent: agent card: HTTP 405/);
    assert.match(await whyOf(agent), /^not-sent: agent card: over/);
  });

  test('C002, D1, D3, D4 an agent that cannot be used is refused in the words of the contract, and asked again', async (t) => {
    const { http, agent } = await overHttp(t, '1.0');
    const required = [
      { uri: HITL, required: true },
      { uri: 'u:x', required: true },
    ];
    http.on(
      'card',
      json(
        renderCard('1.0', {
          supportedInterfaces: [{ url: 'http://h', protocolBinding: 'GRPC', protocolVersion: '1.0' }],
        }),
      ),
      json(renderCard('1.0', { capabilities: { streaming: 'yes' } })),
      json(renderCard('1.0', { capabilities: { streaming: true, extensions: required } })),
    );
    assert.equal(await whyOf(agent), 'refused: agent card lists no JSON-RPC interface');
    assert.match(await whyOf(agent), /^refused: .*streaming/);
    assert.equal(await whyOf(agent), 'refused: agent requires an unsupported extension');
    http.on('get', done);
    assert.equal((await read(agent)).kind, 'task');
  });

  test('C140 the wire is chosen by numbers', async (t) => {
    for (const [protocolVersion, method] of [
      ['0.3.0', 'tasks/get'],
      ['0.30', 'tasks/get'],
      ['1', 'GetTask'],
    ] as const) {
      const { http, agent } = await overHttp(t, '0.3');
      http.on('card', json(renderCard('0.3', { protocolVersion }))).on('get', done);
      await read(agent);
      assert.equal(http.seen('get')[0]?.body.method, method);
    }
  });
});

describe('headers', () => {
  test('C112, C139 identity, static headers, version and trace go with every call, the card too', async (t) => {
    for (const wire of ['1.0', '0.3'] as const) {
      const { http, agent } = await overHttp(t, wire, { backend: { headers: [{ name: 'X-Team', value: 'ops' }] } });
      http.on('get', done).on('cancel', done);
      await agent.send({ messageId: 'm' as MessageId, text: '' }, () => 'more', callOptions());
      await agent.subscribe(TASK, () => 'more', callOptions());
      await agent.getTask(TASK, callOptions());
      await agent.cancelTask(TASK, callOptions());
      await agent.findTurn({ contextId: 'c' as ContextId, messageId: 'm' as MessageId }, callOptions());
      assert.equal(http.calls.length, wire === '1.0' ? 6 : 5);
      for (const { headers, method } of http.calls) {
        assert.equal(headers.authorization, 'Bearer secret');
        assert.equal(headers['x-team'], 'ops');
        assert.equal(headers['traceparent'], `00-${TRACE_ID}-${SPAN_ID}-01`);
        assert.equal(headers['a2a-version'], method === 'card' ? '1.0' : wire);
        assert.equal(headers['a2a-extensions'], undefined);
      }
    }
  });

  test('C116 the extension is asked for when the card lists it, by both names on 0.3', async (t) => {
    for (const wire of ['1.0', '0.3'] as const) {
      const { http, agent } = await overHttp(t, wire);
      http
        .on('card', json(renderCard(wire, { capabilities: { streaming: true, extensions: [{ uri: HITL }] } })))
        .on('get', done);
      await read(agent);
      const headers = http.seen('get')[0]?.headers;
      assert.equal(headers?.['a2a-extensions'], HITL);
      assert.equal(headers?.['x-a2a-extensions'], wire === '0.3' ? HITL : undefined);
    }
  });

  test('a static header changes neither framing nor identity, and cannot hold a line end', async (t) => {
    const headers = [
      { name: 'Content-Type', value: 'text/plain' },
      { name: 'Host', value: 'evil.example' },
      { name: 'Authorization', value: 'Bearer other' },
      { name: 'X-Good', value: 'yes' },
    ];
    const { http, agent } = await overHttp(t, '1.0', { backend: { headers } });
    http.on('get', done);
    await read(agent);
    const seen = http.seen('get')[0]?.headers;
    assert.equal(seen?.['content-type'], 'application/json');
    assert.equal(`http://${seen?.host}`, http.origin);
    assert.equal(seen?.authorization, 'Bearer secret');
    assert.equal(seen?.['x-good'], 'yes');
    const forged = await overHttp(t, '1.0', { backend: { headers: [{ name: 'X-A', value: 'a\r\nX-B: b' }] } });
    assert.match(await whyOf(forged.agent), /^not-sent: a header cannot be sent/);
    assert.equal(forged.http.calls.length, 0);
  });
});

test('rules S1 to S5: what a send says', async (t) => {
  const { http, agent } = await overHttp(t, '1.0');
  const actor = { id: 'u1', name: 'Ann', platform: 'web' };
  const message = { messageId: 'm' as MessageId, text: 'Hi', contextId: 'c' as ContextId, actor };
  await agent.send(message, () => 'more', callOptions());
  const { id, params } = http.seen('send')[0]?.body ?? {};
  assert.equal(typeof id, 'string');
  assert.deepEqual(params, {
    message: {
      messageId: 'm',
      contextId: 'c',
      metadata: { 'agentkourier.dev/actor': actor },
      role: 'ROLE_USER',
      parts: [{ text: 'Hi' }],
    },
  });
});
