import assert from 'node:assert/strict';
import { test } from 'node:test';
import { card03, cardOf, json, type RawAgent, rawAgent, rpc, task } from '../../test/raw-agent.ts';
import { Client, type ClientOptions } from '../index.ts';

const rpc10 = (url: string) => ({ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' });

/** An agent whose cards stand where the test says; everything else is a page that is not found. */
function withCards(t: Parameters<typeof rawAgent>[0], cards: (url: string) => Readonly<Record<string, unknown>>) {
  const agent: Promise<RawAgent> = rawAgent(
    t,
    async ({ path, ...asked }, response) => {
      const found = cards((await agent).url)[path];
      if (asked.method === 'GET')
        return found === undefined ? response.writeHead(404).end('<html>') : json(response, found);
      return rpc(response, { path, ...asked }, task('COMPLETED', 'yes'));
    },
    'none',
  );
  return agent;
}

test('C2 C011 the card is looked for below the URL, which is joined and not replaced; C139 with a version', async (t) => {
  const agent = await rawAgent(
    t,
    ({ path }, response) =>
      path.startsWith('/tenant/agent/.well')
        ? json(response, cardOf([rpc10('rpc')]))
        : response.writeHead(405).end('<html>'),
    'none',
  );
  for (const url of [`${agent.url}/tenant/agent`, `${agent.url}/tenant/agent/?key=secret`]) {
    const client = await Client.connect(url);
    assert.equal(client.endpoint.url, `${agent.url}/tenant/agent/.well-known/rpc`);
    assert.equal(client.card.name, 'Raw');
  }
  for (const { path, query, headers } of agent.asked) {
    assert.equal(path, '/tenant/agent/.well-known/agent-card.json');
    assert.equal(query.size, 0);
    assert.equal(headers['a2a-version'], '1.0');
  }
});

test('C2 C010 a card that stands elsewhere is named, and taken when it is asked for', async (t) => {
  const agent = await withCards(t, (url) => ({
    '/agents/a/.well-known/agent.json': card03(url),
    '/.well-known/agent-card.json': cardOf([rpc10(url)]),
  }));
  const error = await Client.connect(`${agent.url}/agents/a`).then(
    () => assert.fail('there is no card'),
    (thrown: Error) => thrown,
  );
  assert.equal(error.name, 'CardError');
  assert.equal(
    error.message,
    [
      `No agent card at ${agent.url}/agents/a/.well-known/agent-card.json: HTTP 404.`,
      `There is one at the path of A2A 0.2: connect to ${agent.url}/agents/a/.well-known/agent.json if that is the agent.`,
      `There is one at the origin: connect to ${agent.url}/.well-known/agent-card.json if that is the agent.`,
    ].join(' '),
  );
  const old = await Client.connect(`${agent.url}/agents/a/.well-known/agent.json`);
  assert.equal(old.endpoint.version, '0.3');
  // C136: an old card, and answers as of 1.0.
  assert.equal((await old.sendMessage('hello')).text, 'yes');
});

test('no card: a page, a redirect, an error, a huge body, faults, each said', async (t) => {
  const answers: [(url: string) => unknown, RegExp][] = [
    [() => ({}), /\$\.name missing, .*\$\.supportedInterfaces missing/],
    [() => 'text', /not JSON/],
    [(url) => cardOf([], { supportedInterfaces: [], url: '', more: url }), /names no interface/],
  ];
  for (const [card, message] of answers) {
    const agent = await rawAgent(t, (_, response) => response.writeHead(404).end(), card);
    await assert.rejects(Client.connect(agent.url), { name: 'CardError', message });
  }
  const statuses: [number, Record<string, string>, RegExp][] = [
    [
      307,
      { location: 'https://other.example/x?key=secret' },
      /redirects are not followed; it points to https:\/\/other\.example\/x\.$/,
    ],
    [401, {}, /HTTP 401/],
  ];
  for (const [status, headers, message] of statuses) {
    const agent = await rawAgent(t, (_, response) => response.writeHead(status, headers).end(), 'none');
    await assert.rejects(Client.connect(agent.url), { name: 'CardError', message });
    assert.equal(agent.asked.length, 1);
  }
  const huge = await rawAgent(
    t,
    () => undefined,
    () => ({ x: 'x'.repeat(2_000_000) }),
  );
  await assert.rejects(Client.connect(huge.url), { name: 'TransportError', message: /larger than 1048576 bytes/ });
});

test('an address that is none is refused, and what it holds is not repeated', async () => {
  for (const address of ['agent.example', 'ftp://agent.example', 'http://user:secret@agent.example']) {
    const error = await Client.connect(address).then(
      () => assert.fail('connected'),
      (thrown: Error) => thrown,
    );
    assert.match(error.name, /CardError|CredentialsError/);
    assert.doesNotMatch(error.message, /secret/);
  }
});

test('binding and version come from the card, in its order; a preference is taken where it is offered', async () => {
  const both = cardOf([
    { url: 'https://a/grpc', protocolBinding: 'GRPC', protocolVersion: '1.0' },
    { url: 'https://a/new', protocolBinding: 'JSONRPC', protocolVersion: '2.0' },
    { url: 'https://a/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    { url: 'https://a/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url: 'https://a/old', protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
  ]);
  const chosen = async (card: object, options: ClientOptions = {}) => {
    const { url, binding, version } = (await Client.connect(card, options)).endpoint;
    return `${url} ${binding} ${version}`;
  };
  assert.equal(await chosen(both), 'https://a/rest HTTP+JSON 1.0');
  assert.equal(await chosen(both, { prefer: { binding: 'JSONRPC' } }), 'https://a/rpc JSONRPC 1.0');
  assert.equal(await chosen(both, { prefer: { version: '0.3' } }), 'https://a/old JSONRPC 0.3');
  assert.equal(
    await chosen(both, { prefer: { binding: 'HTTP+JSON', version: '1.0' } }),
    'https://a/rest HTTP+JSON 1.0',
  );
  const { preferredTransport: _, ...plain } = card03('https://a/');
  assert.equal(await chosen(plain), 'https://a/ JSONRPC 0.3');
  const more = card03('https://a/', {
    preferredTransport: 'GRPC',
    additionalInterfaces: [{ url: 'https://a/rest', transport: 'HTTP+JSON' }],
  });
  assert.equal(await chosen(more), 'https://a/rest HTTP+JSON 0.3');
  const unversioned = cardOf([{ url: 'https://a/', protocolBinding: 'JSONRPC' }]);
  assert.equal(await chosen(unversioned), 'https://a/ JSONRPC 1.0');
});

test('nothing fits: the error names what the card offers', async () => {
  const card = cardOf([
    { url: 'https://a/grpc', protocolBinding: 'GRPC', protocolVersion: '0.3' },
    { url: 'https://a/new', protocolBinding: 'JSONRPC', protocolVersion: '2.0' },
    { url: '', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
  ]);
  await assert.rejects(Client.connect(card), {
    name: 'CardError',
    message:
      'The card offers GRPC 0.3, JSONRPC 2.0, JSONRPC 1.0 without a url; this client speaks JSONRPC and HTTP+JSON, A2A 1.0 and 0.3, and GRPC, A2A 1.0.',
  });
  await assert.rejects(Client.connect({ name: 'x' }), {
    name: 'CardError',
    message: /no agent card: .*description missing/,
  });
});

test('C008 calls go to the endpoint that is given, whatever the card says', async (t) => {
  const agent = await rawAgent(
    t,
    (asked, response) => rpc(response, asked, task('COMPLETED', 'yes')),
    () => cardOf([rpc10('http://[::]:1/invoke')]),
  );
  const client = await Client.connect(agent.url, {
    endpoint: `${agent.url}/real`,
    headers: { authorization: 'Bearer x' },
  });
  assert.equal((await client.sendMessage('hello')).text, 'yes');
  assert.equal(agent.asked[0]?.path, '/real');
});
