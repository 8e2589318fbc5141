import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { AgentBuilder, type ServedAgent, serveAgent } from '@agentkourier/agent';
import type { RequestEntry } from '../src/core/thread/entry.ts';
import { folderFor, ProductProcess } from './process/product-process.ts';
import { answersOf, noticesOf, ThreadClient, type Timeline } from './process/thread-client.ts';
import { SpaceCaller } from './space/space-caller.ts';
import { apiKey, documentOf, keyOf, SpaceProcess } from './space/space-process.ts';

const FORECAST = { id: 'forecast', name: 'Weather forecast', description: 'Rain, wind and snow.', tags: ['weather'] };
const INVOICE = { id: 'invoices', name: 'Invoice desk', description: 'Bills and payments.', tags: ['invoice'] };
const RESTART = { id: 'restart', name: 'Restart services', description: 'After asking.', tags: ['restart'] };

interface Town {
  readonly space: SpaceProcess;
  readonly config: string;
  readonly data: string;
  readonly cards: Readonly<Record<'weather' | 'billing' | 'ops', { readonly card: { readonly url: string } }>>;
  /** Each message that an agent got, with the agent before it. */
  readonly heard: string[];
  /** Lets the turns whose words are `hold` end. */
  readonly release: () => void;
}

/** Two agents that say who they are, one that asks, a Space that has them all, and bindings for each way into it. */
async function town(t: TestContext, timings: object = {}): Promise<Town> {
  const heard: string[] = [];
  const held = Promise.withResolvers<void>();
  const serve = async (name: string, skill: typeof FORECAST): Promise<ServedAgent> => {
    const agent = new AgentBuilder({ name, description: 'Says who it is.' });
    agent.skill(skill, async function* ({ text }) {
      const words = text.slice(text.indexOf('\n') + 1);
      heard.push(`${name}: ${words}`);
      yield `${name} `;
      if (words.startsWith('hold')) await held.promise;
      yield `heard ${words}`;
    });
    return serveAgent(agent);
  };
  const asking = new AgentBuilder({ name: 'Ops', description: 'Asks first.', humanInTheLoop: true });
  asking.skill(RESTART, async function* ({ ask, approve, tool }) {
    const service = (await ask('Which service?')).split('\n').at(-1) ?? '';
    const call = { name: 'restart', args: { service } };
    if (!(await approve(call, `Restart ${service}?`))) return yield 'I left it alone.';
    await tool(call, async () => ({ restarted: true }));
    yield `Restarted ${service}.`;
  });
  const served = [await serve('weather', FORECAST), await serve('billing', INVOICE), await serveAgent(asking)];
  t.after(() => Promise.all(served.map((agent) => agent.close())));
  const [weather, billing, ops] = served.map(({ url }) => ({ card: { url: `${url}/.well-known/agent-card.json` } }));
  assert.ok(weather && billing && ops);
  const cards = { weather, billing, ops };
  const space = await SpaceProcess.start(t, spaceOf(cards));
  const folder = folderFor(t);
  const config = join(folder, 'kourier.yaml');
  writeFileSync(config, configuration(space, timings));
  return { space, config, cards, heard, release: held.resolve, data: join(folder, 'data') };
}

/** A Space with these agents, and one who calls it. */
function spaceOf(agents: Readonly<Record<string, object>>): readonly object[] {
  return [
    documentOf('Space', 'space-demo', {}),
    apiKey('courier', 'default', { 'space-demo': 'caller' }),
    ...Object.entries(agents).map(([name, spec]) => documentOf('SpaceAgent', name, { space: 'space-demo', ...spec })),
  ];
}

function configuration({ url }: SpaceProcess, timings: object): string {
  const interactions = { questions: { timeout: '1h' }, toolApprovals: { timeout: '1h' } };
  const stringData = { right: keyOf('courier'), wrong: keyOf('nobody') };
  const connection = (name: string, key: string): object =>
    documentOf('SpaceConnection', name, { url, id: 'space-demo', keySecretRef: { name: 'space', key } });
  const binding = (name: string, space: object, connected = 'work'): object =>
    documentOf('Binding', name, { space: { name: connected, ...space }, chat: { platform: 'web' }, interactions });
  const documents = [
    documentOf('Settings', 'settings', { timings }),
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'space' }, stringData },
    connection('work', 'right'),
    connection('locked', 'wrong'),
    binding('any', { route: {} }),
    binding('skilled', { skill: 'invoices' }),
    binding('unskilled', { skill: 'invoicing' }),
    binding('named', { agent: 'weather' }),
    binding('asking', { skill: 'restart' }),
    binding('stranger', { route: {} }, 'locked'),
  ];
  return documents.map((document) => JSON.stringify(document)).join('\n---\n');
}

const start = (t: TestContext, { config, data }: Town): Promise<ProductProcess> =>
  ProductProcess.start(t, '--config', config, '--data', data);

