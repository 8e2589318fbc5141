import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ownPort } from '../../agent/test/own-port.ts';
import { LineProcess } from './process/line-process.ts';
import { folderFor, KOURIER } from './process/product-process.ts';

const script = (name: string): string => fileURLToPath(new URL(`process/${name}`, import.meta.url));

async function listening(t: TestContext, ...args: readonly string[]): Promise<{ process: LineProcess; url: string }> {
  const process = new LineProcess(t, ...args);
  const [, port = ''] = await process.printed(/^listening (\d+)$/);
  return { process, url: `http://127.0.0.1:${port}` };
}

const gateway = (t: TestContext, port = '0') => listening(t, script('tunnel-gateway.ts'), port);
const agent = (t: TestContext) => listening(t, script('ticking-agent.ts'));

function connect(t: TestContext, space: string, to: string, key = 'right-key\n'): LineProcess {
  const keyFile = join(folderFor(t), 'key');
  writeFileSync(keyFile, key);
  const options = ['--space', space, '--space-id', 's', '--agent', 'a', '--key-file', keyFile, '--to', to];
  return new LineProcess(t, KOURIER, 'space', 'connect', ...options);
}

const whole = async (url: string): Promise<string> => (await fetch(`${url}/whole`)).text();

test('kourier space connect carries calls, lets a caller go, and ends with 0 when it is told to stop', async (t) => {
  const [space, served] = [await gateway(t), await agent(t)];
  const end = connect(t, space.url, served.url);
  await end.printed(new RegExp(`^kourier: connected: calls of s/a go to ${served.url}/$`));
  assert.equal(await whole(space.url), 'whole');
  const caller = new AbortController();
  const stream = await fetch(`${space.url}/stream`, { signal: caller.signal });
  await stream.body?.getReader().read();
  caller.abort();
  await served.process.printed(/^let go of \/stream$/);
  end.signal('SIGTERM');
  assert.equal(await end.ended(), 0);
  await space.process.printed(/^disconnected$/);
  assert.doesNotMatch(end.lines.join('\n'), /right-key/);
});

test('an agent that is killed in a stream breaks that call off, and the tunnel stays', async (t) => {
  const [space, served] = [await gateway(t), await agent(t)];
  const end = connect(t, space.url, served.url);
  await end.printed(/^kourier: connected/);
  const reader = (await fetch(`${space.url}/stream`)).body?.getReader();
  assert.ok(reader);
  await reader.read();
  await served.process.kill();
  const toTheEnd = async (): Promise<void> => {
    while (!(await reader.read()).done);
  };
  await assert.rejects(toTheEnd(), 'the caller sees that it is not whole');
  await space.process.printed(/^failed A2A_TUNNEL_CONNECTION_LOST sent true$/);
  assert.equal(await whole(space.url), 'A2A_TUNNEL_CONNECT_FAILED');
  await space.process.printed(/^failed A2A_TUNNEL_CONNECT_FAILED sent false$/);
  assert.ok(!space.process.lines.includes('disconnected'));
});

test('a gateway that is killed is dialled again until it is back', async (t) => {
  const port = `${await ownPort()}`;
  const [space, served] = [await gateway(t, port), await agent(t)];
  const end = connect(t, space.url, served.url);
  await end.printed(/^kourier: connected/);
  const reader = (await fetch(`${space.url}/stream`)).body?.getReader();
  await reader?.read();
  await space.process.kill();
  await served.process.printed(/^let go of \/stream$/);
  await end.printed(/^kourier: no tunnel: ECONNREFUSED: .*; dials again in \d+ ms$/);
  const back = await gateway(t, port);
  await end.printed(/^kourier: connected/, 2);
  assert.equal(await whole(back.url), 'whole');
});

test('an end that is killed under a call may have brought it to the agent', async (t) => {
  const [space, served] = [await gateway(t), await agent(t)];
  const end = connect(t, space.url, served.url);
  await end.printed(/^kourier: connected/);
  await (await fetch(`${space.url}/stream`)).body?.getReader().read();
  await end.kill();
  await space.process.printed(/^failed A2A_TUNNEL_LOST sent true$/);
  await served.process.printed(/^let go of \/stream$/);
  assert.equal(await whole(space.url), 'A2A_TUNNEL_NOT_CONNECTED');
});

test('a key that the Space does not take, or none at all, ends it with one line', async (t) => {
  const space = await gateway(t);
  const wrong = connect(t, space.url, 'http://127.0.0.1:1', 'wrong-key');
  assert.equal(await wrong.ended(), 1);
  assert.deepEqual(wrong.lines, [
    'kourier: the Space answered 401: the key is not valid; make another, and write it into the file of --key-file',
  ]);
  const none = connect(t, space.url, 'http://127.0.0.1:1', 'two words');
  assert.equal(await none.ended(), 2);
  assert.match(
    none.lines.join('\n'),
    /^kourier: --key-file \S+ holds no key; write the key into it, alone in one line$/,
  );
});
