import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { StreamResponse, Task } from '@a2a-js/sdk';
import { A2AService } from '@a2a-js/sdk/server/grpc';
import { Server, ServerCredentials, type ServerUnaryCall, type ServerWritableStream, status } from '@grpc/grpc-js';
import { cardOf, TestClock } from '../../../test/raw-agent.ts';
import { cards } from '../../../test/secured.ts';
import { AgentError, Client, type ClientOptions } from '../../index.ts';

type Answer = (error: { readonly code: number; readonly details: string } | null, value?: Task) => void;
type Unary = (call: ServerUnaryCall<unknown, Task>, answer: Answer) => void;
type Streaming = (call: ServerWritableStream<unknown, StreamResponse>) => void;

const task = (state: string) => Task.fromJSON({ id: 't', contextId: 'c', status: { state: `TASK_STATE_${state}` } });
const says = (state: string) => StreamResponse.fromJSON({ task: Task.toJSON(task(state)) });

/** Serves the two operations that the tests call; none answers what it is not given. */
async function grpcAgent(t: TestContext, served: { readonly getTask?: Unary; readonly stream?: Streaming }) {
  const server = new Server();
  server.addService(A2AService, { getTask: served.getTask, sendStreamingMessage: served.stream } as object as never);
  const { promise, resolve } = Promise.withResolvers<number>();
  server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (_, port) => resolve(port));
  const address = `127.0.0.1:${await promise}`;
  t.after(() => server.forceShutdown());
  return { server, address, card: cardOf([grpc(address)]) };
}

const grpc = (url: string) => ({ url, protocolBinding: 'GRPC', protocolVersion: '1.0' });

const connected = async (t: TestContext, served: Parameters<typeof grpcAgent>[1], options: ClientOptions = {}) =>
  Client.connect((await grpcAgent(t, served)).card, options);

test('an error has its code by name, its status as HTTP has it, and a lost call is none of the agent', async (t) => {
  const failing = (code: number): Promise<Client> =>
    connected(t, { getTask: (_, answer) => answer({ code, details: 'no' }) });
  const denied = await failing(status.PERMISSION_DENIED).then((client) => client.getTask('t').catch((error) => error));
  assert.ok(denied instanceof AgentError);
  assert.deepEqual([denied.code, denied.status], [undefined, 403]);
  assert.match(denied.message, /gRPC status 7/);
  for (const code of [status.UNAVAILABLE, status.CANCELLED, status.DEADLINE_EXCEEDED]) {
    await assert.rejects((await failing(code)).getTask('t'), { name: 'TransportError' });
  }
});

test('what is silent is given up, before the first answer and within a stream', async (t) => {
  const quiet = new TestClock((ms) => ms === 77);
  const client = await connected(t, { getTask: () => undefined }, { headersMs: 77, clock: quiet });
  await assert.rejects(client.getTask('t'), { name: 'TransportError', message: 'Nothing came for 77 ms.' });
  const clock: TestClock = new TestClock((ms) => ms === 66 && clock.waits.length > 1);
  const streaming = await connected(t, { stream: (call) => call.write(says('WORKING')) }, { idleMs: 66, clock });
  const result = await streaming.sendStreamingMessage('hello').result();
  assert.ok(result.kind === 'transport-failure');
  assert.equal(result.why, 'Nothing came for 66 ms.');
  assert.equal(result.task?.state, 'working');
});

test("an abort rejects with the caller's own reason, and the call is cancelled", async (t) => {
  const cancelled = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const caller = new AbortController();
  const reason = new Error('enough');
  const client = await connected(t, {
    getTask: (call) => {
      call.once('cancelled', () => cancelled[0]?.resolve());
      caller.abort(reason);
    },
    stream: (call) => {
      call.once('cancelled', () => cancelled[1]?.resolve());
      call.write(says('WORKING'));
    },
  });
  await assert.rejects(client.getTask('t', { signal: caller.signal }), reason);
  const leaving = new AbortController();
  const told = client.sendStreamingMessage('hello', { signal: leaving.signal });
  const heard = (async () => {
    for await (const _ of told) leaving.abort(reason);
  })();
  await assert.rejects(heard, reason);
  await Promise.all(cancelled.map(({ promise }) => promise));
});

test('leaving the loop cancels the call, and a dead agent is a transport failure', async (t) => {
  const cancelled = Promise.withResolvers<void>();
  const served: Parameters<typeof grpcAgent>[1] = {
    stream: (call) => {
      call.once('cancelled', () => cancelled.resolve());
      call.write(says('WORKING'));
    },
  };
  const left = (await connected(t, served)).sendStreamingMessage('hello');
  for await (const _ of left) break;
  await cancelled.promise;
  const agent = await grpcAgent(t, served);
  const told = (await Client.connect(agent.card)).sendStreamingMessage('hello');
  for await (const _ of told) agent.server.forceShutdown();
  assert.equal((await told.result()).kind, 'transport-failure');
});

test('a token that is refused is asked for anew, once; headers go as metadata', async (t) => {
  const seen: unknown[] = [];
  const { address } = await grpcAgent(t, {
    getTask: ({ metadata }, answer) => {
      seen.push(metadata.get('authorization')[0], metadata.get('a2a-version')[0], metadata.get('x-trace')[0]);
      if (seen.length > 3) answer(null, task('COMPLETED'));
      else answer({ code: status.UNAUTHENTICATED, details: 'old' });
    },
  });
  const card = cards({ login: { type: 'http', scheme: 'bearer' } }, [{ login: [] }])['1.0'](address);
  const client = await Client.connect(
    { ...card, supportedInterfaces: [grpc(address)] },
    { credentials: { login: { token: ({ refused }) => (refused === undefined ? 'old' : 'new') } } },
  );
  assert.equal((await client.getTask('t', { headers: { 'x-trace': '1' } })).state, 'completed');
  assert.deepEqual(seen, ['Bearer old', '1.0', '1', 'Bearer new', '1.0', '1']);
});

test('a key that belongs into a query has no place', async (t) => {
  const { address } = await grpcAgent(t, {});
  const card = cards({ key: { type: 'apiKey', in: 'query', name: 'k' } }, [{ key: [] }])['1.0'](address);
  const client = await Client.connect(
    { ...card, supportedInterfaces: [grpc(address)] },
    { credentials: { key: { apiKey: 'x' } } },
  );
  await assert.rejects(client.getTask('t'), { name: 'UnsupportedError' });
});