async function said(client: ThreadClient, binding: string, text: string): Promise<Timeline> {
  return client.settled(await client.open(binding, text));
}

const noticeText = ({ entries }: Timeline): string =>
  entries.flatMap((entry) => (entry.kind === 'notice' ? [entry.text] : [])).join('\n');

test('a thread gets its agent by its first message, by a skill or by name, and its later messages go there', async (t) => {
  const over = await town(t);
  const { url } = await start(t, over);
  const client = new ThreadClient(url);
  const thread = await client.open('any', 'Will there be rain or snow? A weather forecast, please.');
  assert.match(answersOf(await client.settled(thread)).join(), /^weather heard Will there be rain/);
  await client.say(thread, 'And the invoice desk: pay my invoice');
  assert.match(answersOf(await client.settled(thread))[1] ?? '', /^weather heard And the invoice desk/);
  assert.match(answersOf(await said(client, 'any', 'Pay my invoice')).join(), /^billing heard/);
  assert.match(answersOf(await said(client, 'skilled', 'weather forecast')).join(), /^billing heard/);
  assert.match(answersOf(await said(client, 'named', 'Pay my invoice')).join(), /^weather heard/);
  const { bindings } = (await (await fetch(`${url}/api/v1/bindings`)).json()) as { bindings: readonly object[] };
  const [any, , , named] = bindings as { agent: { name: string } | null }[];
  assert.deepEqual(any, { name: 'any', backend: null, space: 'work', platform: 'web', agent: null });
  assert.equal(named?.agent?.name, 'weather');
});

test('no fit, a tie, an unknown skill and a blocked agent are told, and a better word in the same thread finds one', async (t) => {
  const over = await town(t);
  const { cards, space, heard } = over;
  await space.kill();
  space.configure(spaceOf({ ...cards, ops: { ...cards.ops, disabled: true } }));
  await space.startAgain();
  const client = new ThreadClient((await start(t, over)).url);
  const thread = await client.open('any', 'weather invoice');
  const tie = await client.settled(thread);
  assert.deepEqual(noticesOf(tie), ['no-agent']);
  assert.match(noticeText(tie), /several agents of the Space fit it alike \((weather, billing|billing, weather)\)/);
  assert.deepEqual(heard, []);
  await client.say(thread, 'The weather, I mean');
  assert.match(answersOf(await client.settled(thread)).join(), /^weather heard The weather/);
  for (const [binding, words, expected] of [
    ['any', 'xyzzy', /no agent of the Space fits it/],
    ['unskilled', 'Pay', /no agent of the Space has the skill that this binding names/],
    ['asking', 'Restart', /cannot be called now \(ops\)/],
  ] as const) {
    const told = await said(client, binding, words);
    assert.deepEqual(noticesOf(told), ['no-agent'], binding);
    assert.match(noticeText(told), expected);
  }
  assert.deepEqual(noticesOf(await said(client, 'stranger', 'Weather')), ['credentials-rejected']);
});

test('an agent that its Space blocks or drops later is told as that at once, and comes back with its Space', async (t) => {
  const over = await town(t, { retryBackoffInitial: '20ms', retryBackoffMax: '50ms', giveUpAfter: '300ms' });
  const { cards, space, heard } = over;
  const stands = async (agents: Readonly<Record<string, object>>): Promise<void> => {
    await space.kill();
    space.configure(spaceOf(agents));
    await space.startAgain();
  };
  const client = new ThreadClient((await start(t, over)).url);
  const said = async (thread: string, text: string): Promise<Timeline> => {
    await client.say(thread, text);
    return client.settled(thread);
  };
  const thread = await client.open('any', 'Weather forecast');
  await client.settled(thread);
  await stands({ ...cards, weather: { ...cards.weather, disabled: true } });
  const blocked = await said(thread, 'And tomorrow?');
  assert.deepEqual(noticesOf(blocked), ['no-agent']);
  assert.match(noticeText(blocked), /agent of this thread \(weather\) cannot be called: it is turned off in its Space/);
  const { weather: _, ...others } = cards;
  await stands(others);
  const gone = await said(thread, 'The day after?');
  assert.deepEqual(noticesOf(gone), ['no-agent', 'no-agent']);
  assert.match(noticeText(gone), /\(weather\) cannot be called: its Space has no such agent, or not for this binding/);
  // A binding that names it has nobody either, from its first message on.
  const named = await client.settled(await client.open('named', 'Rain?'));
  assert.deepEqual(noticesOf(named), ['no-agent']);
  await stands(cards);
  assert.equal(answersOf(await said(thread, 'Now?')).at(-1), 'weather heard Now?');
  assert.deepEqual(heard, ['weather: Weather forecast', 'weather: Now?']);
});

