import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ManualClock } from '../../test/manual-clock.ts';
import { sqliteSpaceStore } from '../adapters/space-store/sqlite/sqlite-space-store.ts';
import type { ConfiguredAgent, SpaceConfiguration } from '../ports/space/space-configuration.ts';
import { UpstreamFailed } from '../ports/space/upstream.ts';
import { CardWatch, type CardWatchParts, type WatchEvent } from './card-watch.ts';
import { Directory } from './directory.ts';
import { card10 } from './fixtures/cards.ts';
import { spacePolicy } from './fixtures/space-policy.ts';
import { SPACE_LIMITS } from './limits.ts';
import { type AgentPlace, Registration } from './registration.ts';

const HEALTH = { everyMs: 30_000, timeoutMs: 5_000, failures: 2 };
const CARD_URL = 'http://10.0.0.7/.well-known/agent-card.json';

const failed = (code: string) => new UpstreamFailed({ code, text: 'no', sent: false, retryable: true });

const configured = (id: string, more: Partial<ConfiguredAgent> = {}): ConfiguredAgent => ({
  ...{ space: 'demo', id, card: { kind: 'url', url: 'http://10.0.0.7' }, reach: 'inside', disabled: false },
  ...more,
});

type Fetch = (place: AgentPlace, signal: AbortSignal) => Promise<unknown>;

async function watching(
  t: TestContext,
  agents: readonly ConfiguredAgent[],
  fetch: Fetch,
  more: Partial<CardWatchParts> = {},
) {
  const store = sqliteSpaceStore({ path: ':memory:' });
  await store.open();
  t.after(() => store.close());
  const clock = new ManualClock(1_000);
  const directory = new Directory(store, []);
  const registration = new Registration({ store, clock });
  const events: WatchEvent[] = [];
  const configuration = { agents, spaces: new Map([['demo', spacePolicy()]]), health: HEALTH };
  const fetched: AgentPlace[] = [];
  const watch = new CardWatch({
    ...{ directory, registration, clock, observe: (event) => void events.push(event) },
    configuration: () => configuration as unknown as SpaceConfiguration,
    async fetchCard(place, signal) {
      fetched.push(place);
      return { card: await fetch(place, signal), cardUrl: place.cardUrl ?? '' };
    },
    probe: async () => undefined,
    ...more,
  });
  t.after(() => watch.stop());
  return { store, clock, directory, registration, events, configuration, fetched, watch };
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn += 1) await setImmediate();
};

test('configured agents come in, are looked at again and again, and go when the configuration leaves them out', async (t) => {
  let card = card10('http://any/rpc');
  const { watch, clock, directory, events, fetched, configuration } = await watching(
    t,
    [configured('a')],
    async () => card,
  );
  await watch.look();
  const agent = await directory.agent('demo', 'a');
  assert.deepEqual([agent?.cardUrl, agent?.origin, agent?.health.state], [CARD_URL, 'configuration', 'healthy']);
  assert.deepEqual(
    agent?.current?.endpoints.map(({ url }) => url),
    ['http://10.0.0.7/rpc'],
  );
  clock.pass(HEALTH.everyMs - 1);
  await settled();
  assert.equal(fetched.length, 1);
  card = { ...card, description: 'Other words.' };
  clock.pass(1);
  await settled();
  assert.equal(fetched.length, 2);
  assert.equal((await directory.agent('demo', 'a'))?.current?.number, 2);
  configuration.agents = [];
  await watch.look();
  assert.equal(await directory.agent('demo', 'a'), undefined);
  assert.deepEqual(
    events.map(({ event, code }) => (code === undefined ? event : `${event} ${code}`)),
    ['agent-registered', 'health-changed healthy', 'agent-revised', 'agent-removed'],
  );
});

test('a card that leads elsewhere by itself waits; a place that the configuration gives does not', async (t) => {
  let card = card10('http://any/rpc');
  const { watch, directory, configuration } = await watching(t, [configured('a')], async () => card);
  await watch.look();
  card = card10('http://any/other');
  await watch.look();
  assert.equal((await directory.agent('demo', 'a'))?.pending?.number, 2);
  configuration.agents = [configured('a', { url: 'http://10.0.0.8' })];
  await watch.look();
  const moved = await directory.agent('demo', 'a');
  assert.deepEqual(
    moved?.current?.endpoints.map(({ url }) => url),
    ['http://10.0.0.8/other'],
  );
  assert.equal(moved?.pending, undefined);
});

