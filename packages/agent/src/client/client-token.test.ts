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
    (url) => {
      const flows = { clientCredentials: { tokenUrl: `${url}/token`, scopes: {} } };
      const scheme =
        kind === 'oauth2'
          ? { type: 'oauth2', flows }
          : { type: 'openIdConnect', openIdConnectUrl: `${url}/.well-known/openid-configuration` };
      return cards({ login: scheme }, [{ login: ['a', 'b'] }])['0.3'](url);
    },
  );
  return { agent: await agent, asks };
}

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
