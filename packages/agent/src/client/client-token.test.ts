import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Asked, json, type RawAgent, rawAgent, TestClock } from '../../test/raw-agent.ts';
import { basic, cards, yes } from '../../test/secured.ts';
import { Client, type TokenAsk } from '../index.ts';

test('a token that is refused is asked for anew, once', async (t) => {
  const { '1.0': card } = cards({ login: { type: 'http', scheme: 'bearer' } }, [{ login: [] }]);
  const agent = await rawAgent(
    t,
    (asked, response) => {
      if (asked.headers.authorization === 'Bearer new') yes(asked, response);
      else json(response, {}, 401);
    },
    card,
  );
  const refused: (string | undefined)[] = [];
  const tokens = (second: string) => (ask: TokenAsk) => {
    refused.push(ask.refused);
    return ask.refused === undefined ? 'old' : second;
  };
  const good = await Client.connect(agent.url, { credentials: { login: { token: tokens('new') } } });
  assert.equal((await good.sendMessage('hello')).kind, 'finished');
  assert.deepEqual(refused, [undefined, 'old']);
  const bad = await Client.connect(agent.url, { credentials: { login: { token: tokens('older') } } });
  await assert.rejects(bad.sendMessage('hello'), { name: 'AgentError', status: 401 });
  const fixed = await Client.connect(agent.url, { credentials: { login: { token: 'old' } } });
  await assert.rejects(fixed.sendMessage('hello'), { name: 'AgentError', status: 401 });
  assert.equal(agent.asked.length, 5);
});

/** An agent whose token endpoint gives tokens by number, each good for an hour. */
async function tokenAgent(
  t: TestContext,
  takes: (token: string) => boolean,
  kind: 'oauth2' | 'openIdConnect' = 'oauth2',
) {
  let tokens = 0;
  const asks: Asked[] = [];
  const agent: Promise<RawAgent> = rawAgent(
    t,
    async (asked, response) => {
      if (asked.path === '/.well-known/openid-configuration') {
        return json(response, { token_endpoint: `${(await agent).url}/token` });
      }
      if (asked.path === '/token') {
        asks.push(asked);
        tokens += 1;
        return json(response, { access_token: `t${tokens}`, token_type: 'Bearer', expires_in: 3_600 });
      }
      if (takes((asked.headers.authorization ?? '').replace('Bearer ', ''))) return yes(asked, response);
      return json(response, {}, 401);
    },
    secured(kind),
  );
  return { agent: await agent, asks };
}

const secured = (kind: 'oauth2' | 'openIdConnect') => (url: string) => {
  const flows = { clientCredentials: { tokenUrl: `${url}/token`, scopes: {} } };
  const scheme =
    kind === 'oauth2'
      ? { type: 'oauth2', flows }
      : { type: 'openIdConnect', openIdConnectUrl: `${url}/.well-known/openid-configuration` };
  return cards({ login: scheme }, [{ login: ['a', 'b'] }])['0.3'](url);
};

const CLIENT = { login: { clientId: 'my client', clientSecret: 's:ecret' } };

test('oauth2: the client credentials flow, its token kept until it expires, renewed once when it is refused', async (t) => {
  const { agent, asks } = await tokenAgent(t, (token) => token !== 't1');
  const clock = new TestClock(() => false);
  const client = await Client.connect(agent.url, { credentials: CLIENT, clock });
  await Promise.all([client.sendMessage('a'), client.sendMessage('b')]);
  await client.sendMessage('c');
  assert.equal(asks.length, 2);
  assert.equal(asks[0]?.text, 'grant_type=client_credentials&scope=a+b');
  assert.equal(asks[0].headers.authorization, basic('my%20client:s%3Aecret'));
  clock.nowMs += 3_571_000;
  await client.sendMessage('d');
  assert.equal(asks.length, 3);
});

test('openIdConnect: the token endpoint is discovered', async (t) => {
  const { agent, asks } = await tokenAgent(t, () => true, 'openIdConnect');
  const client = await Client.connect(agent.url, { credentials: CLIENT });
  await client.sendMessage('a');
  await client.sendMessage('b');
  assert.equal(asks.length, 1);
  assert.equal(agent.asked.filter(({ method }) => method === 'GET').length, 1);
});