test('an agent that is to be disabled is, whether it shows its card or not', async (t) => {
  let isUp = true;
  const { watch, directory, configuration } = await watching(t, [configured('a')], () =>
    isUp ? Promise.resolve(card10('http://any/rpc')) : Promise.reject(failed('A2A_UPSTREAM_CONNECT_FAILED')),
  );
  await watch.look();
  isUp = false;
  configuration.agents = [configured('a', { disabled: true, credential: 'c' })];
  await watch.look();
  const agent = await directory.agent('demo', 'a');
  assert.deepEqual([agent?.disabled, agent?.credential], [true, 'c']);
});

test('who does not answer is unwell after so many looks, with a reason, and well after one that goes well', async (t) => {
  let why: string | undefined;
  const { watch, directory, events, fetched, store } = await watching(t, [configured('a')], async () => {
    if (why !== undefined) throw failed(why);
    return card10('http://any/rpc');
  });
  await watch.look();
  why = 'A2A_CARD_HTTP_503';
  await watch.look();
  assert.equal((await directory.agent('demo', 'a'))?.health.state, 'healthy');
  await watch.look();
  const { checkedAt: _, ...health } = (await directory.agent('demo', 'a'))?.health ?? assert.fail();
  assert.deepEqual(health, { state: 'unhealthy', failures: 2, why });
  const before = (await store.agent('demo', 'a'))?.sequence;
  await watch.look();
  assert.equal((await store.agent('demo', 'a'))?.sequence, before, 'what is known is not written again');
  why = undefined;
  await watch.look();
  assert.equal((await directory.agent('demo', 'a'))?.health.state, 'healthy');
  assert.deepEqual(
    events.slice(-2).map(({ code }) => code),
    ['A2A_CARD_HTTP_503', 'healthy'],
  );
  assert.equal(fetched.length, 5);
});

test('an agent whose card was never had is there as blocked, one whose given card is refused too; both are told once', async (t) => {
  const agents = [configured('a'), configured('b', { card: { kind: 'given', card: {} } })];
  const { watch, directory, events } = await watching(t, agents, () => Promise.reject(failed('A2A_CARD_HTTP_404')));
  for (const _ of ['told', 'told before']) await watch.look();
  const why = (await directory.agentsOf('demo')).map(({ id, health }) => `${id} ${health.why}`).sort();
  assert.deepEqual(why, ['a A2A_CARD_HTTP_404', 'b card-invalid']);
  const told = events.map(({ agent, event, code }) => `${agent} ${event} ${code}`).sort();
  assert.deepEqual(told, ['a health-changed A2A_CARD_HTTP_404', 'b agent-refused card-invalid']);
});

test('an agent that hangs is given up in its time, and holds up nobody', async (t) => {
  const agents = ['hangs', 'b'].map((id) => configured(id));
  const { watch, clock, directory } = await watching(t, agents, (place, signal) =>
    place.id === 'hangs'
      ? new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      : Promise.resolve(card10('http://any/rpc')),
  );
  const looked = watch.look();
  await settled();
  assert.equal((await directory.agent('demo', 'b'))?.health.state, 'healthy');
  clock.pass(HEALTH.timeoutMs);
  await looked;
  assert.equal((await directory.agent('demo', 'hangs'))?.health.why, 'A2A_HEALTH_TIMEOUT');
  assert.equal(clock.waits, 1, 'the next round, and nothing else');
});

test('thousands of agents are looked at, so many side by side', async (t) => {
  let [under, most] = [0, 0];
  const agents = Array.from({ length: 1_000 }, (_, at) => configured(`agent-${at}`));
  const { watch, fetched } = await watching(t, agents, async () => {
    under += 1;
    most = Math.max(most, under);
    await setImmediate();
    under -= 1;
    return card10('http://any/rpc');
  });
  await watch.look();
  assert.deepEqual([fetched.length, most], [1_000, SPACE_LIMITS.watchedAtOnce]);
});

test('a configuration that changes while a round runs is seen by the one that who asked waits for', async (t) => {
  const held = Promise.withResolvers<void>();
  const { watch, directory, configuration, fetched } = await watching(t, [configured('a')], async () => {
    await held.promise;
    return card10('http://any/rpc');
  });
  const first = watch.look();
  await settled();
  configuration.agents = [configured('a'), configured('b')];
  const others = [watch.look(), watch.look()];
  held.resolve();
  await first;
  assert.equal(await directory.agent('demo', 'b'), undefined);
  await Promise.all(others);
  assert.notEqual(await directory.agent('demo', 'b'), undefined);
  assert.equal(fetched.length, 3, 'one round for both');
});

