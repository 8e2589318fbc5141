import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Asked, cardOf, rawAgent } from '../../test/raw-agent.ts';
import { basic, cards, rpc10, yes } from '../../test/secured.ts';
import { AgentError, Client, type ClientOptions, type Credentials, type TokenAsk } from '../index.ts';

async function sent(t: TestContext, card: (url: string) => unknown, options: ClientOptions): Promise<Asked> {
  const agent = await rawAgent(t, yes, card);
  assert.equal((await (await Client.connect(agent.url, options)).sendMessage('hello')).kind, 'finished');
  return agent.asked[0] ?? assert.fail('nothing was asked');
}

test('C4 what each kind of scheme adds to a call, from cards of both versions', async (t) => {
  const flows = { authorizationCode: { authorizationUrl: 'https://x', tokenUrl: 'https://x', scopes: {} } };
  const kinds: [Record<string, unknown>, Credentials[string], (asked: Asked) => unknown, unknown][] = [
    [{ type: 'apiKey', in: 'header', name: 'X-Key' }, { apiKey: 'k' }, ({ headers }) => headers['x-key'], 'k'],
    [{ type: 'apiKey', in: 'query', name: 'key' }, { apiKey: 'k&' }, ({ query }) => query.get('key'), 'k&'],
    [{ type: 'apiKey', in: 'cookie', name: 'sid' }, { apiKey: 'k' }, ({ headers }) => headers.cookie, 'sid=k'],
    [
      { type: 'http', scheme: 'Basic' },
      { username: 'u', password: 'ü:p' },
      ({ headers }) => headers.authorization,
      basic('u:ü:p'),
    ],
    [{ type: 'http', scheme: 'bearer' }, { token: 'tok' }, ({ headers }) => headers.authorization, 'Bearer tok'],
    [{ type: 'oauth2', flows }, { token: async () => 'tok' }, ({ headers }) => headers.authorization, 'Bearer tok'],
    [
      { type: 'openIdConnect', openIdConnectUrl: 'https://x' },
      { token: 'tok' },
      ({ headers }) => headers.authorization,
      'Bearer tok',
    ],
    [{ type: 'mutualTLS' }, { certificate: 'presented-by-fetch' }, ({ headers }) => headers.authorization, undefined],
  ];
  for (const [scheme, credential, read, wanted] of kinds) {
    for (const card of Object.values(cards({ one: scheme }, [{ one: [] }]))) {
      assert.equal(read(await sent(t, card, { credentials: { one: credential } as Credentials })), wanted);
    }
  }
});

const KEY = { type: 'apiKey', in: 'header', name: 'x-key' };
const BEARER = { type: 'http', scheme: 'bearer' };

test('C4 requirements are an OR of ANDs: the first that is satisfied', async (t) => {
  const { '1.0': card } = cards({ key: KEY, login: BEARER, cert: { type: 'mutualTLS' } }, [
    { cert: [] },
    { key: [], login: [] },
    { login: [] },
  ]);
  const both = await sent(t, card, { credentials: { key: { apiKey: 'k' }, login: { token: 'x' } } });
  assert.deepEqual([both.headers['x-key'], both.headers.authorization], ['k', 'Bearer x']);
  const one = await sent(t, card, { credentials: { login: { token: 'x' } } });
  assert.deepEqual([one.headers['x-key'], one.headers.authorization], [undefined, 'Bearer x']);
  const { '1.0': open } = cards({ key: KEY }, [{}, { key: [] }]);
  assert.equal((await sent(t, open, { credentials: { key: { apiKey: 'k' } } })).headers['x-key'], undefined);
});

test('C4 none is satisfied: the error names what would do, before anything is sent', async (t) => {
  const { '0.3': card } = cards({ key: KEY, login: { type: 'http', scheme: 'Basic' }, cert: { type: 'mutualTLS' } }, [
    { cert: [] },
    { key: [], login: [] },
    { ghost: [] },
  ]);
  const agent = await rawAgent(t, yes, card);
  await assert.rejects(Client.connect(agent.url, { credentials: { key: { apiKey: 'secret' } } }), {
    name: 'CredentialsError',
    message: [
      'The agent wants credentials that were not given: "cert" (mutualTLS: give a fetch that presents the certificate, and { certificate: \'presented-by-fetch\' })',
      'or "key" (apiKey in header: give { apiKey }) and "login" (http Basic: give { username, password })',
      'or "ghost" (which the card does not declare).',
    ].join(', '),
  });
  assert.equal(agent.asked.length, 0);
  // Headers are the caller's own way.
  assert.equal((await sent(t, card, { headers: { 'X-Own': 'way' } })).headers['x-own'], 'way');
});

