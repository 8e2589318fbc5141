import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { CardHost } from './space/card-host.ts';
import { FarAgent, PUBLIC_ADDRESS } from './space/far-agent.ts';
import { SINK_SECRET_DOCUMENT } from './space/sink-secret.ts';
import { type Answered, messageOf, SpaceCaller } from './space/space-caller.ts';
import { apiKey, documentOf, keyOf, SpaceProcess } from './space/space-process.ts';

const CREDENTIAL = documentOf('Credential', 'vendor', {
  origins: ['https://agent.example'],
  headers: [{ name: 'x-vendor-key', value: 'of-the-vendor' }],
});
const FAR_AGENT = {
  reach: 'public',
  credential: 'vendor',
  card: { inline: FarAgent.card('https://agent.example/rpc') },
};
const SINK = { name: 'within', url: 'https://agent.example/hook', secretRef: { name: 'sink', key: 'signing' } };

/** The Space `open` may call the internet, `shut` may not. */
const documents = (isShut = true): readonly object[] => [
  SINK_SECRET_DOCUMENT,
  CREDENTIAL,
  documentOf('Space', 'open', { egress: { public: true }, events: [SINK] }),
  documentOf('Space', 'shut', { egress: { public: !isShut } }),
  documentOf('Gateway', 'gateway', { health: { every: '1h', timeout: '1m' } }),
  apiKey('anna', 'default', { open: 'operator', shut: 'operator' }),
  documentOf('SpaceAgent', 'far-open', { ...FAR_AGENT, space: 'open', id: 'far' }),
  documentOf('SpaceAgent', 'far-shut', { ...FAR_AGENT, space: 'shut', id: 'far' }),
];

async function stage(t: TestContext) {
  const far = await FarAgent.start(t);
  const node = ['--import', new URL('space/far-network.ts', import.meta.url).href];
  const space = await SpaceProcess.start(t, documents(), { node });
  // Asked once for its card and, within the hour of a test, no more: what comes from here on was caused by the test.
  await space.logged('health-changed', '"space":"open","agent":"far","code":"healthy"');
  const anna = (name: string) => new SpaceCaller(space.url, name, keyOf('anna'));
  const { lines } = space.process;
  return { far, space, anna, lines, dialled: () => lines.filter((line) => line.startsWith('dialled ')) };
}

const reasonOf = ({ status, json }: Answered) => [status, json.error?.data[0].metadata.reason];
const cardReason = ({ status, json }: Answered) => [status, json.code, json.reason];

test('C175 C176 C178 a name is judged at each call: one that was public and leads inside later is refused, and no credential goes out', async (t) => {
  const { far, anna, dialled } = await stage(t);
  const sent = await anna('open').send('far', messageOf('hi'));
  assert.equal(sent.json.result?.message.parts[0].text, 'from afar', sent.text);
  assert.equal(far.asked.find(({ path }) => path === '/rpc')?.headers['x-vendor-key'], 'of-the-vendor');
  // The Space's own webhook of what was sent is at the same name, and on its way.
  await far.arrived('/hook');
  const [asked, connections] = [far.asked.length, dialled().length];
  for (const addresses of [
    ['127.0.0.1'],
    ['10.0.0.1'],
    [PUBLIC_ADDRESS, '::1'],
    ['169.254.169.254'],
    ['::ffff:127.0.0.1'],
  ]) {
    far.leadTo(...addresses);
    const refused = await anna('open').send('far', messageOf('hi'));
    assert.deepEqual(reasonOf(refused), [503, 'A2A_EGRESS_ADDRESS_REFUSED'], addresses.join());
    assert.equal(refused.json.error.data[0].metadata.sent, 'false');
  }
  assert.equal(far.asked.length, asked);
  assert.ok(
    dialled()
      .slice(connections)
      .every((line) => line === `dialled ${PUBLIC_ADDRESS}`),
    dialled().join(),
  );
  far.leadTo(PUBLIC_ADDRESS);
  assert.equal((await anna('open').send('far', messageOf('hi'))).status, 200);
});

