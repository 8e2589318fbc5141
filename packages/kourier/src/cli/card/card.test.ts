import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CARD, type Ran, runCard as run } from '../../../test/card-command.ts';
import { UsageError } from '../usage-error.ts';

const OLD = {
  ...{ protocolVersion: '0.3.0', url: 'http://h:1/a2a', preferredTransport: 'HTTP+JSON' },
  ...{ name: 'Agent', description: 'Answers.', version: '1', capabilities: {}, skills: [] },
  ...{ defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] },
};
const last = ({ out }: Ran): string => out.trimEnd().split('\n').at(-1) ?? '';
const fails = ({ out }: Ran): readonly string[] => out.split('\n').filter((line) => line.startsWith('FAIL'));
const RPC = { jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'no task' } };

describe('card validate FILE', () => {
  test('valid, and by which evidence; not valid, with every fault', async () => {
    const good = await run('validate card.json', { files: { 'card.json': CARD } });
    assert.equal(good.held, true);
    assert.match(good.out, /^card.json: judged as A2A 1.0, since its JSON-RPC interface says protocolVersion "1.0"\n/);
    const bad = await run('validate -', { files: { '-': { ...CARD, name: 1, skills: {} } } });
    assert.equal(bad.held, false);
    assert.deepEqual(fails(bad), [
      'FAIL  $.name: found the number 1; A2A 1.0 allows a text',
      'FAIL  $.skills: found an object; A2A 1.0 allows an array',
    ]);
    assert.equal(last(bad), 'not valid: 2 faults, 1 note');
  });

  test('--protocol judges by that version', async () => {
    const { out, held } = await run('validate card.json --protocol 0.3', { files: { 'card.json': CARD } });
    assert.match(out, /judged as A2A 0.3, since it was asked for/);
    assert.equal(held, false);
  });

  test('--json', async () => {
    const { out } = await run('validate card.json --json', { files: { 'card.json': { ...CARD, tools: [] } } });
    const { ok, version, rule, faults, notes } = JSON.parse(out) as Record<string, unknown>;
    assert.deepEqual([ok, version, rule, faults], [true, '1.0', 'interface', []]);
    assert.deepEqual(
      (notes as { kind: string }[]).map(({ kind }) => kind),
      ['not-of-a-card', 'advice'],
    );
  });

  test('a member that stands twice is a fault: readers differ in what such a card says', async () => {
    const text = JSON.stringify(CARD).replace('"url":', '"url":"https://other/","url":');
    assert.deepEqual(fails(await run('validate c', { files: { c: text } })), [
      'FAIL  $.supportedInterfaces[0].url: found the member twice; readers differ in which of them counts',
    ]);
  });

  test('what cannot be read is wrong usage, with the line; depth is bounded', async () => {
    const deep = `{"x":${'['.repeat(100)}${']'.repeat(100)}}`;
    for (const [text, expected] of [
      [undefined, 'c cannot be read (ENOENT); write the path of a card'],
      ['{\n"a": 1,\n}', 'c:3: not JSON; write a card'],
      [' ', 'c: empty; write a card'],
      [deep, 'c: deeper than 64 levels; write a card'],
      ['['.repeat(500_001), 'c: too many objects and arrays; write a card'],
    ] as const)
      await assert.rejects(run('validate c', { files: { c: text } }), (error) => {
        assert.ok(error instanceof UsageError);
        assert.equal(error.message, expected);
        return true;
      });
  });

  test('C023 what stands in a card makes no line and no colour of its own', async () => {
    const supportedInterfaces = [{ ...CARD.supportedInterfaces[0], protocolVersion: '1.0-\u202e' }];
    const hostile = { ...CARD, supportedInterfaces, version: 'x\u001b[31m', 'ok\nvalid': 1 };
    const { out } = await run('validate c', { files: { c: hostile } });
    assert.doesNotMatch(out.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u);
    assert.equal(out.split('\n').filter((line) => line.startsWith('valid')).length, 1);
  });
});

