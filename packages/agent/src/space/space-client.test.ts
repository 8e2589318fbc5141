import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardOf, json, rawAgent } from '../../test/raw-agent.ts';
import { SpaceClient } from './space-client.ts';
import { SpaceError } from './space-error.ts';

const PLACE = '/spaces/north/agents/echo';

/** A Space that prepares nothing, and says why. */
async function refusing(t: { after(end: () => unknown): void }, status: number, problem: object) {
  const agent = await rawAgent(
    t,
    ({ path }, response) => {
      if (path === `${PLACE}/.well-known/agent-card.json` && status !== 401) {
        // As the gateway calls itself, which is not where it is reached from here.
        const place = { url: `https://space.example/at${PLACE}`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' };
        return json(response, cardOf([place]));
      }
      return json(response, problem, status, { 'content-type': 'application/problem+json' });
    },
    'none',
  );
  return { agent, space: new SpaceClient({ url: agent.url, space: 'north' }) };
}

for (const [status, problem, failure] of [
  [409, { code: 'agent-blocked', reason: 'disabled', detail: 'It is.' }, 'refused'],
  [409, { code: 'agent-blocked', reason: 'not-connected', detail: 'It is.' }, 'unavailable'],
  [409, { code: 'idempotency-conflict', detail: 'It is.' }, 'invalid'],
  [403, { code: 'forbidden', detail: 'It is.' }, 'refused'],
  [503, { code: 'authentication-unavailable', detail: 'It is.' }, 'unavailable'],
] as const) {
  const { code, reason = '' } = { reason: undefined, ...problem };
  test(`a call that the Space does not prepare is refused as it says: ${code} ${reason}`, async (t) => {
    const { agent, space } = await refusing(t, status, problem);
    const refused = (error: unknown): boolean => {
      assert.ok(error instanceof SpaceError, String(error));
      assert.deepEqual([error.code, error.failure, error.message], [code, failure, `${code}: It is.`]);
      return true;
    };
    const { taskId, stream } = await space.call('echo', 'hi');
    await assert.rejects(async () => {
      for await (const _ of stream) assert.fail('nothing was sent');
    }, refused);
    await assert.rejects(stream.result(), refused);
    await assert.rejects(taskId, refused);
    assert.deepEqual(
      agent.asked.filter(({ method, path }) => method === 'POST' && path.startsWith(PLACE)),
      [],
      'and the agent was not called',
    );
  });
}

test('an agent whose card the Space does not give is refused as it says', async (t) => {
  const { space } = await refusing(t, 401, { code: 'unauthenticated', detail: 'No.' });
  await assert.rejects(space.call('echo', 'hi'), { code: 'unauthenticated', failure: 'unauthenticated' });
});

test('calls go where the Space was named, whatever its cards say', async (t) => {
  const { agent, space } = await refusing(t, 201, { taskId: 'task-1', permit: 'p' });
  const { taskId, stream } = await space.call('echo', 'hi');
  assert.equal((await stream.result()).kind, 'transport-failure');
  assert.equal(await taskId, 'task-1');
  const { method, path, headers } = agent.asked.at(-1) ?? assert.fail();
  assert.deepEqual([method, path, headers['a2a-space-permit']], ['POST', PLACE, 'p']);
});
