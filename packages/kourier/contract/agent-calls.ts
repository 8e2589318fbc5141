import assert from 'node:assert/strict';
import type { TaskId } from '../src/core/thread/ids.ts';
import type { Agent } from '../src/ports/agent.ts';
import {
  type AgentTraits,
  CONTEXT,
  MESSAGE,
  type On,
  OUTGOING,
  options,
  type Reply,
  status,
  TASK,
  task,
  withoutWhy,
} from './agent-samples.ts';

/** How certain each failure is. */
export function failuresContract(on: On): void {
  const failed = async (agent: Agent) => withoutWhy(await agent.send(OUTGOING, () => 'more', options()));

  on('C026 an HTTP status says how certain a failure is', async ({ agent, script }) => {
    const expected: Record<number, string> = {
      ...{ 401: 'credentials', 403: 'credentials', 400: 'not-sent', 404: 'not-sent', 409: 'not-sent' },
      ...{ 408: 'unknown', 429: 'unknown', 500: 'unknown', 502: 'unknown', 503: 'unknown', 302: 'not-sent' },
    };
    for (const [code, kind] of Object.entries(expected)) {
      script('send', { kind: 'status', status: Number(code) });
      assert.deepEqual(await failed(agent), { kind }, code);
    }
  });

  on('C026 Retry-After is told, a day at most', async ({ agent, script }) => {
    script(
      'send',
      { kind: 'status', status: 503, retryAfterSeconds: 17 },
      { kind: 'status', status: 404, retryAfterSeconds: 9_999_999 },
    );
    assert.deepEqual(await failed(agent), { kind: 'unknown', retryAfterMs: 17_000 });
    assert.deepEqual(await failed(agent), { kind: 'not-sent', retryAfterMs: 86_400_000 });
  });

  on('a JSON-RPC error says what its code means for the call', async ({ agent, script }) => {
    const sends: Record<string, object> = {
      '-31401': { kind: 'credentials' },
      '-31403': { kind: 'identity' },
      '-32004': { kind: 'busy' },
      '-32001': { kind: 'not-found' },
      '-32601': { kind: 'unsupported' },
      '-32602': { kind: 'rejected', code: -32_602 },
      '-32002': { kind: 'rejected', code: -32_002 },
      '-32603': { kind: 'unknown', code: -32_603 },
    };
    for (const [code, failure] of Object.entries(sends)) {
      script('send', { kind: 'error', code: Number(code) });
      assert.deepEqual(await failed(agent), failure, code);
    }
    script('send', { kind: 'error', code: -32_004, retryAfterMs: 250 });
    assert.deepEqual(await failed(agent), { kind: 'busy', retryAfterMs: 250 });
    script('subscribe', { kind: 'error', code: -32_004 });
    assert.deepEqual(withoutWhy(await agent.subscribe(TASK, () => 'more', options())), { kind: 'unsupported' });
    script('cancel', { kind: 'error', code: -32_002 });
    assert.deepEqual(withoutWhy(await agent.cancelTask(TASK, options())), { kind: 'not-cancelable' });
  });

  on('a connection lost before headers has an unknown outcome', async ({ agent, script, asked }) => {
    script('send', { kind: 'lost' });
    assert.deepEqual(await failed(agent), { kind: 'unknown' });
    assert.equal(asked('send'), 1, 'no call repeats itself');
  });

  on(
    'C047 so have headers that come late',
    async ({ agent, script }) => {
      script('send', { kind: 'silent' });
      script('get', { kind: 'silent' });
      assert.deepEqual(await failed(agent), { kind: 'unknown' });
      assert.deepEqual(withoutWhy(await agent.getTask(TASK, options())), { kind: 'unknown' });
    },
    { responseHeadersMs: 1_000 },
  );
}

export function tasksContract(on: On): void {
  on('a task is read whole', async ({ agent, script }) => {
    script('get', { kind: 'task', task });
    script('cancel', { kind: 'task', task: { ...task, status: status('canceled') } });
    assert.deepEqual(await agent.getTask(TASK, options()), { kind: 'task', task });
    const canceled = await agent.cancelTask(TASK, options());
    assert.equal(canceled.kind === 'task' && canceled.task.status.state, 'canceled');
  });

  on('a task that is not there', async ({ agent, script }) => {
    script('get', { kind: 'error', code: -32_001 });
    assert.deepEqual(withoutWhy(await agent.getTask(TASK, options())), { kind: 'not-found' });
  });
}

export function lookupContract(on: On, { lists }: AgentTraits): void {
  const turn = { contextId: CONTEXT, messageId: MESSAGE };
  const other = { ...task, id: 'task-0' as TaskId, history: [] };

  if (!lists) {
    on('an agent without ListTasks is not asked', async ({ agent, asked }) => {
      assert.deepEqual(await agent.findTurn(turn, options()), { kind: 'absent' });
      assert.equal(asked('list'), 0);
    });
    return;
  }

  on("a turn is found by its message in a task's history, on any page", async ({ agent, script }) => {
    script('list', { kind: 'page', tasks: [other], next: 'p2' }, { kind: 'page', tasks: [task] });
    assert.deepEqual(await agent.findTurn(turn, options()), { kind: 'found', taskId: TASK });
  });

  on(
    'C127, C128 a page without a token is the last, and a token that comes again ends the walk',
    async ({ agent, script, asked }) => {
      script('list', { kind: 'page', tasks: [other] });
      assert.deepEqual(await agent.findTurn(turn, options()), { kind: 'absent' });
      const more = { ...other, id: 'task-2' as TaskId };
      script('list', { kind: 'page', tasks: [other], next: 'p' }, { kind: 'page', tasks: [more], next: 'p' });
      assert.deepEqual(await agent.findTurn(turn, options()), { kind: 'absent' });
      assert.equal(asked('list'), 3);
    },
  );

  on('a page with nothing new ends the walk', async ({ agent, script, asked }) => {
    script('list', { kind: 'page', tasks: [other], next: 'p' }, { kind: 'page', tasks: [other], next: 'q' });
    assert.deepEqual(await agent.findTurn(turn, options()), { kind: 'absent' });
    assert.equal(asked('list'), 2);
  });

  on('at most 100 pages are read', async ({ agent, script, asked }) => {
    const pages = Array.from(
      { length: 110 },
      (_, index): Reply => ({
        kind: 'page',
        tasks: [{ ...other, id: `t${index}` as TaskId }],
        next: `p${index}`,
      }),
    );
    script('list', ...pages);
    assert.deepEqual(await agent.findTurn(turn, options()), { kind: 'absent' });
    assert.equal(asked('list'), 100);
  });

  on('a failing lookup is a failure, not an absence', async ({ agent, script }) => {
    script('list', { kind: 'status', status: 500 }, { kind: 'error', code: -32_601 });
    assert.deepEqual(withoutWhy(await agent.findTurn(turn, options())), { kind: 'unknown' });
    assert.deepEqual(withoutWhy(await agent.findTurn(turn, options())), { kind: 'unsupported' });
  });
}
