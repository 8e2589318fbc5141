import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callOptions, overHttp } from '../../../../test/agent-over-http.ts';
import type { TaskId } from '../../../core/thread/ids.ts';
import { isPublicAddress } from './egress.ts';

test('C176 private, loopback, link-local, documentation and mapped addresses are not public', () => {
  const no = [
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '203.0.113.9',
  ];
  const no6 = [
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '2001:db8::1',
    '2002:7f00:1::',
    '64:ff9b::7f00:1',
    'ff02::1',
    'localhost',
    '',
  ];
  for (const address of [...no, ...no6]) assert.equal(isPublicAddress(address), false, address);
  for (const address of ['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111'])
    assert.equal(isPublicAddress(address), true, address);
});

test('C175, C178 egress `public` calls neither plain HTTP, nor a private literal, nor a name that leads there', async (t) => {
  for (const host of [
    'http://127.0.0.1',
    'http://8.8.8.8',
    'https://127.0.0.1',
    'https://[::1]',
    'https://localhost',
    'https://0x7f.1',
  ]) {
    const { http, agent } = await overHttp(t, '1.0', { backend: { url: `${host}:1/agent`, egress: 'public' } });
    const reading = await agent.getTask('t' as TaskId, callOptions());
    assert.deepEqual(reading, { kind: 'not-sent', why: 'agent card: no connection (EGRESS_REFUSED)' }, host);
    assert.equal(http.calls.length, 0);
  }
});
