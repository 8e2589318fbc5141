import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { upstreamBodiesContract } from './upstream-bodies.ts';
import { chunk, dropped, http } from './upstream-host.ts';
import { bodyOf, EVENTS, failureOf, get, never, type OpenUpstream, type UpstreamTraits } from './upstream-samples.ts';

/** Every promise of the port `Upstream`, for one implementation. */
export function upstreamContract(name: string, open: OpenUpstream, traits: UpstreamTraits): void {
  describe(`upstream contract: ${name}`, () => {
    requestsContract(open);
    headsContract(open, traits);
    endsContract(open, traits);
    upstreamBodiesContract(open, traits);
  });
}

function requestsContract(open: OpenUpstream): void {
  test('a request goes out as it is: method, path, query, headers, body byte for byte', async (t) => {
    const { upstream, host, origin } = await open(t);
    host.answer(http('200 OK', { 'content-length': 0 }));
    const body = Buffer.from([0, 1, 0xff, 0x7b, 0xc3, 0xa9]);
    const headers = { 'content-type': 'application/json', 'a2a-version': '1.0', authorization: 'Bearer k' };
    const url = `${origin}/a/b%20c?x=1&y=%2F`;
    await bodyOf(await upstream.call({ method: 'POST', url, headers, body }, never()));
    const [head = '', sent] = host.visits[0]?.request.split('\r\n\r\n') ?? [];
    assert.match(head, /^POST \/a\/b%20c\?x=1&y=%2F HTTP\/1\.1\r\n/);
    for (const [name, value] of Object.entries(headers)) assert.match(head, new RegExp(`\r\n${name}: ${value}`, 'i'));
    assert.match(head, /\r\ncontent-length: 6/i);
    assert.equal(sent, body.toString('latin1'));
  });

  test('what belongs to the connection is not the caller’s to say, and no compression is asked for', async (t) => {
    const { upstream, host, origin } = await open(t);
    host.answer(http('200 OK', { 'content-length': 0 }));
    const headers = {
      ...{ host: 'metadata.internal', 'transfer-encoding': 'chunked', 'accept-encoding': 'gzip', te: 'trailers' },
      ...{ expect: '100-continue', upgrade: 'h2c', 'content-length': '99', 'proxy-authorization': 'Basic x' },
    };
    await bodyOf(await upstream.call({ ...get(origin), headers }, never()));
    const seen = host.visits[0]?.request ?? '';
    assert.match(seen, new RegExp(`\r\nhost: ${new URL(origin).host}\r\n`, 'i'));
    // The port of the host may hold any digits.
    const others = seen.replace(/\r\nhost: .*/i, '');
    assert.doesNotMatch(others, /metadata|chunked|gzip|trailers|100-continue|h2c|99|Basic/);
    assert.match(seen, /\r\naccept-encoding: identity\r\n/i);
  });
}