describe('card validate URL', () => {
  const WELL_KNOWN = 'GET http://h:1/a2a/.well-known/agent-card.json';
  const live = { 'POST http://h:1/a2a': RPC };

  test('a base is looked up at the well-known path; then what the card names is called', async () => {
    const ran = await run('validate http://h:1/a2a/?key=1', { web: { [WELL_KNOWN]: CARD, ...live } });
    assert.deepEqual([fails(ran), ran.held], [[], true]);
    assert.deepEqual(ran.calls, [WELL_KNOWN, 'POST http://h:1/a2a GetTask']);
  });

  test('C2 a card at the 0.2 path only is named as such', async () => {
    for (const [address, path] of [
      ['http://h:1/a2a', '/a2a/.well-known/agent.json'],
      ['http://h:1/.well-known/agent.json', '/.well-known/agent.json'],
    ]) {
      const ran = await run(`validate ${address}`, { web: { [`GET http://h:1${path}`]: CARD, ...live } });
      assert.match(
        fails(ran).join(),
        /^FAIL {2}\$: found a card at \/.well-known\/agent.json only, the place of A2A 0.2; clients look at http:\/\/h:1\/\S*agent-card.json$/,
      );
      assert.equal(ran.held, false);
    }
  });

  test('C010 so is one at the origin, and one at the address itself', async () => {
    const origin = await run('validate http://h:1/a2a', {
      web: { 'GET http://h:1/.well-known/agent-card.json': CARD, ...live },
    });
    assert.match(fails(origin).join(), /of the origin only/);
    const self = await run('validate http://h:1/a2a', { web: { 'GET http://h:1/a2a': CARD, ...live } });
    assert.match(fails(self).join(), /at the address of the agent itself.*FAIL.*the address of the card itself/);
  });

  test('an address that ends in .json is that of the card', async () => {
    const ran = await run('validate http://h:1/v1/card.json', {
      web: { 'GET http://h:1/v1/card.json': CARD, ...live },
    });
    assert.deepEqual([ran.held, ran.calls[0]], [true, 'GET http://h:1/v1/card.json']);
  });

  test('C001 an empty card is one fault for each missing field', async () => {
    const ran = await run('validate http://h:1/a2a', { web: { [WELL_KNOWN]: {} } });
    assert.equal(fails(ran).length, 8);
    const elsewhere = await run('validate http://h:1/a2a', { web: { 'GET http://h:1/a2a': { status: 'up' } } });
    assert.match(elsewhere.complaints.join(), /no agent card at .* \/a2a: not a card/);
  });

  test('C011 C022 no card anywhere: one line that says what each place answered, and exit code 1', async () => {
    const redirect = {
      kind: 'redirect',
      why: 'HTTP 302: redirects are not followed; it pointed to http://169.254.169.254/',
    };
    const ran = await run('validate http://h:1/a2a', { web: { [WELL_KNOWN]: redirect } });
    assert.deepEqual([ran.held, ran.out], [false, '']);
    assert.deepEqual(ran.complaints, [
      'kourier: no agent card at http://h:1/a2a: /a2a/.well-known/agent-card.json: HTTP 302: redirects are not followed; it pointed to http://169.254.169.254/, /a2a/.well-known/agent.json: HTTP 404, /.well-known/agent-card.json: HTTP 404, /a2a: HTTP 404; write the address of an agent, or of its card',
    ]);
    const gone = await run('validate http://h:1/a2a', {
      web: { [WELL_KNOWN]: { kind: 'failed', why: 'no connection' } },
    });
    assert.equal(gone.calls.length, 1, 'a server that does not answer is asked once');
  });

  test('C3 C016 what answers is not what the card says', async () => {
    const post = (answer: unknown) =>
      run('validate http://h:1/a2a', { web: { [WELL_KNOWN]: CARD, 'POST http://h:1/a2a': answer } });
    const wrong = { kind: 'answer', status: 405, text: 'no' };
    assert.deepEqual(fails(await post(wrong)), [
      'FAIL  $.supportedInterfaces[0].url: found HTTP 405 without an answer of that kind; A2A 1.0 allows what answers JSONRPC, as $.supportedInterfaces[0].protocolBinding says',
    ]);
    assert.match(
      fails(await post({ kind: 'failed', why: 'no connection (ECONNREFUSED)' })).join(),
      /no answer: no connection/,
    );
    assert.match(fails(await post({ ok: true })).join(), /HTTP 200 without/);
    assert.deepEqual(fails(await post({ kind: 'answer', status: 401, text: '' })), []);
  });

  test('C3 HTTP+JSON is looked at as each version writes it; GRPC is not', async () => {
    const task = 'GET http://h:1/a2a/v1/tasks/kourier-card-validate';
    const old = await run('validate http://h:1/a2a', {
      web: { [WELL_KNOWN]: OLD, [task]: { kind: 'answer', status: 404, text: '{"code":-32001}' } },
    });
    assert.deepEqual([fails(old), old.calls.at(-1)], [[], task]);
    const none = await run('validate http://h:1/a2a', { web: { [WELL_KNOWN]: OLD } });
    assert.match(fails(none).join(), /\$\.url: found HTTP 404 .* answers HTTP\+JSON, as \$\.preferredTransport says/);
    const entry = { url: 'http://h:1/a2a', protocolVersion: '1.0' };
    const supportedInterfaces = [
      { ...entry, protocolBinding: 'HTTP+JSON' },
      { ...entry, protocolBinding: 'GRPC' },
    ];
    const modern = await run('validate http://h:1/a2a', { web: { [WELL_KNOWN]: { ...CARD, supportedInterfaces } } });
    assert.deepEqual(modern.calls, [WELL_KNOWN, 'GET http://h:1/a2a/tasks/kourier-card-validate']);
    assert.match(modern.out, /note {2}\$\.supportedInterfaces\[1\]\.url: what answers there was not looked at/);
  });

  test('C022 a card sends us to no other host', async () => {
    const url = 'http://169.254.169.254/latest';
    const supportedInterfaces = [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
    const ran = await run('validate http://h:1/a2a', { web: { [WELL_KNOWN]: { ...CARD, supportedInterfaces } } });
    assert.deepEqual(ran.calls, [WELL_KNOWN]);
    assert.match(ran.out, /another host than that of the card, h:1; it was not called/);
  });
});