test('a task whose agent is blocked under it is told at once, not followed until it seems dead', async (t) => {
  const over = await town(t, { streamDropDelay: '20ms', followBackoffInitial: '20ms', followBackoffMax: '50ms' });
  const { space, cards, release } = over;
  t.after(release);
  const client = new ThreadClient((await start(t, over)).url);
  const thread = await client.open('any', 'hold the weather forecast');
  const reader = await client.events(thread);
  await reader.until(({ event, data }) => event === 'entry' && data.kind === 'answer');
  await space.kill();
  space.configure(spaceOf({ ...cards, weather: { ...cards.weather, disabled: true } }));
  await space.startAgain();
  await reader.until(({ event, data }) => event === 'status' && data.status === 'idle');
  reader.close();
  assert.deepEqual(noticesOf(await client.settled(thread)), ['no-agent']);
});

test('killed in mid-answer, the courier goes on with the same agent, though the Space would now say another', async (t) => {
  const over = await town(t, { streamDropDelay: '20ms', followBackoffInitial: '20ms', retryBackoffInitial: '20ms' });
  const { space, cards, heard, release } = over;
  const first = await start(t, over);
  const before = new ThreadClient(first.url);
  const thread = await before.open('any', 'hold the weather forecast');
  const reader = await before.events(thread);
  await reader.until(({ event, data }) => event === 'entry' && data.kind === 'answer');
  reader.close();
  await first.kill();
  await space.kill();
  const skilled = async (name: 'weather' | 'billing', skills: readonly object[]): Promise<object> => {
    const card = (await (await fetch(cards[name].card.url)).json()) as object;
    return { card: { inline: { ...card, skills } } };
  };
  space.configure(
    spaceOf({ weather: await skilled('weather', [INVOICE]), billing: await skilled('billing', [FORECAST]) }),
  );
  await space.startAgain();
  const caller = new SpaceCaller(space.url, 'space-demo', keyOf('courier'));
  const { json: route } = await caller.post('/route', { text: 'hold the weather forecast' });
  assert.deepEqual([route.outcome, route.agent?.agentId], ['agent', 'billing']);
  const client = new ThreadClient((await start(t, over)).url);
  release();
  assert.deepEqual(answersOf(await client.settled(thread)), ['weather heard hold the weather forecast']);
  await client.say(thread, 'Another weather forecast');
  assert.equal(answersOf(await client.settled(thread))[1], 'weather heard Another weather forecast');
  assert.equal(answersOf(await said(client, 'any', 'Weather forecast')).join(), 'billing heard Weather forecast');
  assert.deepEqual(heard, [
    'weather: hold the weather forecast',
    'weather: Another weather forecast',
    'billing: Weather forecast',
  ]);
});

test('questions and approvals pass the gateway both ways', async (t) => {
  const over = await town(t);
  const client = new ThreadClient((await start(t, over)).url);
  const thread = await client.open('asking', 'Restart something');
  const reader = await client.events(thread);
  const opened = async (): Promise<RequestEntry> => {
    let found: RequestEntry | undefined;
    await reader.until(({ event, data }) => {
      if (event === 'entry' && data.kind === 'request' && data.state === 'open') found = data;
      return found !== undefined;
    });
    return found ?? assert.fail();
  };
  const question = await opened();
  assert.equal(question.questions[0]?.question, 'Which service?');
  const decide = (id: string, given: object) =>
    client.post(`/api/v1/requests/${id}/answer`, { actor: { id: 'u1' }, ...given });
  await decide(question.id, { answers: [['api']] });
  const approval = await opened();
  assert.deepEqual(
    approval.tools.map(({ name }) => name),
    ['restart'],
  );
  await decide(approval.id, { approvals: approval.tools.map(({ id }) => ({ id, approved: true })) });
  reader.close();
  assert.match(answersOf(await client.settled(thread)).join(), /Restarted api\.$/);
});

test('a Space that is away is asked until it is back, and given up in time', async (t) => {
  const timings = { retryBackoffInitial: '20ms', retryBackoffMax: '50ms', giveUpAfter: '1h' };
  const over = await town(t, timings);
  await over.space.kill();
  const product = await start(t, over);
  const client = new ThreadClient(product.url);
  const thread = await client.open('any', 'Weather forecast');
  const reader = await client.events(thread);
  await reader.until(({ event, data }) => event === 'status' && data.status === 'queued');
  reader.close();
  await over.space.startAgain();
  assert.deepEqual(answersOf(await client.settled(thread)), ['weather heard Weather forecast']);
  await over.space.kill();
  product.signal('SIGTERM');
  await product.ended();
  writeFileSync(over.config, configuration(over.space, { ...timings, giveUpAfter: '100ms' }));
  const told = await said(new ThreadClient((await start(t, over)).url), 'any', 'Weather forecast');
  assert.deepEqual(noticesOf(told), ['unreachable']);
  assert.match(noticeText(told), /because its Space did not say who it is/);
});
