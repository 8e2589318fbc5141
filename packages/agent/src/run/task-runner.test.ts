import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { gate, message } from '../../test/served-agent.ts';
import { callerOf } from '../../test/wire-client.ts';
import { AgentServer, MemoryTaskStore } from '../index.ts';

test('a turn that goes on after the server has closed asks nothing of the store any more', async () => {
  let closed = false;
  let late = 0;
  const store = new (class extends MemoryTaskStore {
    override close(): void {
      closed = true;
    }
    override commit(change: Parameters<MemoryTaskStore['commit']>[0]): void {
      if (closed) late += 1;
      super.commit(change);
    }
  })();
  const [open, over] = [gate(), gate()];
  const errors: unknown[] = [];
  const server = new AgentServer(
    {
      name: 'Test',
      description: 'A test.',
      async *turn() {
        await open.promise;
        try {
          for (let n = 0; n < 100; n += 1) yield 'late';
        } finally {
          over.resolve();
        }
      },
    },
    { url: 'http://agent', store, onError: (error) => errors.push(error) },
  );
  await server.open();
  await callerOf(server).rpc('SendMessage', { ...message('m1'), configuration: { returnImmediately: true } });
  await server.close();
  open.resolve();
  await over.promise;
  await setImmediate();
  assert.equal(late, 0);
  assert.deepEqual(errors, []);
});