function headsContract(open: OpenUpstream, { family }: UpstreamTraits): void {
  test('every answer that has a status is one, whatever it is', async (t) => {
    const { upstream, host, origin } = await open(t);
    for (const status of [200, 201, 400, 401, 404, 409, 429, 500, 503]) {
      host.answer(http(`${status} So`, { 'content-length': 2, 'X-Two': 'a' }, 'hi'));
      const answer = await upstream.call(get(origin), never());
      assert.deepEqual([answer.status, answer.header('x-two'), answer.header('x-none')], [status, 'a', undefined]);
      assert.equal(await bodyOf(answer), 'hi');
    }
    host.answer('HTTP/1.1 204 No Content\r\nx-many: 1\r\nx-many: 2\r\n\r\n');
    const empty = await upstream.call(get(origin), never());
    assert.deepEqual([empty.status, empty.header('x-many'), await bodyOf(empty)], [204, '1, 2', '']);
  });

  test('what comes before the answer is none', async (t) => {
    const { upstream, host, origin } = await open(t);
    host.answer(http('103 Early Hints', { link: '</x>' }) + http('200 OK', { 'content-length': 2 }, 'hi'));
    const answer = await upstream.call(get(origin), never());
    assert.deepEqual([answer.status, answer.header('link'), await bodyOf(answer)], [200, undefined, 'hi']);
  });

  test('C022, C113 a redirect is refused wherever it points, never followed, and named to the log alone', async (t) => {
    const { upstream, host, origin } = await open(t);
    for (const [location, detail] of [
      ['/a/', '/a/'],
      ['http://169.254.169.254/latest?key=1', 'http://169.254.169.254/latest'],
    ]) {
      for (const status of [300, 301, 302, 303, 307, 308]) {
        host.answer(http(`${status} There`, { location: location ?? '', 'content-length': 0 }));
        const call = upstream.call(get(origin), never());
        await assert.rejects(call, { code: `${family}_REDIRECT_REFUSED`, detail, sent: true, retryable: false });
      }
    }
    assert.equal(host.visits.length, 12);
  });

  test('a compressed body, endless headers and what is no HTTP are refused', async (t) => {
    for (const [response, code, retryable] of [
      [http('200 OK', { 'content-encoding': 'gzip', 'content-length': 2 }, 'xx'), 'ENCODING_REFUSED', false],
      [http('200 OK', { 'x-large': 'x'.repeat(40_000) }), 'RESPONSE_TOO_LARGE', false],
      ['SSH-2.0-OpenSSH_9.2\r\n', 'RESPONSE_REFUSED', false],
      [http('999 Strange', { 'content-length': 0 }), 'RESPONSE_REFUSED', false],
    ] as const) {
      const { upstream, host, origin } = await open(t);
      host.answer(response);
      assert.deepEqual(await failureOf(upstream.call(get(origin), never())), [`${family}_${code}`, true, retryable]);
    }
  });
}

function endsContract(open: OpenUpstream, { family }: UpstreamTraits): void {
  const lost = [`${family}_CONNECTION_LOST`, true, true] as const;

  test('an agent that is not there has certainly got nothing; one that hangs up may have', async (t) => {
    const { upstream, host, origin } = await open(t);
    const visited = host.visited();
    const call = upstream.call({ ...get(origin), method: 'POST', body: Buffer.from('{}') }, never());
    (await visited).socket.destroy();
    assert.deepEqual(await failureOf(call), lost);
    await host.stop();
    assert.deepEqual(await failureOf(upstream.call(get(origin), never())), [`${family}_CONNECT_FAILED`, false, true]);
  });

  test('headers that drip do not lengthen their time', async (t) => {
    const { upstream, host, origin } = await open(t);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const visited = host.visited();
    const failed = failureOf(upstream.call(get(origin), never()));
    const visit = await visited;
    await visit.write('HTTP/1.1 200 OK\r\n');
    t.mock.timers.tick(299_999);
    await visit.write('x-late: 1\r\n');
    t.mock.timers.tick(1);
    assert.deepEqual(await failed, [`${family}_HEADERS_TIMEOUT`, true, true]);
    await dropped(visit);
  });

  test('who calls off is heard at once, and the connection is dropped: before, at the headers and in the body', async (t) => {
    const { upstream, host, origin } = await open(t);
    const reason = new Error('enough');
    await assert.rejects(upstream.call(get(origin), AbortSignal.abort(reason)), reason);
    assert.equal(host.connections, 0);

    const atHeaders = new AbortController();
    const waiting = host.visited();
    const call = upstream.call(get(origin), atHeaders.signal);
    const first = await waiting;
    atHeaders.abort(reason);
    await assert.rejects(call, reason);
    await dropped(first);

    const inBody = new AbortController();
    const streaming = host.visited();
    const called = upstream.call(get(origin), inBody.signal);
    const second = await streaming;
    await second.write(http('200 OK', EVENTS) + chunk('data: 1\n\n'));
    const answer = await called;
    await assert.rejects(
      answer.read(() => inBody.abort(reason)),
      reason,
    );
    await dropped(second);
    answer.cancel();
  });
}
