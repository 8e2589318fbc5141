import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from '../../test/served-agent.ts';
import { callerOf } from '../../test/wire-client.ts';
import { AgentServer, type AnswerTurn, MemoryTaskStore } from '../index.ts';

const HITL = 'https://kagent.dev/extensions/hitl/v1';

/** A server on a store, and another one on the same store: what a restart leaves. */
async function start(
  turn: AnswerTurn,
  store = new MemoryTaskStore(),
  onError: (error: unknown) => void = () => undefined,
) {
  const server = new AgentServer(
    { name: 'Test', description: 'A test.', turn },
    { url: 'http://agent', store, onError },
  );
  await server.open();
  return { ...callerOf(server), server, store };
}

for (const restart of [false, true]) {
  const when = restart ? 'after a restart' : 'in the same process';

  /** Goes on with the same process, or with the next one on the same store. */
  const goOn = async (agent: Awaited<ReturnType<typeof start>>, turn: AnswerTurn) => {
    if (!restart) return agent;
    await agent.server.close();
    return start(turn, agent.store);
  };

  test(`a question pauses the task, and its answer goes on with it, ${when}`, async () => {
    const turn: AnswerTurn = async function* ({ ask, text }) {
      yield `You said ${text}. `;
      const name = await ask('Who are you?');
      yield `Hello ${name}. `;
      const age = await ask('How old are you?');
      yield `You are ${age}.`;
    };
    let agent = await start(turn);
    const asked = await agent.task('m1', 'hi');
    assert.equal(asked.status.state, 'TASK_STATE_INPUT_REQUIRED');
    assert.deepEqual(asked.status.message?.['parts'], [{ text: 'Who are you?' }]);
    assert.equal(textOf(asked), 'You said hi. ');
    agent = await goOn(agent, turn);
    const again = await agent.task('m2', 'Ada', { taskId: asked.id });
    assert.deepEqual(again.status.message?.['parts'], [{ text: 'How old are you?' }]);
    assert.notEqual(again.status.message?.['messageId'], asked.status.message?.['messageId']);
    agent = await goOn(agent, turn);
    const done = await agent.task('m3', '36', { taskId: asked.id });
    assert.equal(done.status.state, 'TASK_STATE_COMPLETED');
    assert.equal(textOf(done), 'You said hi. Hello Ada. You are 36.');
    const said = done.history?.map((message) => (message['parts'] as { text: string }[])[0]?.text);
    assert.deepEqual(said, ['hi', 'Who are you?', 'Ada', 'How old are you?', '36']);
  });

  test(`a tool that needs approval runs once, and only when it was approved, ${when}`, async () => {
    const ran: string[] = [];
    const turn: AnswerTurn = async function* ({ approve, tool, once }) {
      const day = await once('day', () => `day ${ran.push('once')}`);
      const call = { name: 'restart', args: { service: 'db', day } };
      if (!(await approve(call, 'Restart the database?'))) return yield 'Left alone.';
      const { ok } = await tool(call, () => ({ ok: ran.push('tool') > 0 }));
      await approve({ name: 'announce', args: {} });
      yield `ok ${ok}`;
    };
    let agent = await start(turn);
    const asked = await agent.task('m1', 'go');
    const message = asked.status.message as Record<string, Record<string, { tools: { id: string; args: object }[] }>>;
    const payload = message['metadata']?.[HITL];
    assert.deepEqual(message['extensions'], [HITL]);
    assert.deepEqual(
      payload?.tools.map(({ args }) => args),
      [{ service: 'db', day: 'day 1' }],
    );
    agent = await goOn(agent, turn);
    const refused = await agent.send('m2', 'perhaps', { taskId: asked.id });
    assert.equal(refused.error?.code, -32602);
    const approvals = payload?.tools.map(({ id }) => ({ id, approved: true }));
    const metadata = { [HITL]: { type: 'tool_approval_response', approvals } };
    const second = await agent.task('m3', 'approved', { taskId: asked.id, extensions: [HITL], metadata });
    assert.equal(second.status.state, 'TASK_STATE_INPUT_REQUIRED');
    agent = await goOn(agent, turn);
    const done = await agent.task('m4', 'approve', { taskId: asked.id });
    const parts = done.artifacts?.flatMap(({ parts }) => parts);
    assert.deepEqual(
      parts?.map((part) => (part['metadata'] as { adk_type?: string })?.adk_type ?? part['text']),
      ['function_call', 'function_response', 'ok true'],
    );
    assert.deepEqual(ran, ['once', 'tool']);
  });

  test(`a denial is told with its reason, ${when}`, async () => {
    const turn: AnswerTurn = async ({ decide }) => {
      const decisions = await decide([
        { name: 'a', args: {} },
        { name: 'b', args: {} },
      ]);
      return JSON.stringify(decisions);
    };
    let agent = await start(turn);
    const asked = await agent.task('m1', 'go');
    const message = asked.status.message as Record<string, Record<string, { tools: { id: string }[] }>>;
    const [first, second] = message['metadata']?.[HITL]?.tools.map(({ id }) => id) ?? [];
    agent = await goOn(agent, turn);
    const answer = (approvals: object[]) =>
      agent.send('m2', 'rejected', {
        taskId: asked.id,
        metadata: { [HITL]: { type: 'tool_approval_response', approvals } },
      });
    for (const wrong of [
      [],
      [{ id: first, approved: true }],
      [
        { id: first, approved: true },
        { id: first, approved: false },
      ],
    ]) {
      assert.equal((await answer(wrong)).error?.code, -32602);
    }
    const { result } = await answer([
      { id: first, approved: true },
      { id: second, approved: false, rejection_reason: 'denied by an approver in chat' },
    ]);
    const expected = [{ approved: true }, { approved: false, reason: 'denied by an approver in chat' }];
    assert.equal(textOf(result?.task), JSON.stringify(expected));
  });

  test(`questions with choices are checked, ${when}`, async () => {
    const turn: AnswerTurn = async ({ askForm }) =>
      JSON.stringify(await askForm([{ question: 'Which?', choices: ['red', 'blue'] }, { question: 'Why?' }]));
    let agent = await start(turn);
    const asked = await agent.task('m1', 'go');
    agent = await goOn(agent, turn);
    const answer = (answers: unknown) =>
      agent.send('m2', 'x', { taskId: asked.id, metadata: { [HITL]: { type: 'ask_user_response', answers } } });
    const refused = await answer([{ answer: ['green'] }, { answer: ['because'] }]);
    assert.match(refused.error?.message ?? '', /one of its choices: red, blue/);
    const { result } = await answer([{ answer: ['blue'] }, { answer: ['because'] }]);
    assert.equal(textOf(result?.task), '[["blue"],["because"]]');
  });

  test(`a paused task can be canceled, and is not answered any more, ${when}`, async () => {
    const turn: AnswerTurn = async ({ ask }) => ask('Who?');
    let agent = await start(turn);
    const { id } = await agent.task('m1', 'go');
    agent = await goOn(agent, turn);
    const canceled = await agent.rpc('CancelTask', { id });
    assert.equal(canceled.result?.status?.state, 'TASK_STATE_CANCELED');
    assert.equal((await agent.send('m2', 'me', { taskId: id })).error?.code, -32004);
  });

  test(`an answer that comes twice is one answer, ${when}`, async () => {
    const turn: AnswerTurn = async ({ ask }) => `${await ask('One?')} ${await ask('Two?')}`;
    let agent = await start(turn);
    const { id } = await agent.task('m1', 'go');
    await agent.task('m2', 'first', { taskId: id });
    agent = await goOn(agent, turn);
    const again = await agent.task('m2', 'first', { taskId: id });
    assert.deepEqual(again.status.message?.['parts'], [{ text: 'Two?' }]);
    assert.equal(textOf(await agent.task('m3', 'second', { taskId: id })), 'first second');
  });

  test(`what was remembered is recalled in the next turn, ${when}`, async () => {
    const turn: AnswerTurn = async ({ recall, remember, text }) => {
      const before = (await recall<string[]>()) ?? [];
      remember([...before, text]);
      return [...before, text].join(' ');
    };
    let agent = await start(turn);
    const { contextId } = await agent.task('m1', 'one');
    agent = await goOn(agent, turn);
    assert.equal(textOf(await agent.task('m2', 'two', { contextId })), 'one two');
    assert.equal(textOf(await agent.task('m3', 'other')), 'other');
  });
}

