import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Asked, cardOf, json, rawAgent, rpc, rpcError } from '../../test/raw-agent.ts';
import type { MessageToSend } from '../client/message-to-send.ts';
import { SpaceClient } from './space-client.ts';

const API = '/api/v1/spaces/north';
const PLACE = '/spaces/north/agents/echo';
const TASK = {
  id: 'r1',
  contextId: 'c1',
  status: { state: 'TASK_STATE_COMPLETED' },
  artifacts: [{ artifactId: 'a', parts: [{ text: 'hi' }] }],
};

/** A Space with the agent `echo`, which answers what the test says to what is asked of its own interface. */
async function spaceOf(t: TestContext, answers: Readonly<Record<string, unknown>>, key?: string) {
  const tasks: object[] = [];
  const { url, asked } = await rawAgent(
    t,
    (one, response) => {
      if (one.path === `${PLACE}/.well-known/agent-card.json`) {
        const card = cardOf([{ url: `${url}${PLACE}`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }]);
        return json(response, { ...card, capabilities: {} });
      }
      if (one.path === PLACE) {
        const { method } = one.body;
        if (method === 'SubscribeToTask') return rpcError(response, one, -32_004, 'no streams');
        const task = tasks.shift() ?? TASK;
        return rpc(response, one, method === 'SendMessage' ? { task } : task);
      }
      const answer = answers[`${one.method} ${one.path.slice(API.length)}`];
      return json(
        response,
        typeof answer === 'function' ? answer(one) : (answer ?? { code: 'not-found' }),
        answer === undefined ? 404 : 200,
      );
    },
    'none',
  );
  const space = new SpaceClient({ url, space: 'north', ...(key === undefined ? {} : { key }) });
  return {
    space,
    asked,
    tasks,
    toAgent: () => asked.filter(({ method, path }) => method === 'POST' && path === PLACE),
  };
}

const PERMIT = { taskId: 'task-1', permit: 'p1' };
const RECORD = { taskId: 'task-1', agentId: 'echo', status: 'input-required', remoteTaskId: 'r1' };

test('agents are listed page by page, what is asked for in the query, and only what says so is callable', async (t) => {
  const page = ({ query }: Asked) =>
    query.get('cursor') === null
      ? {
          agents: [
            {
              agentId: 'a',
              versionId: 'v1',
              name: 'A',
              description: 'd',
              skills: [{ id: 's', name: 'S', tags: ['x', 7] }, 7],
              callable: true,
              url: 'u',
            },
          ],
          nextCursor: 'c2',
        }
      : { agents: [{ agentId: 'b', callable: 'yes', blockedReason: 'disabled' }, null], nextCursor: null };
  const { space, asked } = await spaceOf(t, { 'GET /agents': page });
  const { agents, nextCursor } = await space.discover({ text: 'a b', skill: 's', blocked: true, limit: 1 });
  assert.equal(nextCursor, 'c2');
  assert.deepEqual(agents, [
    {
      ...{
        agentId: 'a',
        versionId: 'v1',
        name: 'A',
        description: 'd',
        callable: true,
        blockedReason: undefined,
        url: 'u',
      },
      skills: [{ id: 's', name: 'S', tags: ['x'] }],
    },
  ]);
  assert.deepEqual(Object.fromEntries(asked[0]?.query ?? []), { q: 'a b', skill: 's', blocked: 'true', limit: '1' });
  const all = [];
  for await (const agent of space.discoverAll({ skill: 's' }))
    all.push([agent.agentId, agent.callable, agent.blockedReason]);
  assert.deepEqual(all, [
    ['a', true, undefined],
    ['b', false, 'disabled'],
  ]);
  assert.deepEqual(Object.fromEntries(asked.at(-1)?.query ?? []), { skill: 's', cursor: 'c2' });
});

test('a Space whose cursor leads to itself ends the list', async (t) => {
  const { space, asked } = await spaceOf(t, { 'GET /agents': { agents: [{ agentId: 'a' }], nextCursor: 'same' } });
  const all = [];
  for await (const { agentId } of space.discoverAll()) all.push(agentId);
  assert.deepEqual([all, asked.length], [['a', 'a'], 2]);
});

