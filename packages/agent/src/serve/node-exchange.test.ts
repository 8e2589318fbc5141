import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { NodeSink } from './node-exchange.ts';

test('a reader that takes nothing of what it was sent is cut off when the answer has ended, too', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  // More than sockets hold.
  const much = 'x'.repeat(64 * 1_024 * 1_024);
  for (const answer of [
    (sink: NodeSink) => sink.end(much),
    (sink: NodeSink) => {
      sink.write(much);
      sink.end();
    },
  ]) {
    const reader = connect((server.address() as AddressInfo).port, '127.0.0.1');
    t.after(() => reader.destroy());
    reader.pause();
    reader.write('GET / HTTP/1.1\r\nhost: h\r\n\r\n');
    const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
    const sink = new NodeSink(response, 1);
    const closed = new Promise<void>((resolve) => sink.onClose(resolve));
    sink.head(200, {});
    answer(sink);
    await closed;
    assert.ok(!response.writableFinished);
  }
});
