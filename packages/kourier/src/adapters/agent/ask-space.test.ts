import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { callOptions, TRACE_ID } from '../../../test/agent-over-http.ts';
import type { AgentId, TaskId } from '../../core/thread/ids.ts';
import { DEFAULT_TIMINGS } from '../../core/timings.ts';
import type { Binding, Registry, SpacePick } from '../../ports/registry.ts';
import { type A2aAgents, a2aAgents } from './a2a-agents.ts';

interface Asked {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

interface OverSpace {
  readonly agents: A2aAgents;
  readonly asked: Asked[];
}

/** A binding `ops` on a Space whose gateway answers as the test says. */
async function overSpace(
  t: TestContext,
  answer: (response: ServerResponse) => void,
  { pick = { by: 'message' }, key }: { pick?: SpacePick; key?: string } = {},
): Promise<OverSpace> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      asked.push({ url: request.url ?? '', headers: request.headers, body: body === '' ? '' : JSON.parse(body) });
      answer(response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/gateway/`;
  const binding: Binding = {
    name: 'ops',
    space: { name: 'work', url, id: 'space-demo', pick, ...(key === undefined ? {} : { key }) },
    chat: { platform: 'web', channels: [], directMessages: false },
    interactions: {},
  };
  const configuration = {
    bindings: new Map([['ops', binding]]),
    platforms: new Map(),
    timings: { ...DEFAULT_TIMINGS, responseHeadersMs: 60_000 },
    store: { kind: 'sqlite' },
  } as const;
  const registry: Registry = { current: () => configuration, watch: () => () => undefined, problems: () => [] };
  const agents = a2aAgents({ registry, spanId: () => '00f067aa0ba902b7' });
  t.after(async () => {
    await agents.close();
    server.closeAllConnections();
    server.close();
  });
  return { agents, asked };
}

const says =
  (value: unknown, status = 200, headers = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));

const weather = says({ outcome: 'agent', agent: { agentId: 'weather', url: 'https://elsewhere.example' } });

test('the Space is asked with what was written, by whom the key says, as a span of the trace', async (t) => {
  const { agents, asked } = await overSpace(t, weather, { key: 'sk-1' });
  assert.deepEqual(await agents.choose('ops', 'Rain in Oslo?', callOptions()), {
    kind: 'agent',
    agent: 'space-demo/weather',
  });
  const [call] = asked;
  assert.equal(call?.url, '/gateway/api/v1/spaces/space-demo/route');
  assert.deepEqual(call?.body, { text: 'Rain in Oslo?' });
  assert.equal(call?.headers.authorization, 'Bearer sk-1');
  assert.match(String(call?.headers['traceparent']), new RegExp(TRACE_ID));
});

test('a skill is asked for with the words, and an agent that is named is not asked for at all', async (t) => {
  const bySkill = await overSpace(t, weather, { pick: { by: 'skill', skillId: 'forecast' } });
  await bySkill.agents.choose('ops', 'Rain?', callOptions());
  assert.deepEqual(bySkill.asked[0]?.body, { text: 'Rain?', skillId: 'forecast' });
  assert.equal(bySkill.asked[0]?.headers.authorization, undefined, 'the local mode of a Space knows no callers');
  const named = await overSpace(t, weather, { pick: { by: 'agent', agentId: 'billing' } });
  const choice = await named.agents.choose('ops', 'Rain?', callOptions());
  assert.deepEqual([choice, named.asked], [{ kind: 'agent', agent: 'space-demo/billing' }, []]);
});

test('a tie, and each way to fit nobody, are answers, with the ids of those whom they are about', async (t) => {
  const those = [{ agentId: 'a' }, { agentId: 'no id\n' }, { agentId: 'b' }, 7];
  for (const [answer, reason, agents] of [
    [{ outcome: 'tie', candidates: [those[2], ...those] }, 'tie', ['b', 'a']],
    [{ outcome: 'none', reason: 'blocked', candidates: [], blocked: those }, 'blocked', ['a', 'b']],
    [{ outcome: 'none', reason: 'unknown-skill', candidates: [] }, 'unknown-skill', []],
    [{ outcome: 'none', reason: 'nothing-fits', candidates: those }, 'nothing-fits', []],
    [{ outcome: 'none' }, 'nothing-fits', []],
  ] as const) {
    const over = await overSpace(t, says(answer));
    const why = [reason, ...agents].join(' ');
    assert.deepEqual(await over.agents.choose('ops', 'x', callOptions()), { kind: 'no-agent', reason, agents, why });
  }
});

test('whatever else comes, nobody has been sent anything', async (t) => {
  for (const [answer, expected] of [
    [says({}, 401), { kind: 'credentials', why: 'the Space: HTTP 401' }],
    [says({}, 404), { kind: 'not-sent', why: 'the Space: HTTP 404' }],
    [says({ code: 'not-found' }, 404), { kind: 'no-agent', reason: 'no-space', agents: [], why: 'no-space' }],
    [says({}, 503, { 'retry-after': '3' }), { kind: 'not-sent', why: 'the Space: HTTP 503', retryAfterMs: 3_000 }],
    [says([]), { kind: 'not-sent', why: 'the Space gave no answer' }],
    [says({ outcome: 'agent', agent: { agentId: '../x' } }), { kind: 'not-sent', why: 'the Space gave no answer' }],
    [says({ outcome: 'maybe' }), { kind: 'not-sent', why: 'the Space gave no answer' }],
    [
      (response: ServerResponse) => void response.destroy(),
      { kind: 'not-sent', why: 'the Space: the connection was lost (UND_ERR_SOCKET)' },
    ],
  ] as const) {
    const { agents } = await overSpace(t, answer);
    assert.deepEqual(await agents.choose('ops', 'x', callOptions()), expected);
  }
  const { agents } = await overSpace(t, weather);
  assert.equal((await agents.choose('nobody', 'x', callOptions())).kind, 'not-sent');
  assert.equal((await agents.choose('ops', 'x', callOptions(AbortSignal.abort()))).kind, 'not-sent');
});

test('the chosen agent is called at its place at the gateway, with the key, and none without a choice', async (t) => {
  const { agents, asked } = await overSpace(t, says({}, 404), { key: 'sk-1' });
  assert.equal(agents.agentFor('ops'), undefined);
  const agent = agents.agentFor('ops', 'space-demo/weather' as AgentId);
  assert.equal(agents.agentFor('ops', 'space-demo/weather' as AgentId), agent);
  assert.notEqual(agents.agentFor('ops', 'space-demo/billing' as AgentId), agent);
  await agent?.getTask('t' as TaskId, callOptions());
  assert.equal(asked[0]?.url, '/gateway/spaces/space-demo/agents/weather/.well-known/agent-card.json');
  assert.equal(asked[0]?.headers.authorization, 'Bearer sk-1');
  assert.equal(agents.describe('ops'), undefined);
});

const CARD = {
  ...{ name: 'Weather', description: '', version: '1', skills: [], capabilities: { streaming: true } },
  ...{ defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] },
  supportedInterfaces: [{ url: 'https://elsewhere.example', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
};

/** As the gateway says in the words of the protocol that it does not carry a call. */
const refusing = (status: number, reason: string, metadata: object) =>
  says({ jsonrpc: '2.0', id: 1, error: { code: -32_090, message: '', data: [{ reason, metadata }] } }, status, {
    'retry-after': '5',
  });

test('what the gateway does not carry is told in its words, and certainly not sent', async (t) => {
  const blocked = { kind: 'blocked', agent: 'weather' } as const;
  const later = { kind: 'not-sent', retryAfterMs: 5_000 } as const;
  for (const [answer, expected] of [
    [refusing(409, 'AGENT_NOT_CALLABLE', { reason: 'disabled' }), { ...blocked, reason: 'disabled' }],
    [refusing(409, 'AGENT_NOT_CALLABLE', { reason: 'no reason\n' }), { ...blocked, reason: 'other' }],
    [refusing(503, 'AGENT_NOT_CALLABLE', { reason: 'not-connected' }), later],
    [refusing(503, 'UPSTREAM_FAILED', { reason: 'A2A_UPSTREAM_CONNECT_FAILED', sent: 'false' }), later],
    [refusing(502, 'UPSTREAM_FAILED', { reason: 'A2A_X', sent: 'true' }), { kind: 'unknown', retryAfterMs: 5_000 }],
    [says({ code: 'not-found' }, 404), { ...blocked, reason: 'gone' }],
    [says({ code: 'agent-awaited' }, 503), { kind: 'not-sent' }],
    [says({ code: 'too-many-calls' }, 429, { 'retry-after': '1' }), { kind: 'not-sent', retryAfterMs: 1_000 }],
    [says({}, 429), { kind: 'unknown' }],
    [says({}, 404), { kind: 'not-sent' }],
    [says({}, 503), { kind: 'unknown' }],
  ] as const) {
    let answers = 0;
    const { agents } = await overSpace(t, (response) => {
      answers += 1;
      return answers === 1 ? says(CARD)(response) : answer(response);
    });
    const agent = agents.agentFor('ops', 'space-demo/weather' as AgentId) ?? assert.fail();
    const { why, ...failure } = (await agent.getTask('t' as TaskId, callOptions())) as { why: string };
    assert.deepEqual(failure, expected);
    assert.match(why, /^[\x20-\x7e]+$/);
  }
});

test('what is not published is told, too, and the gateway is asked for no card but its own', async (t) => {
  for (const [answer, expected] of [
    [
      says({ code: 'agent-blocked', reason: 'approval-pending' }, 409),
      { kind: 'blocked', reason: 'approval-pending', agent: 'weather' },
    ],
    [says({ code: 'not-found' }, 404), { kind: 'blocked', reason: 'gone', agent: 'weather' }],
    [says({ code: 'agent-awaited' }, 503, { 'retry-after': '1' }), { kind: 'not-sent', retryAfterMs: 1_000 }],
    [says('not found', 404), { kind: 'not-sent' }],
  ] as const) {
    const { agents, asked } = await overSpace(t, answer);
    const agent = agents.agentFor('ops', 'space-demo/weather' as AgentId) ?? assert.fail();
    const { why: _, ...failure } = (await agent.getTask('t' as TaskId, callOptions())) as { why: string };
    assert.deepEqual(failure, expected);
    assert.equal(asked.length, 1);
  }
});
