import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import type { Operation } from '../src/space/gateway/operations.ts';
import { callOver, OPERATIONS, type Subject, versionOf, WIRES } from './space/a2a-wires.ts';
import { type Answered, messageOf, SpaceCaller } from './space/space-caller.ts';
import { keyOf } from './space/space-process.ts';
import { SPACES, type SpaceName, type TwoTenants, twoTenants } from './space/two-tenants.ts';

const ALL = Object.keys(OPERATIONS) as Operation[];
const CARD = '/.well-known/agent-card.json';
const NOBODYS: Subject = {
  taskId: '00000000-0000-4000-8000-000000000000',
  contextId: '00000000-0000-4000-8000-000000000001',
};

let tenants: TwoTenants;
/** A task that waits at each agent, by Space and agent. */
const tasks = new Map<string, Subject>();
const ends: (() => unknown)[] = [];

before(async () => {
  tenants = await twoTenants({ after: (end) => void ends.push(end) });
  for (const space of SPACES) {
    const caller = tenants.caller(space);
    const sent = await caller.send('shared', messageOf('ask'));
    const { id: taskId, contextId } = sent.json.result.task;
    tasks.set(`${space} shared`, { taskId, contextId });
    const message = { kind: 'message', role: 'user', messageId: `m-${space}`, parts: [{ kind: 'text', text: 'ask' }] };
    const old = await caller.rpc('old', 'message/send', { message });
    tasks.set(`${space} old`, { taskId: old.json.result.id, contextId: old.json.result.contextId });
  }
});
after(async () => {
  for (const end of ends.toReversed()) await end();
});

const pairs: readonly (readonly [SpaceName, SpaceName])[] = [SPACES, [SPACES[1], SPACES[0]]];

/** What was answered, but for the ids that were asked for. */
function told({ bytes }: Answered, { taskId, contextId }: Subject): string {
  return bytes.replaceAll(taskId, 'TASK').replaceAll(contextId, 'CONTEXT');
}

for (const wire of WIRES) {
  const agent = versionOf(wire) === '1.0' ? 'shared' : 'old';
  for (const operation of ALL) {
    test(`${wire} ${operation}: an agent of another tenant is not there, and nobody gets one 401`, async () => {
      for (const [own, foreign] of pairs) {
        const about = tasks.get(`${foreign} ${agent}`) ?? NOBODYS;
        const to = (space: string, to: string, caller = tenants.caller(own)) =>
          callOver(wire, caller, { space, agent: to }, { operation, about });
        const answers = [
          await to(foreign, agent),
          await to(foreign, 'no-such-agent'),
          await to('no-such-space', agent),
          await to(own, 'no-such-agent'),
          await to(foreign, agent, tenants.caller(own, 'operator')),
        ];
        assert.equal(answers[0]?.status, 404);
        assert.equal(new Set(answers.map(({ bytes }) => bytes)).size, 1);
        const strangers = [];
        for (const key of [undefined, 'nobody'])
          for (const space of [own, foreign, 'none'])
            strangers.push(await to(space, agent, tenants.stranger(space, key)));
        assert.equal(strangers[0]?.status, 401);
        assert.equal(new Set(strangers.map(({ bytes }) => bytes)).size, 1);
      }
    });

    test(`C110 ${wire} ${operation}: a task of another caller is one that nobody has, and its agent is not asked`, async () => {
      const served = agent === 'shared' ? tenants.shared : tenants.old;
      for (const [own, foreign] of pairs) {
        const about = tasks.get(`${foreign} ${agent}`) ?? NOBODYS;
        const asked = served.reached.length;
        const callers = [tenants.caller(own), tenants.caller(own, 'operator')];
        const other = new SpaceCaller(tenants.space.url, foreign, keyOf(`${foreign}-other`));
        for (const caller of [...callers, other]) {
          const to = (subject: Subject) =>
            callOver(wire, caller, { space: caller.space, agent }, { operation, about: subject });
          const [theirs, none] = [await to(about), await to(NOBODYS)];
          assert.equal(told(theirs, about), told(none, NOBODYS));
          const secrets = [about.taskId, about.contextId];
          for (const secret of secrets) assert.ok(!theirs.text.includes(secret), theirs.text);
          assert.ok(!/"result"/.test(theirs.text) || operation === 'ListTasks', theirs.text);
        }
        if (operation !== 'ListTasks') assert.equal(served.reached.length, asked);
      }
    });
  }
}