test('two answers at once: one goes on with the task, the other is told that nothing waits', async () => {
  const turn: AnswerTurn = async ({ ask }) => `${await ask('One?')} ${await ask('Two?')}`;
  const agent = await start(turn);
  const { id } = await agent.task('m1', 'go');
  const [one, two] = await Promise.all([
    agent.send('m2', 'first', { taskId: id }),
    agent.send('m3', 'second', { taskId: id }),
  ]);
  assert.equal(one.result?.task?.status.state, 'TASK_STATE_INPUT_REQUIRED');
  assert.equal(two.error?.code ?? two.result?.task?.status.state, -32004);
});

test('a turn that asks something else when it is repeated fails, with the reason in the log alone', async () => {
  let asked = 0;
  const turn: AnswerTurn = async ({ ask }) => {
    asked += 1;
    return ask(`Question ${asked}?`);
  };
  const agent = await start(turn);
  const { id } = await agent.task('m1', 'go');
  await agent.server.close();
  const errors: unknown[] = [];
  const next = await start(turn, agent.store, (error) => errors.push(error));
  const failed = await next.task('m2', 'answer', { taskId: id });
  assert.equal(failed.status.state, 'TASK_STATE_FAILED');
  assert.deepEqual(failed.status.message?.['metadata'], { code: 'turn-not-repeatable' });
  assert.match(String((errors[0] as Error).cause), /put what differs into once/);
});

test('auth-required waits for the caller, too', async () => {
  const agent = await start(async ({ askForAuth }) => askForAuth('Sign in at https://id.example.'));
  const asked = await agent.task('m1', 'go');
  assert.equal(asked.status.state, 'TASK_STATE_AUTH_REQUIRED');
  assert.equal(textOf(await agent.task('m2', 'signed in', { taskId: asked.id })), 'signed in');
});

test('a waiting turn that was given up for others is repeated when its answer comes', async () => {
  const agent = await start(async ({ ask, text }) => `${text} ${await ask('Who?')}`);
  const { id } = await agent.task('m0', 'first');
  for (let n = 1; n <= 1_000; n += 1) await agent.task(`m${n}`, 'more');
  assert.equal(textOf(await agent.task('answer', 'me', { taskId: id })), 'first me');
});