test('a public agent of a Space that does not allow it is not looked up, and neither is its card; allowed live, it is called', async (t) => {
  const { far, space, anna, lines } = await stage(t);
  const names = lines.filter((line) => line === 'looked up agent.example').length;
  const asked = far.asked.length;
  for (const prepare of [false, true]) {
    if (prepare)
      assert.equal((await anna('shut').prepare('far', messageOf('hi'))).json.reason, 'public-egress-disabled');
    else assert.deepEqual(reasonOf(await anna('shut').send('far', messageOf('hi'))), [409, 'public-egress-disabled']);
  }
  const registered = await anna('shut').post('/agents', {
    id: 'new',
    cardUrl: 'https://agent.example/',
    reach: 'public',
  });
  assert.deepEqual(cardReason(registered), [422, 'card-unavailable', 'A2A_PUBLIC_EGRESS_DISABLED']);
  assert.equal(lines.filter((line) => line === 'looked up agent.example').length, names);
  assert.equal(far.asked.length, asked);
  space.configure(documents(false));
  await space.logged('health-changed', '"space":"shut","agent":"far","code":"healthy"');
  assert.equal((await anna('shut').send('far', messageOf('hi'))).status, 200);
});

test('C022 C113 a redirect is followed by nobody: not for a card, not for a call, here and inside', async (t) => {
  const { far, anna } = await stage(t);
  const inside = await CardHost.start(t);
  const elsewhere = await CardHost.start(t);
  const operator = anna('open');
  const redirect = { location: `${elsewhere.url}/.well-known/agent-card.json` };
  inside.answer = (response) => response.writeHead(307, redirect).end();
  far.answer = (_path, response) => {
    response.writeHead(302, redirect).end();
    return true;
  };
  const card = await operator.post('/agents', { id: 'new', cardUrl: 'https://agent.example/', reach: 'public' });
  assert.deepEqual(cardReason(card), [422, 'card-unavailable', 'A2A_EGRESS_REDIRECT_REFUSED']);
  const within = await operator.post('/agents', { id: 'new', cardUrl: inside.url, reach: 'inside' });
  assert.deepEqual(cardReason(within), [422, 'card-unavailable', 'A2A_UPSTREAM_REDIRECT_REFUSED']);
  const call = await operator.send('far', messageOf('hi'));
  assert.deepEqual(reasonOf(call), [502, 'A2A_EGRESS_REDIRECT_REFUSED']);
  assert.ok(!call.text.includes('127.0.0.1'), 'where it pointed is for the log');
  assert.equal(elsewhere.cards + elsewhere.called.length, 0);
});

