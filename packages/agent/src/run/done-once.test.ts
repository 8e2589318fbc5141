import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { startOnSlowStore } from '../../test/slow-store.ts';
import type { AnswerTurn } from '../index.ts';

test('once in parallel is once', async (t) => {
  const ran: string[] = [];
  const agent = await startOnSlowStore(t, async ({ once, tool }) => {
    const work = async () => {
      await setImmediate();
      return ran.push('once');
    };
    const both = await Promise.all([once('k', work), once('k', work)]);
    const call = { id: 't', name: 'look', args: {} };
    const look = async () => ({ n: ran.push('tool') });
    const tools = await Promise.all([tool(call, look), tool(call, look)]);
    return JSON.stringify([both, tools]);
  });
  const task = await agent.task('m1', 'go');
  assert.deepEqual(ran, ['once', 'tool']);
  const parts = task.artifacts?.[0]?.parts ?? [];
  assert.deepEqual(parts.at(-1), { text: '[[1,1],[{"n":2},{"n":2}]]' });
  assert.equal(parts.length, 3);
});

for (const restart of [false, true]) {
  test(`a tool that failed has failed, ${restart ? 'after a restart' : 'in the same process'}`, async (t) => {
    const ran: string[] = [];
    const turn: AnswerTurn = async ({ ask, tool, once }) => {
      for (let tries = 1; tries <= 2; tries += 1) {
        try {
          await tool({ id: 'pay', name: 'pay', args: {} }, () => {
            ran.push(`pay ${tries}`);
            if (tries === 1) throw new RangeError('no money');
            return { paid: true };
          });
        } catch (error) {
          ran.push(String(error));
        }
      }
      const found = await once('gone', () => {
        ran.push('gone');
        throw new Error('gone');
      }).catch((error: Error) => error.message);
      return `${found} ${await ask('Well?')}`;
    };
    const agent = await startOnSlowStore(t, turn);
    const { id } = await agent.task('m1', 'go');
    if (restart) {
      await agent.server.close();
      await agent.server.open();
    }
    const ranBefore = [...ran];
    ran.length = 0;
    const done = await agent.task('m2', 'yes', { taskId: id });
    assert.equal(done.status.state, 'TASK_STATE_COMPLETED');
    assert.deepEqual(ranBefore, ['pay 1', 'RangeError: no money', 'pay 2', 'gone']);
    assert.deepEqual(ran, restart ? ['RangeError: no money'] : []);
  });
}