test('a call is prepared for the very message that is sent then, with the permit and the key', async (t) => {
  const { space, asked, toAgent } = await spaceOf(t, { 'POST /calls': PERMIT }, 'k');
  const { taskId, stream } = await space.call('echo', 'hi', { expectedVersionId: 'v1', idempotencyKey: 'i' });
  const result = await stream.result();
  assert.deepEqual(
    [await taskId, result.kind],
    ['task-1', 'settled'].map((text, at) => (at === 1 ? result.kind : text)),
  );
  const [prepared] = asked.filter(({ path }) => path === `${API}/calls`);
  const [sent] = toAgent();
  const message = sent?.body.params?.['message'] as { messageId: string };
  const { messageSha256, ...rest } = prepared?.body ?? {};
  assert.deepEqual(rest, {
    agentId: 'echo',
    expectedVersionId: 'v1',
    idempotencyKey: 'i',
    messageId: message.messageId,
  });
  assert.match(String(messageSha256), /^[0-9a-f]{64}$/);
  assert.deepEqual([sent?.headers['a2a-space-permit'], sent?.headers.authorization], ['p1', 'Bearer k']);
  assert.ok(asked.every(({ headers }) => headers.authorization === 'Bearer k'));
});

test('a key and a message are one message each time, and another one for everybody else', async (t) => {
  const idOf = async (message: string | MessageToSend, idempotencyKey: string, key?: string): Promise<unknown> => {
    const { space, asked } = await spaceOf(t, { 'POST /calls': PERMIT }, key);
    const { stream } = await space.call('echo', message, { idempotencyKey });
    await stream.result();
    return asked.find(({ path }) => path === `${API}/calls`)?.body['messageId'];
  };
  const first = await idOf('hi', 'k');
  assert.match(String(first), /^key-[0-9a-f]{64}$/);
  assert.equal(await idOf({ parts: ['hi'] }, 'k'), first);
  assert.equal(await idOf({ parts: 'hi', messageId: 'm1' }, 'k'), 'm1', 'who gives an id keeps it');
  const apiKey = (name: string, random: string): string => `kourier_${name}_${random.repeat(49)}`;
  const ids = [first, await idOf('ho', 'k'), await idOf('hi', 'k2')];
  ids.push(await idOf('hi', 'k', apiKey('ci', 'a')), await idOf('hi', 'k', apiKey('cd', 'a')));
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(await idOf('hi', 'k', apiKey('ci', 'b')), ids[3], 'also under the key that replaces it');
});

test('a task is gone on with, looked at and stopped by its id of the Space alone', async (t) => {
  const { space, asked, toAgent } = await spaceOf(t, {
    'GET /tasks/task-1': RECORD,
    'POST /tasks/task-1/operations': PERMIT,
  });
  assert.deepEqual(await space.task('task-1'), RECORD);
  const { stream } = await space.continueTask('task-1', 'yes');
  await stream.result();
  const prepared = asked.find(({ path }) => path.endsWith('/operations'));
  assert.equal(prepared?.body['operation'], 'send_message');
  assert.equal((toAgent()[0]?.body.params?.['message'] as { taskId?: string } | undefined)?.taskId, 'r1');
  assert.equal((await space.status('task-1')).state, 'completed');
  assert.equal((await space.cancel('task-1')).id, 'r1');
  assert.deepEqual(
    toAgent()
      .map(({ body }) => body.method)
      .slice(1),
    ['GetTask', 'CancelTask'],
  );
});

test('a task that its agent has not named can be asked of the Space only', async (t) => {
  const { space, toAgent } = await spaceOf(t, { 'GET /tasks/task-1': { ...RECORD, remoteTaskId: null } });
  assert.equal((await space.task('task-1')).remoteTaskId, undefined);
  for (const asking of [space.status('task-1'), space.cancel('task-1'), space.continueTask('task-1', 'yes')])
    await assert.rejects(asking, { failure: 'invalid', code: 'A2A_REMOTE_TASK_NOT_BOUND' });
  await assert.rejects(space.task('a/../b'), { failure: 'not-found' });
  assert.deepEqual(toAgent(), []);
});

test('an agent that does not stream is followed while its task runs', async (t) => {
  const { space, tasks, toAgent } = await spaceOf(t, { 'POST /calls': PERMIT });
  for (const state of ['WORKING', 'WORKING', 'COMPLETED'])
    tasks.push({ ...TASK, status: { state: `TASK_STATE_${state}` } });
  const { stream } = await space.call('echo', 'hi', { follow: { firstMs: 0, mostMs: 0 } });
  const result = await stream.result();
  assert.equal(result.kind, 'finished');
  assert.equal(toAgent()[0]?.body.method, 'SendMessage');
  assert.ok(
    toAgent()
      .slice(1)
      .every(({ body }) => body.method !== 'SendMessage'),
  );
});

test('an answer without a permit is none of a Space, and nothing is sent', async (t) => {
  const { space, toAgent } = await spaceOf(t, { 'POST /calls': { taskId: 'task-1' } });
  const { taskId, stream } = await space.call('echo', 'hi');
  await assert.rejects(stream.result(), { code: 'A2A_SPACE_ANSWER_UNKNOWN' });
  await assert.rejects(taskId, { code: 'A2A_SPACE_ANSWER_UNKNOWN' });
  assert.deepEqual(toAgent(), []);
});