test('C110 a context of another caller is refused, and one that nobody has is the caller’s from then on', async () => {
  const { contextId } = tasks.get('north shared') ?? NOBODYS;
  const other = new SpaceCaller(tenants.space.url, 'north', keyOf('north-other'));
  const refused = await other.send('shared', messageOf('hi', { contextId }));
  assert.equal(refused.json.error.data[0].reason, 'CONTEXT_NOT_FOUND');
  const own = await other.send('shared', messageOf('hi', { contextId: 'a-new-one' }));
  assert.equal(own.json.result.task.contextId, 'a-new-one');
  const late = await tenants.caller('north').send('shared', messageOf('hi', { contextId: 'a-new-one' }));
  assert.equal(late.text, refused.text);
  // Another tenant's agent is another agent, whoever serves both.
  assert.equal((await tenants.caller('south').send('shared', messageOf('hi', { contextId }))).status, 200);
});

test("C110 who sends another caller's message again gets nothing of the task that it began", async () => {
  const [mine, theirs] = [tenants.caller('north'), new SpaceCaller(tenants.space.url, 'north', keyOf('north-other'))];
  const message = messageOf('a secret of mine');
  const first = await mine.send('shared', message);
  assert.match(first.text, /You said: a secret of mine/);
  const again = await theirs.send('shared', message);
  assert.equal(again.json.error.data[0].reason, 'A2A_REMOTE_BINDING_CONFLICT');
  const { id } = first.json.result.task;
  for (const secret of ['secret', id]) assert.ok(!again.text.includes(secret), again.text);
  const streamed = theirs.rpc('shared', 'SendStreamingMessage', { message });
  await assert.rejects(streamed, 'it is broken off, and nothing came');
  assert.equal((await theirs.rpc('shared', 'GetTask', { id })).json.error.code, -32_001);
  assert.equal((await mine.send('shared', message)).json.result.task.id, id);
});

test('the card of an agent is read by those who may call it, and is not there for others', async () => {
  for (const method of ['GET', 'HEAD', 'POST']) {
    for (const [own, foreign] of pairs) {
      const to = (space: string, agent: string, caller = tenants.caller(own)) =>
        caller.ask(method, `/spaces/${space}/agents/${agent}${CARD}`);
      assert.equal((await to(own, 'shared')).status, method === 'POST' ? 405 : 200);
      const answers = [
        await to(foreign, 'shared'),
        await to('no-such-space', 'shared'),
        await to(own, `only-${foreign}`),
      ];
      assert.equal(answers[0]?.status, 404);
      assert.equal(new Set(answers.map(({ bytes }) => bytes)).size, 1, method);
      const strangers = [
        await to(foreign, 'shared', tenants.stranger(foreign)),
        await to('no-such-space', 'shared', tenants.stranger(foreign, 'bad')),
      ];
      assert.equal(strangers[0]?.status, 401);
      assert.equal(new Set(strangers.map(({ bytes }) => bytes)).size, 1, method);
    }
  }
});

test('the tunnel of another tenant’s agent is not there, a caller may not dial, and nobody gets one 401', async () => {
  const foreign = await upgraded(keyOf('south-publisher'), 'north', 'dialled');
  assert.match(foreign, /^HTTP\/1\.1 404 /);
  assert.equal(await upgraded(keyOf('south-publisher'), 'none', 'dialled'), foreign);
  assert.equal(await upgraded(keyOf('north-publisher'), 'north', 'none'), foreign);
  assert.equal(await upgraded(keyOf('north-publisher'), 'north', 'shared'), foreign, 'no agent that dials');
  const lesser = await upgraded(keyOf('north-caller'), 'north', 'dialled');
  assert.match(lesser, /^HTTP\/1\.1 403 /);
  assert.equal(await upgraded(keyOf('north-caller'), 'north', 'none'), lesser);
  const nobody = await upgraded(undefined, 'north', 'dialled');
  assert.match(nobody, /^HTTP\/1\.1 401 /);
  for (const [key, space] of [
    ['bad', 'north'],
    [undefined, 'none'],
    ['bad', 'none'],
  ] as const)
    assert.equal(await upgraded(key, space, 'dialled'), nobody);
});

/** What a request for a tunnel is answered, to the byte. */
async function upgraded(key: string | undefined, space: string, agent: string): Promise<string> {
  const socket = connect(Number(new URL(tenants.space.url).port), '127.0.0.1');
  await once(socket, 'connect');
  const lines = [
    `GET /api/v1/spaces/${space}/agents/${agent}/tunnel HTTP/1.1`,
    'host: gateway',
    'connection: upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    `sec-websocket-key: ${Buffer.alloc(16).toString('base64')}`,
    ...(key === undefined ? [] : [`authorization: Bearer ${key}`]),
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return (await socket.setEncoding('utf8').toArray()).join('');
}
