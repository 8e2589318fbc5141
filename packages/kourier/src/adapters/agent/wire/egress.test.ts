import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callOptions, overHttp } from '../../../../test/agent-over-http.ts';
import type { TaskId } from '../../../core/thread/ids.ts';

test('C175, C176, C178 egress `public` calls neither plain HTTP, nor a private literal, nor a name that leads there', async (t) => {
  for (const host of [
    'http://127.0.0.1',
    'http://8.8.8.8',
    'https://127.0.0.1',
    'https://[::1]',
    'https://localhost',
    'https://0x7f.1',
    'https://[::ffff:127.0.0.1]',
    'https://[64:ff9b::7f00:1]',
    'https://127.0.0.1.',
  ]) {
    const { http, agent } = await overHttp(t, '1.0', { backend: { url: `${host}:1/agent`, egress: 'public' } });
    const reading = await agent.getTask('t' as TaskId, callOptions());
    assert.deepEqual(reading, { kind: 'not-sent', why: 'agent card: no connection (EGRESS_REFUSED)' }, host);
    assert.equal(http.calls.length, 0);
  }
});
