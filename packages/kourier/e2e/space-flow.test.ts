import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Answered, messageOf, SpaceCaller, sha256Of } from './space/space-caller.ts';
import { apiKey, documentOf, keyOf, SpaceProcess } from './space/space-process.ts';
import { dialledOut, type TwoTenants, twoTenants } from './space/two-tenants.ts';

let tenants: TwoTenants;
let anna: SpaceCaller;
const ends: (() => unknown)[] = [];
const t = { after: (end: () => unknown) => void ends.push(end) };

before(async () => {
  tenants = await twoTenants(t);
  anna = tenants.caller('north');
});
after(async () => {
  for (const end of ends.toReversed()) await end();
});

/** What the gateway says of a call that it did not carry. */
const reasonOf = ({ status, json }: Answered) => [
  status,
  json.error.data[0].metadata?.reason ?? json.error.data[0].reason,
];

async function prepared(message: Readonly<Record<string, unknown>>, agent = 'shared', caller = anna) {
  const answered = await caller.prepare(agent, message);
  assert.equal(answered.status, 201, answered.text);
  return answered.json as { readonly taskId: string; readonly permit: string; readonly url: string };
}

/** For an operation on a task. */
async function permitted(taskId: string, body: object): Promise<string> {
  const answered = await anna.post(`/tasks/${taskId}/operations`, body);
  assert.equal(answered.status, 201, answered.text);
  return answered.json.permit;
}

const permit = (text: string) => ({ 'a2a-space-permit': text });

test('discover, prepare, permit, send: the task is bound, and on record as it was answered', async () => {
  const found = await anna.get('/agents?q=shared');
  assert.deepEqual(found.json.agents.map(({ agentId }: { agentId: string }) => agentId).sort(), [
    'only-north',
    'shared',
  ]);
  const message = messageOf('hello');
  const { taskId, permit: given, url } = await prepared(message);
  assert.equal((await anna.get(`/tasks/${taskId}`)).json.status, 'submitted');
  assert.equal(url, `${tenants.space.url}/spaces/north/agents/shared`);
  const sent = await anna.send('shared', message, given);
  assert.equal(sent.headers.get('a2a-space-task'), taskId);
  const { id, contextId, status, artifacts } = sent.json.result.task;
  assert.equal(artifacts[0].parts[0].text, 'You said: hello');
  assert.equal(status.state, 'TASK_STATE_COMPLETED');
  const { json } = await anna.get(`/tasks/${taskId}`);
  assert.deepEqual([json.remoteTaskId, json.remoteContextId, json.status], [id, contextId, 'completed']);
});

test('a permit is good for one call as it was prepared, and for no other', async () => {
  const message = messageOf('hello');
  const other = messageOf('hello');
  const { taskId, permit: given } = await prepared(message);
  const asked = tenants.shared.reached.length;
  const north = (name: string) => new SpaceCaller(tenants.space.url, 'north', keyOf(name));
  const refusals: readonly (readonly [string, string, Promise<Answered>])[] = [
    ['another message', 'permit-other-message', anna.send('shared', other, given)],
    [
      'a word of it changed',
      'permit-other-message',
      anna.send('shared', { ...message, parts: [{ text: 'Hello' }] }, given),
    ],
    ['more than was prepared', 'permit-other-message', anna.send('shared', { ...message, metadata: { a: 1 } }, given)],
    ['another caller', 'permit-other-caller', north('north-other').send('shared', message, given)],
    ['an operator', 'permit-other-caller', north('north-operator').send('shared', message, given)],
    ['another agent', 'permit-other-target', anna.send('only-north', message, given)],
    ['another operation', 'permit-other-target', anna.rpc('shared', 'GetTask', { id: 'x' }, permit(given))],
    ['no permit', 'permit-invalid', anna.send('shared', message, 'x.y.z')],
    ['a changed one', 'permit-invalid', anna.send('shared', message, `${given.slice(0, -4)}AAAA`)],
    [
      'the gateway’s other tokens',
      'permit-invalid',
      anna.send(
        'shared',
        message,
        given.replace(/^[^.]+/, Buffer.from('{"alg":"none","typ":"a2a-permit+jwt"}').toString('base64url')),
      ),
    ],
    ['another one behind it', 'permit-invalid', anna.send('shared', message, `${given}, ${given}`)],
  ];
  for (const [why, reason, answered] of refusals) assert.deepEqual(reasonOf(await answered), [403, reason], why);
  assert.equal(tenants.shared.reached.length, asked, 'the agent was asked by none of them');
  assert.equal((await tenants.caller('south').send('shared', message, given)).status, 403);
  assert.equal((await anna.get(`/tasks/${taskId}`)).json.status, 'submitted');
  const sent = await anna.send('shared', message, given);
  assert.equal(sent.headers.get('a2a-space-task'), taskId);
  assert.deepEqual(reasonOf(await anna.send('shared', message, given)), [403, 'permit-used']);
});