test('stopping ends the looks under way, and none comes after', async (t) => {
  const agents = Array.from({ length: 100 }, (_, at) => configured(`agent-${at}`));
  const { watch, clock, fetched, events } = await watching(
    t,
    agents,
    (_place, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  const looked = watch.look();
  await settled();
  await watch.stop();
  await looked;
  await watch.look();
  assert.deepEqual([fetched.length, clock.waits, events], [SPACE_LIMITS.watchedAtOnce, 0, []]);
});

test('a store that fails ends no watch: the next round comes', async (t) => {
  const { watch, clock, directory, events } = await watching(t, [configured('a')], async () =>
    card10('http://any/rpc'),
  );
  const agentsOf = directory.agentsOf.bind(directory);
  directory.agentsOf = () => Promise.reject(new TypeError('no store'));
  await watch.look();
  assert.deepEqual(
    events.map(({ event, code }) => `${event} ${code}`),
    ['watch-failed TypeError: no store'],
  );
  directory.agentsOf = agentsOf;
  clock.pass(HEALTH.everyMs);
  await settled();
  assert.notEqual(await directory.agent('demo', 'a'), undefined);
});

test('one agent that fails as nobody foresaw does not keep the others from being looked at', async (t) => {
  const { watch, directory, events } = await watching(
    t,
    ['a', 'b'].map((id) => configured(id)),
    async ({ id }) => {
      if (id === 'a') throw new TypeError('a bug');
      return card10('http://any/rpc');
    },
  );
  await watch.look();
  assert.deepEqual(events[0], { event: 'watch-failed', space: 'demo', agent: 'a', code: 'TypeError: a bug' });
  assert.notEqual(await directory.agent('demo', 'b'), undefined);
});

test('an agent that was registered is watched at its card, one with a given card is asked for any answer', async (t) => {
  const probed: string[] = [];
  const { watch, registration, fetched, directory } = await watching(
    t,
    [],
    async () => card10('https://a.example/rpc'),
    {
      probe: async ({ id }) => {
        probed.push(id);
        throw failed('A2A_PROBE_HTTP_500');
      },
    },
  );
  const place: AgentPlace = { space: 'demo', id: 'u', reach: 'public', origin: 'http', disabled: false };
  const asked = { policy: spacePolicy(), card: card10('https://a.example/rpc'), by: 'ada', mayApprove: false };
  await registration.register({ ...asked, place: { ...place, cardUrl: 'https://a.example/card.json' } });
  await registration.register({ ...asked, place: { ...place, id: 'g' } });
  await watch.look();
  await watch.look();
  assert.deepEqual(
    [fetched.map(({ id }) => id), probed],
    [
      ['u', 'u'],
      ['g', 'g'],
    ],
  );
  assert.equal((await directory.agent('demo', 'u'))?.health.state, 'healthy');
  assert.equal((await directory.agent('demo', 'g'))?.health.why, 'A2A_PROBE_HTTP_500');
});

test('a public agent is left alone where the Space calls none; one whose tunnel is elsewhere is not called unwell', async (t) => {
  const { watch, registration, configuration, fetched, directory } = await watching(t, [], () =>
    Promise.reject(failed('A2A_TUNNEL_NOT_CONNECTED')),
  );
  const asked = { policy: spacePolicy(), card: card10('https://a.example/rpc'), by: 'ada', mayApprove: false };
  const place: AgentPlace = {
    ...{ space: 'demo', id: 'p', reach: 'public', origin: 'http', disabled: false },
    cardUrl: 'https://a.example/card.json',
  };
  await registration.register({ ...asked, place });
  await registration.register({ ...asked, place: { ...place, id: 't', reach: 'tunnel' } });
  configuration.spaces.set('demo', spacePolicy({ egress: { public: false, ports: [443], trustedHosts: [] } }));
  for (const _ of [1, 2, 3]) await watch.look();
  assert.deepEqual([...new Set(fetched.map(({ id }) => id))], ['t']);
  assert.equal((await directory.agent('demo', 't'))?.health.state, 'unknown');
});
