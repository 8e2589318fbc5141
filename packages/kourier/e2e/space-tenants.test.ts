import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mayActAs, ROLES, type Role } from '../src/core/access/principal.ts';
import type { Answered, SpaceCaller } from './space/space-caller.ts';
import { keyOf } from './space/space-process.ts';
import { ToldSink } from './space/told-sink.ts';
import { type Owned, SPACES, type SpaceName, type TwoTenants, taskIn, twoTenants } from './space/two-tenants.ts';

interface Route {
  readonly role: Role;
  readonly body?: object;
  /** What a query may name of others. */
  readonly query?: string;
}

const HASH = 'a'.repeat(64);
const CARD = { name: 'New', description: 'New', url: 'http://127.0.0.1:1', protocolVersion: '0.3.0' };

/** Every route of the interface. One that is added has to be here, and to keep the tenants apart. */
const ROUTES: Readonly<Record<string, Route>> = {
  'get /agents': { role: 'caller', query: '?q=Shared&blocked=true' },
  'post /agents': { role: 'publisher', body: { id: '{agent}', card: CARD } },
  'get /agents/{agent}': { role: 'publisher' },
  'delete /agents/{agent}': { role: 'publisher' },
  'get /agents/{agent}/revisions': { role: 'publisher' },
  'get /agents/{agent}/revisions/{number}': { role: 'publisher' },
  'post /agents/{agent}/revisions/{number}/approve': { role: 'operator' },
  'post /agents/{agent}/revisions/{number}/refuse': { role: 'operator' },
  'post /route': { role: 'caller', body: { text: 'call only', skillId: 'act' } },
  'post /calls': { role: 'caller', body: { agentId: '{agent}', messageId: 'm', messageSha256: HASH } },
  'post /tasks/{task}/operations': { role: 'caller', body: { operation: 'get_task' } },
  'get /tasks': { role: 'caller' },
  'get /tasks/{task}': { role: 'caller' },
  'get /outbox': { role: 'operator' },
  'post /outbox/{queue}/replay': { role: 'operator' },
};

/** Answers about what there is in the caller's own Space, not about an id. */
const LISTS = new Set(['get /agents', 'post /route', 'get /tasks', 'get /outbox', 'post /agents']);

let tenants: TwoTenants;
let owned: Readonly<Record<SpaceName, Owned>>;
const ends: (() => unknown)[] = [];

before(async () => {
  const t = { after: (end: () => unknown) => void ends.push(end) };
  const sink = await ToldSink.start(t);
  tenants = await twoTenants(t, sink.spec);
  await sink.dieIn(tenants, ...SPACES);
  owned = { north: await taskIn(tenants, 'north'), south: await taskIn(tenants, 'south') };
});
after(async () => {
  for (const end of ends.toReversed()) await end();
});

type Ids = Readonly<Record<'agent' | 'task' | 'queue' | 'number', string>>;

const NOBODYS: Ids = {
  agent: 'no-such-agent',
  task: 'task-00000000-0000-4000-8000-000000000000',
  queue: '987654321',
  number: '1',
};
const idsOf = ({ agent, task, queue }: Owned): Ids => ({ agent, task, queue, number: '1' });

function filled(text: string, ids: Ids): string {
  return text.replace(/\{(agent|task|queue|number)\}/g, (_, name: keyof Ids) => ids[name]);
}

/** Asks one route of one Space, as whoever. */
function ask(caller: SpaceCaller, route: string, ids: Ids, space = caller.space): Promise<Answered> {
  const [method = '', path = ''] = route.split(' ');
  const { body, query = '' } = ROUTES[route] ?? {};
  const sent = body === undefined ? {} : { body: JSON.parse(filled(JSON.stringify(body), ids)) as unknown };
  return caller.ask(method.toUpperCase(), `/api/v1/spaces/${space}${filled(path, ids)}${query}`, sent);
}

const pairs = (): readonly (readonly [SpaceName, SpaceName])[] => [SPACES, [SPACES[1], SPACES[0]]];
const routes = Object.keys(ROUTES);