test('C005 C010 C022 what is no card of an agent that may be called is refused, each by its code, and nothing is stored', async (t) => {
  const { far, anna } = await stage(t);
  const register = (body: object) => anna('open').post('/agents', { id: 'new', reach: 'public', ...body });
  const at = (cardUrl: string) => register({ cardUrl });
  const given = (card: object) => register({ card });
  const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
  for (const url of ['file:///etc/passwd', 'htp://h/card.json', '/etc/passwd', 'javascript:1'])
    assert.equal((await at(url)).json.code, 'invalid-request', url);
  for (const [url, code] of [
    ['http://agent.example/', 'A2A_EGRESS_SCHEME_REFUSED'],
    ['https://agent.example:8443/', 'A2A_EGRESS_PORT_REFUSED'],
    ['https://user:pass@agent.example/', 'A2A_EGRESS_USERINFO_REFUSED'],
    ['https://nowhere.example/', 'A2A_EGRESS_DNS_FAILED'],
    ['https://169.254.169.254/', 'A2A_EGRESS_ADDRESS_REFUSED'],
    ['https://[::ffff:10.0.0.1]/', 'A2A_EGRESS_ADDRESS_REFUSED'],
    ['https://2130706433/', 'A2A_EGRESS_ADDRESS_REFUSED'],
  ] as const)
    assert.deepEqual(cardReason(await at(url)), [422, 'card-unavailable', code], url);
  const answers = async (
    code: string,
    answer: (response: Parameters<NonNullable<FarAgent['answer']>>[1]) => unknown,
  ) => {
    far.answer = (_path, response) => {
      answer(response);
      return true;
    };
    assert.deepEqual(cardReason(await at('https://agent.example/')), [422, 'card-unavailable', code]);
  };
  const huge = JSON.stringify(FarAgent.card('https://agent.example/rpc', { description: 'x'.repeat(1_100_000) }));
  await answers('A2A_CARD_TOO_LARGE', (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(huge),
  );
  const deep = JSON.stringify(FarAgent.card('https://agent.example/rpc', { deep: nested(100) }));
  await answers('A2A_CARD_NOT_JSON', (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(deep),
  );
  await answers('A2A_CARD_NOT_JSON', (response) => response.writeHead(200).end('<html>'));
  await answers('A2A_CARD_HTTP_404', (response) => response.writeHead(404).end('{}'));
  const reason = async (card: object) => {
    const { json } = await given(card);
    return [json.code, json.reason];
  };
  assert.deepEqual(await reason(FarAgent.card('http://agent.example/rpc')), ['card-refused', 'endpoint-not-https']);
  assert.deepEqual(await reason(FarAgent.card('')), ['card-refused', 'card-without-endpoint']);
  assert.deepEqual(await reason(FarAgent.card('file:///etc/passwd')), ['card-refused', 'card-without-endpoint']);
  // Of a body the door judges the depth, whatever it is for.
  const tooDeep = await given(FarAgent.card('https://agent.example/rpc', { deep: nested(100) }));
  assert.deepEqual([tooDeep.status, tooDeep.json.code], [400, 'malformed-request']);
  assert.deepEqual(await reason(JSON.parse(huge)), ['card-refused', 'card-too-large']);
  assert.equal((await given({ name: 'x'.repeat(2_200_000) })).status, 413);
  const { agents } = (await anna('open').get('/agents?blocked=true')).json;
  assert.deepEqual(
    agents.map(({ agentId }: { agentId: string }) => agentId),
    ['far'],
  );
});

test('C118 a webhook that leads inside is called by nobody: a sink at each delivery, and those of callers are not taken', async (t) => {
  const { far, space, anna } = await stage(t);
  const { promise: held, resolve: hold } = Promise.withResolvers<ServerResponse>();
  far.answer = (path, response) => {
    if (path === '/hook') hold(response);
    return path === '/hook';
  };
  assert.equal((await anna('open').send('far', messageOf('hi'))).status, 200);
  // Answered only when the name leads elsewhere: the next try is on its way soon after.
  const hook = await held;
  far.leadTo('127.0.0.1');
  const before = far.asked.length;
  hook.writeHead(503).end();
  await space.logged('event-failed', '"error":"A2A_EGRESS_ADDRESS_REFUSED"');
  assert.equal(far.asked.length, before);
  for (const url of ['http://127.0.0.1/', 'https://169.254.169.254/', 'https://hook.example/']) {
    const config = { taskId: 't', id: 'p', url };
    const push = await anna('open').rpc('far', 'CreateTaskPushNotificationConfig', config);
    assert.equal(push.json.error.code, -32_003);
    for (const name of ['taskPushNotificationConfig', 'pushNotificationConfig', 'push_notification']) {
      const beside = { message: messageOf('hi'), configuration: { [name]: config } };
      for (const method of ['SendMessage', 'SendStreamingMessage', 'message/send'])
        assert.equal((await anna('open').rpc('far', method, beside)).json.error.code, -32_003, `${method} ${name}`);
    }
  }
  assert.equal(far.asked.length, before);
});