test('permits for operations: each for its own, cancel once, reading again and again', async () => {
  const message = messageOf('ask');
  const { taskId, permit: given } = await prepared(message);
  assert.equal(
    (await anna.post(`/tasks/${taskId}/operations`, { operation: 'get_task' })).json.code,
    'A2A_REMOTE_TASK_NOT_BOUND',
  );
  const { id } = (await anna.send('shared', message, given)).json.result.task;
  const get = await permitted(taskId, { operation: 'get_task' });
  for (const _ of [1, 2])
    assert.equal(
      (await anna.rpc('shared', 'GetTask', { id }, permit(get))).json.result.status.state,
      'TASK_STATE_INPUT_REQUIRED',
    );
  const refused = async (method: string, text: string, params: object = { id }) =>
    reasonOf(await anna.rpc('shared', method, params, permit(text)));
  assert.deepEqual(await refused('CancelTask', get), [403, 'permit-other-operation']);
  assert.deepEqual(await refused('SendMessage', get, { message: messageOf('Oslo', { taskId: id }) }), [
    403,
    'permit-other-operation',
  ]);
  const other = (await anna.send('shared', messageOf('ask'))).json.result.task.id;
  assert.deepEqual(await refused('GetTask', get, { id: other }), [403, 'permit-other-target']);
  assert.deepEqual(await refused('ListTasks', get, {}), [200, 'INVALID_PARAMS']);
  const reply = messageOf('Oslo', { taskId: id });
  const going = await permitted(taskId, {
    operation: 'send_message',
    messageId: reply['messageId'],
    messageSha256: sha256Of(reply),
  });
  assert.match((await anna.send('shared', reply, going)).text, /City: Oslo/);
  const cancel = await permitted(taskId, { operation: 'cancel_task' });
  assert.equal((await anna.rpc('shared', 'CancelTask', { id }, permit(cancel))).json.error.code, -32_002);
  assert.deepEqual(await refused('CancelTask', cancel), [403, 'permit-used']);
});

test('what is prepared is bounded: a blocked agent, another version, a key for two messages, members that do not fit', async () => {
  const code = async (answered: Promise<Answered>) => [(await answered).status, (await answered).json.code];
  assert.deepEqual(await code(anna.prepare('dialled', messageOf('x'))), [409, 'agent-blocked']);
  assert.deepEqual(await code(anna.prepare('none', messageOf('x'))), [404, 'not-found']);
  assert.deepEqual(await code(anna.prepare('shared', messageOf('x'), { expectedVersionId: 'v9-0' })), [
    409,
    'A2A_TARGET_VERSION_CHANGED',
  ]);
  assert.equal((await anna.prepare('shared', messageOf('x'), { idempotencyKey: 'k' })).status, 201);
  assert.deepEqual(await code(anna.prepare('shared', messageOf('y'), { idempotencyKey: 'k' })), [
    409,
    'idempotency-conflict',
  ]);
  // The key is the caller's own: of others it says nothing.
  assert.equal(
    (await tenants.caller('north', 'publisher').prepare('shared', messageOf('z'), { idempotencyKey: 'k' })).status,
    201,
  );
  assert.equal((await tenants.caller('south').prepare('shared', messageOf('z'), { idempotencyKey: 'k' })).status, 201);
  assert.deepEqual(await code(anna.post('/calls', { agentId: 'shared', messageId: 'm', messageSha256: 'x' })), [
    422,
    'invalid-request',
  ]);
});

test('the same message is the same task, with a permit and without; another under its id is refused', async () => {
  const message = messageOf('once');
  const first = await anna.send('shared', message);
  const runs = tenants.shared.runs.length;
  const again = await anna.send('shared', message);
  const { taskId, permit: given } = await prepared(message);
  const third = await anna.send('shared', message, given);
  const ids = [first, again, third].map((answered) => answered.headers.get('a2a-space-task'));
  assert.deepEqual(ids, [taskId, taskId, taskId]);
  assert.deepEqual(again.json.result, first.json.result);
  assert.equal(tenants.shared.runs.length, runs, 'and it ran once');
  const changed = await anna.send('shared', { ...message, parts: [{ text: 'twice' }] });
  assert.equal(changed.json.error.code, -32_602);
});