test('every route of the interface stands in this test', async () => {
  const { json } = await tenants.stranger('north').ask('GET', '/api/v1/openapi.json');
  const paths = Object.entries(json.paths as Record<string, Record<string, unknown>>);
  const all = paths.flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`));
  const below = all.map((route) => route.replace('/api/v1/spaces/{space}', ''));
  assert.deepEqual(below.toSorted(), [...routes, 'get /api/v1/spaces'].toSorted());
});

for (const route of routes) {
  test(`${route}: another tenant's Space answers as one that is not there, to every role`, async () => {
    for (const [own, foreign] of pairs()) {
      for (const role of ROLES) {
        const caller = tenants.caller(own, role);
        const ids = idsOf(owned[foreign]);
        const [theirs, none] = [await ask(caller, route, ids, foreign), await ask(caller, route, ids, 'no-such-space')];
        assert.equal(theirs.status, 404, theirs.text);
        assert.equal(theirs.bytes, none.bytes);
      }
    }
  });

  test(`${route}: what is another tenant's is no more there in one's own Space than what nobody has`, async () => {
    for (const [own, foreign] of pairs()) {
      const caller = tenants.caller(own, 'operator');
      const [theirs, none] = [await ask(caller, route, idsOf(owned[foreign])), await ask(caller, route, NOBODYS)];
      if (!LISTS.has(route)) {
        assert.equal(theirs.status, 404, theirs.text);
        assert.equal(theirs.bytes, none.bytes);
      }
      const { agent, task, remoteTask, remoteContext } = owned[foreign];
      const secrets = route === 'post /agents' ? [task] : [agent, task, remoteTask, remoteContext, `tenant-${foreign}`];
      for (const secret of secrets) assert.ok(!theirs.text.includes(secret), `${secret} in ${theirs.text}`);
      if (route === 'post /agents') await caller.ask('DELETE', `${caller.base}/agents/${agent}`);
    }
  });

  test(`${route}: no key and a key of nobody get one 401, whatever they name`, async () => {
    const answers: Answered[] = [];
    for (const key of [undefined, 'nobody', 'kourier_nobody_x']) {
      for (const space of [...SPACES, 'no-such-space'] as const) {
        const ids = space === 'no-such-space' ? NOBODYS : idsOf(owned[space]);
        answers.push(await ask(tenants.stranger(space, key), route, ids));
      }
    }
    assert.equal(answers[0]?.status, 401);
    assert.equal(new Set(answers.map(({ bytes }) => bytes)).size, 1);
  });

  test(`${route}: a lesser role is told so, whether or not there is what it names`, async () => {
    const { role: least } = ROUTES[route] as Route;
    for (const role of ROLES.filter((lesser) => !mayActAs(lesser, least))) {
      const caller = tenants.caller('north', role);
      const [known, none] = [await ask(caller, route, idsOf(owned.north)), await ask(caller, route, NOBODYS)];
      assert.deepEqual([known.status, known.json.code], [403, 'forbidden']);
      assert.equal(known.bytes, none.bytes);
    }
  });
}

test('methods that a path does not have tell nobody what there is', async () => {
  for (const path of new Set(routes.map((route) => route.split(' ')[1] ?? ''))) {
    for (const method of ['PUT', 'PATCH', 'OPTIONS', 'DELETE', 'HEAD'].filter(
      (other) => !routes.includes(`${other.toLowerCase()} ${path}`),
    )) {
      const to = (caller: SpaceCaller, space: string, ids: Ids) =>
        caller.ask(method, `/api/v1/spaces/${space}${filled(path, ids)}`);
      const caller = tenants.caller('south', 'operator');
      const [theirs, none] = [
        await to(caller, 'north', idsOf(owned.north)),
        await to(caller, 'no-such-space', NOBODYS),
      ];
      assert.equal(theirs.bytes, none.bytes, `${method} ${path}`);
      const [stranger, other] = [
        await to(tenants.stranger('north'), 'north', idsOf(owned.north)),
        await to(tenants.stranger('north'), 'no-such-space', NOBODYS),
      ];
      assert.equal(stranger.bytes, other.bytes, `${method} ${path}`);
    }
  }
});

test("C110 the tasks of another caller of one's own tenant are not there, but to operators who read", async () => {
  const other = tenants.stranger('north', keyOf('north-other'));
  for (const route of routes.filter((name) => name.includes('{task}'))) {
    const [theirs, none] = [await ask(other, route, idsOf(owned.north)), await ask(other, route, NOBODYS)];
    assert.equal(theirs.status, 404);
    assert.equal(theirs.bytes, none.bytes, route);
  }
  assert.deepEqual((await other.get('/tasks')).json.tasks, []);
  assert.equal((await other.get('/tasks?all=true')).status, 403);
  const operator = tenants.caller('north', 'operator');
  assert.equal((await operator.get(`/tasks/${owned.north.task}`)).status, 200);
  assert.equal((await ask(operator, 'post /tasks/{task}/operations', idsOf(owned.north))).status, 404);
});

test('each sees its own Space, and the one list of Spaces names no other', async () => {
  for (const [own, foreign] of pairs()) {
    const caller = tenants.caller(own);
    const { json, text } = await caller.ask('GET', '/api/v1/spaces');
    assert.deepEqual(
      json.spaces.map(({ spaceId }: { spaceId: string }) => spaceId),
      [own],
    );
    assert.ok(!text.includes(foreign));
    const { text: listed } = await caller.get('/agents?blocked=true');
    assert.ok(listed.includes(`only-${own}`) && !listed.includes(`only-${foreign}`));
  }
  const [none, bad] = [
    await tenants.stranger('north').ask('GET', '/api/v1/spaces'),
    await tenants.stranger('north', 'bad').ask('GET', '/api/v1/spaces'),
  ];
  assert.deepEqual([none.status, none.bytes], [401, bad.bytes]);
});

test('a dead letter of another tenant is neither listed nor sent again', async () => {
  for (const [own, foreign] of pairs()) {
    const { json } = await tenants.caller(own, 'operator').get('/outbox');
    assert.deepEqual(
      json.dead.map(({ id, sink }: { id: string; sink: string }) => [id, sink]),
      [[owned[own].queue, 'space:told']],
    );
    assert.notEqual(owned[own].queue, owned[foreign].queue);
  }
});
