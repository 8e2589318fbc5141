import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardOf } from '../../../test/raw-agent.ts';
import { Client } from '../../index.ts';
import { grpcUrl, loadGrpc } from './load-grpc.ts';

const missing = (code: string) => () => Promise.reject(Object.assign(new Error('x'), { code }));

test('packages that are not there: the error says which to install', async () => {
  const url = new URL('http://localhost:1');
  await assert.rejects(loadGrpc(url, missing('ERR_MODULE_NOT_FOUND')), {
    name: 'UnsupportedError',
    message: /npm install @a2a-js\/sdk @grpc\/grpc-js @bufbuild\/protobuf/,
  });
  await assert.rejects(loadGrpc(url, missing('ERR_OTHER')), { name: 'Error' });
});

test('an address without a scheme is TLS, except on this machine', () => {
  for (const local of ['localhost:1', '127.0.0.1:1', '[::1]:1']) assert.equal(grpcUrl(local), `http://${local}`);
  for (const other of ['agent.example:443', 'localhost.example:1', '127.example:1']) {
    assert.equal(grpcUrl(other), `https://${other}`);
  }
  assert.equal(grpcUrl('http://agent.example'), 'http://agent.example');
});

test('gRPC is taken where it is asked for, or where nothing else is offered, and goes past no fetch', async () => {
  const grpc = { url: 'agent.example:443', protocolBinding: 'GRPC', protocolVersion: '1.0' };
  const rpc = { url: 'https://agent.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' };
  assert.equal((await Client.connect(cardOf([grpc, rpc]))).endpoint.binding, 'JSONRPC');
  const preferred = await Client.connect(cardOf([rpc, grpc]), { prefer: { binding: 'GRPC' } });
  assert.deepEqual(preferred.endpoint, { url: 'https://agent.example/', binding: 'GRPC', version: '1.0' });
  assert.equal((await Client.connect(cardOf([grpc]))).endpoint.binding, 'GRPC');
  await assert.rejects(Client.connect(cardOf([grpc]), { fetch }), {
    name: 'CardError',
    message: /do not go through the fetch/,
  });
});
