import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gate, message } from '../../test/served-agent.ts';
import { callerOf } from '../../test/wire-client.ts';
import { AGENT_LIMITS, AgentServer, type AnswerTurn, MemoryTaskStore } from '../index.ts';

async function start(turn: AnswerTurn, store = new MemoryTaskStore()) {
  const agent = { name: 'Test', description: 'A test.', turn };
  const server = new AgentServer(agent, { url: 'http://agent', store, onError: () => undefined });
  await server.open();
  return { ...callerOf(server), server, store };
}

/** As long as a message may be, nearly. */
const LONG = 'x'.repeat(AGENT_LIMITS.bodyBytes - 1_024);

test('the messages of one task have a limit, and past it the question stays open', async () => {
  const agent = await start(async ({ ask }) => {
    for (;;) await ask('More?');
  });
  const { id, contextId } = await agent.task('m0', 'go');
  let answers = 0;
  let refused: Awaited<ReturnType<typeof agent.send>>;
  do {
    answers += 1;
    refused = await agent.send(`m${answers}`, LONG, { taskId: id });
  } while (refused.error === undefined && answers < 100);
  assert.equal(refused.error?.code, -32602);
  assert.match(refused.error.message, /cancel/);
  assert.equal(answers - 1, Math.floor(AGENT_LIMITS.messageCharacters / LONG.length));
  const read = await agent.rpc('GetTask', { id });
  assert.equal(read.result?.status?.state, 'TASK_STATE_INPUT_REQUIRED');
  const short = await agent.task('short', 'enough', { taskId: id });
  assert.equal(short.contextId, contextId);
});

const GROWS: Readonly<Record<string, readonly [string, AnswerTurn]>> = {
  'results that are kept': [
    'journal-too-large',
    async ({ once }) => {
      for (let n = 0; n <= AGENT_LIMITS.journalCharacters / LONG.length; n += 1) await once(`${n}`, () => LONG);
    },
  ],
  'a question': ['journal-too-large', ({ ask }) => ask('x'.repeat(AGENT_LIMITS.journalCharacters))],
  'what is remembered': [
    'memory-too-large',
    ({ remember }) => {
      remember('x'.repeat(AGENT_LIMITS.memoryCharacters));
      return undefined;
    },
  ],
};

for (const [what, [code, turn]] of Object.entries(GROWS)) {
  test(`${what} past the limit fail the task`, async () => {
    const agent = await start(turn);
    const task = await agent.task('m1', 'go');
    assert.deepEqual([task.status.state, task.status.message?.['metadata']], ['TASK_STATE_FAILED', { code }]);
  });
}

test('the memory store remembers so much, of those that spoke last', async () => {
  const text = 'x'.repeat(AGENT_LIMITS.memoryCharacters - 2);
  const agent = await start(({ remember }) => {
    remember(text);
    return undefined;
  });
  const kept = Math.floor(AGENT_LIMITS.rememberedCharacters / AGENT_LIMITS.memoryCharacters);
  for (let n = 0; n <= kept; n += 1) await agent.task(`m${n}`, 'go', { contextId: `c${n}` });
  const remembered = Array.from({ length: kept + 1 }, (_, n) => agent.store.memory('', `c${n}`) === text);
  assert.deepEqual(remembered, [false, ...Array(kept).fill(true)]);
});

test('turns that are about to begin count among those that run', async () => {
  const goOn = gate();
  const store = new (class extends MemoryTaskStore {
    override begin(...args: Parameters<MemoryTaskStore['begin']>): never {
      return goOn.promise.then(() => super.begin(...args)) as never;
    }
  })();
  const over = gate();
  const agent = await start(() => over.promise.then(() => undefined), store);
  const configuration = { returnImmediately: true };
  const sent = Array.from({ length: AGENT_LIMITS.runningTasks + 1 }, (_, n) =>
    agent.rpc('SendMessage', { ...message(`m${n}`), configuration }),
  );
  const last = await sent.at(-1);
  assert.equal(last?.error?.code, -32004);
  goOn.resolve();
  const answers = await Promise.all(sent);
  assert.equal(answers.filter(({ error }) => error !== undefined).length, 1);
  over.resolve();
  await agent.server.close();
});