test('C109 C112 the agent is told who calls by the gateway alone; a header or a tenant of the caller reaches nobody', async () => {
  const message = messageOf('who');
  const spoofed = {
    'x-user-id': 'root',
    'x-forwarded-for': '10.0.0.1',
    'a2a-forwarded-identity': 'forged',
    cookie: 'a=b',
    'x-api-key': 'k',
    forwarded: 'for=1',
    'a2a-space-permit': (await prepared(message, 'gated')).permit,
  };
  const answered = await anna.rpc('gated', 'SendMessage', { message }, spoofed);
  assert.equal(answered.json.result.task.artifacts[0].parts[0].text, 'acme/north/service/north-caller');
  const { headers } = tenants.gated.reached.at(-1) ?? assert.fail();
  const told = Object.keys(headers).filter((name) => Object.keys(spoofed).includes(name) || name === 'authorization');
  assert.deepEqual(told, ['a2a-forwarded-identity']);
  assert.notEqual(headers['a2a-forwarded-identity'], 'forged');
  const forged = await anna.rpc('shared', 'SendMessage', { message: messageOf('x'), tenant: 'tenant-south' });
  assert.deepEqual([forged.status, forged.json.error.code], [200, -32_602]);
  // Past the gateway the agent speaks to nobody, its card included.
  for (const path of ['/', '/.well-known/agent-card.json', '/a2a/jsonrpc'])
    assert.equal(
      (
        await fetch(tenants.gated.url + path, {
          headers: { 'a2a-forwarded-identity': String(headers['a2a-forwarded-identity']) },
        })
      ).status,
      401,
    );
});

test('C008 C013 C014 C020 no card, list or answer names where an agent is, whatever Host is asked for', async () => {
  const operator = tenants.caller('north', 'caller');
  for (const agent of ['shared', 'old', 'gated']) {
    const path = `/spaces/north/agents/${agent}/.well-known/agent-card.json`;
    const card = await operator.ask('GET', path, {
      headers: { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' },
    });
    const text = card.text + (await operator.get('/agents')).text;
    for (const { url } of [tenants.shared, tenants.old, tenants.gated])
      assert.ok(!text.includes(new URL(url).host), text);
    assert.ok(!text.includes('evil.example'));
    const places = [card.json.url, ...(card.json.supportedInterfaces ?? []).map((place: { url: string }) => place.url)];
    for (const place of places.filter((url) => url !== undefined))
      assert.ok(String(place).startsWith(`${tenants.space.url}/spaces/north/agents/${agent}`), place);
  }
});

test('an agent that dialled out is called like any other, and is blocked without its tunnel', async () => {
  const blocked = await anna.send('dialled', messageOf('hi'));
  assert.deepEqual(reasonOf(blocked), [503, 'not-connected']);
  const tunnel = await dialledOut(t, tenants, 'north');
  await tenants.space.logged('agent-registered', '"agent":"dialled"');
  const answered = await anna.send('dialled', messageOf('through'));
  assert.match(answered.text, /You said: through/);
  assert.deepEqual(reasonOf(await tenants.caller('south').send('dialled', messageOf('hi'))), [503, 'not-connected']);
  await tenants.space.kill();
  await tenants.space.startAgain();
  await tunnel.printed(/^kourier: connected/, 2);
  assert.match((await anna.send('dialled', messageOf('again'))).text, /You said: again/);
  tunnel.signal('SIGTERM');
  assert.equal(await tunnel.ended(), 0);
});

test('a permit that has expired is refused, when clocks that differ are allowed for', async (context) => {
  const space = await SpaceProcess.start(
    context,
    [
      documentOf('Gateway', 'gateway', { permits: { validFor: '1s' } }),
      documentOf('Space', 'north', { tenant: 'acme' }),
      apiKey('anna', 'acme', { north: 'caller' }),
      documentOf('SpaceAgent', 'shared', { space: 'north', card: { url: tenants.shared.url } }),
    ],
    { node: ['--import', new URL('space/jumping-clock.ts', import.meta.url).href] },
  );
  const caller = new SpaceCaller(space.url, 'north', keyOf('anna'));
  const message = messageOf('late');
  const { taskId, permit: given } = (await caller.prepare('shared', message)).json;
  space.process.signal('SIGUSR2');
  await space.process.printed(/^the clock jumped$/);
  assert.deepEqual(reasonOf(await caller.send('shared', message, given)), [403, 'permit-expired']);
  const again = (await caller.prepare('shared', message)).json;
  assert.equal(again.taskId, taskId);
  assert.equal((await caller.send('shared', message, again.permit)).status, 200);
});