test("C4 a skill's own requirement is met beside the agent's", async (t) => {
  const skills = [
    {
      id: 'pay',
      name: 'Pay',
      description: 'Pays',
      tags: [],
      securityRequirements: [{ schemes: { login: { list: ['pay'] } } }],
    },
  ];
  const base = cards({ key: KEY, login: BEARER }, [{ key: [] }])['1.0'];
  const agent = await rawAgent(t, yes, (url) => ({ ...base(url), skills }));
  const asks: TokenAsk[] = [];
  const token = (ask: TokenAsk) => {
    asks.push(ask);
    return 'x';
  };
  const client = await Client.connect(agent.url, { credentials: { key: { apiKey: 'k' }, login: { token } } });
  await client.sendMessage({ parts: 'hello', skillId: 'pay' });
  await client.sendMessage({ parts: 'hello', skillId: 'other' });
  assert.deepEqual(
    agent.asked.map(({ headers }) => [headers['x-key'], headers.authorization]),
    [
      ['k', 'Bearer x'],
      ['k', undefined],
    ],
  );
  assert.deepEqual(asks, [{ scheme: 'login', scopes: ['pay'], refused: undefined, signal: undefined }]);
  const poor = await Client.connect(agent.url, { credentials: { key: { apiKey: 'k' } } });
  await assert.rejects(poor.sendMessage({ parts: 'hello', skillId: 'pay' }), {
    name: 'CredentialsError',
    message: /skill "pay" wants/,
  });
});

test("credentials go to the card's own origin alone, unless another is allowed", async (t) => {
  const other = await rawAgent(t, yes);
  const { '1.0': card } = cards({ key: KEY }, [{ key: [] }]);
  const agent = await rawAgent(t, yes, () => card(other.url));
  for (const options of [
    { credentials: { key: { apiKey: 'secret' } } },
    { headers: { authorization: 'Bearer secret' } },
  ]) {
    await assert.rejects(Client.connect(agent.url, options), {
      name: 'CredentialsError',
      message: `The card of ${agent.url} has calls go to ${other.url}: allow that origin with credentialOrigins.`,
    });
    const allowed = await Client.connect(agent.url, { ...options, credentialOrigins: [other.url] });
    assert.equal((await allowed.sendMessage('hello')).kind, 'finished');
  }
  assert.equal(other.asked.length, 2);
  // Without any there is nothing to guard.
  const open = await rawAgent(t, yes, () => cardOf([rpc10(other.url)]));
  const guest = await Client.connect(open.url);
  assert.equal((await guest.sendMessage('hello')).kind, 'finished');
  await assert.rejects(guest.sendMessage('hello', { headers: { authorization: 'Bearer secret' } }), {
    name: 'CredentialsError',
    message: new RegExp(`calls go to ${other.url}, another origin than its own`),
  });
  assert.equal(other.asked.length, 3);
});

test('no error repeats a credential', async (t) => {
  const secrets = ['s3cret\nX: y', 's3cret;a'];
  for (const secret of secrets) {
    for (const place of ['header', 'cookie'] as const) {
      const { '1.0': card } = cards({ key: { type: 'apiKey', in: place, name: 'k' } }, [{ key: [] }]);
      const agent = await rawAgent(t, yes, card);
      const client = await Client.connect(agent.url, { credentials: { key: { apiKey: secret } } });
      const error = await client.sendMessage('hello').then(
        () => undefined,
        (thrown: Error) => thrown,
      );
      if (error !== undefined) assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)}`, /s3cret/);
      else assert.ok(place === 'header' && secret === 's3cret;a');
    }
  }
  await assert.rejects(Client.connect('http://127.0.0.1:1', { headers: { a: 's3cret\n' } }), (error: Error) => {
    assert.equal(error.name, 'CredentialsError');
    return !error.message.includes('s3cret');
  });
  const { '1.0': card } = cards({ key: { type: 'apiKey', in: 'query', name: 'k' } }, [{ key: [] }]);
  const agent = await rawAgent(t, (_, response) => response.destroy(), card);
  const client = await Client.connect(agent.url, { credentials: { key: { apiKey: 's3cret' } } });
  await assert.rejects(
    client.getTask('t'),
    (error: Error) => !`${error.stack} ${JSON.stringify(error.cause)}`.includes('s3cret'),
  );
  await assert.rejects(client.getTask('t'), (error: unknown) => !(error instanceof AgentError));
});