test('no token: the error says where from and why, and not what was sent', async (t) => {
  const agent = await rawAgent(
    t,
    ({ path }, response) =>
      path === '/token' ? json(response, { error: 'invalid_client' }, 401) : response.writeHead(500).end(),
    (url) =>
      cards({ login: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: `${url}/token` } } } }, [{ login: [] }])[
        '1.0'
      ](url),
  );
  const client = await Client.connect(agent.url, { credentials: CLIENT });
  await assert.rejects(client.sendMessage('hello'), {
    name: 'CredentialsError',
    message: `No token from ${agent.url}: HTTP 401 invalid_client.`,
  });
});

test("a client's secret goes to no token endpoint that only the card names, elsewhere", async (t) => {
  const thief = await rawAgent(t, yes);
  const flows = { clientCredentials: { tokenUrl: `${thief.url}/token`, scopes: {} } };
  const agent = await rawAgent(t, yes, cards({ login: { type: 'oauth2', flows } }, [{ login: [] }])['0.3']);
  const client = await Client.connect(agent.url, { credentials: CLIENT });
  await assert.rejects(client.sendMessage('hello'), {
    name: 'CredentialsError',
    message: new RegExp(`client secret sent to ${thief.url}: allow it with credentialOrigins, or give tokenUrl`),
  });
  assert.equal(thief.asked.length, 0);
  const given = { login: { ...CLIENT.login, tokenUrl: `${thief.url}/own` } };
  await assert.rejects((await Client.connect(agent.url, { credentials: given })).sendMessage('hello'), /No token from/);
  assert.equal(thief.asked[0]?.path, '/own');
});

/** An agent that answers no request for a token before it is told to. */
async function holdingAgent(t: TestContext, kind: 'oauth2' | 'openIdConnect') {
  const [begun, closed, permit] = [1, 2, 3].map(() => Promise.withResolvers<void>());
  assert.ok(begun && closed && permit);
  let open = 0;
  const agent = await rawAgent(
    t,
    async (asked, response) => {
      if (asked.path === '/') return yes(asked, response);
      open += 1;
      begun.resolve();
      response.once('close', () => {
        open -= 1;
        if (open === 0) closed.resolve();
      });
      await permit.promise;
      json(response, { access_token: 'late', expires_in: 3_600 });
    },
    secured(kind),
  );
  const client = await Client.connect(agent.url, { credentials: CLIENT });
  return { agent, client, begun: begun.promise, closed: closed.promise, release: permit.resolve };
}

for (const kind of ['oauth2', 'openIdConnect'] as const) {
  test(`${kind}: an abort ends the waiting for a token, and the request for it when nobody waits any more`, async (t) => {
    const { agent, client, begun, closed, release } = await holdingAgent(t, kind);
    const callers = [new AbortController(), new AbortController()];
    const ends = callers.map(({ signal }) => client.sendMessage('hello', { signal }).catch((error: unknown) => error));
    await begun;
    for (const [index, caller] of callers.entries()) {
      const reason = new Error(`enough of ${index}`);
      caller.abort(reason);
      assert.equal(await ends[index], reason);
    }
    await closed;
    assert.ok(agent.asked.every(({ path }) => path !== '/'));
    if (kind === 'openIdConnect') return;
    release();
    assert.equal((await client.sendMessage('hello')).kind, 'finished');
  });
}

test('a token that several calls wait for is not lost to the others when one is called off', async (t) => {
  const { agent, client, begun, release } = await holdingAgent(t, 'oauth2');
  const caller = new AbortController();
  const first = client.sendMessage('hello', { signal: caller.signal });
  const second = client.sendMessage('hello');
  await begun;
  caller.abort(new Error('enough'));
  await assert.rejects(first, { message: 'enough' });
  release();
  assert.equal((await second).kind, 'finished');
  assert.deepEqual(
    agent.asked.map(({ path }) => path),
    ['/token', '/'],
  );
});

test("an abort ends the waiting for a caller's own token, and the signal tells whoever fetches it", async (t) => {
  const { '1.0': card } = cards({ login: { type: 'http', scheme: 'bearer' } }, [{ login: [] }]);
  const agent = await rawAgent(t, yes, card);
  const caller = new AbortController();
  let told: AbortSignal | undefined;
  const token = ({ signal }: TokenAsk) => {
    told = signal;
    queueMicrotask(() => caller.abort(new Error('enough')));
    return new Promise<string>(() => undefined);
  };
  const client = await Client.connect(agent.url, { credentials: { login: { token } } });
  await assert.rejects(client.sendMessage('hello', { signal: caller.signal }), { message: 'enough' });
  assert.equal(told, caller.signal);
  assert.equal(agent.asked.length, 0);
});
