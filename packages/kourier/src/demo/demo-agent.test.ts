import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDemoAgent } from './demo-agent.ts';
import { type Pause, withoutPrefix } from './demo-turn.ts';

const noPause: Pause = async (_ms, signal) => signal.throwIfAborted();

interface Part {
  readonly text?: string;
  readonly data?: { readonly name: string };
}

interface Frame {
  readonly artifactUpdate?: { readonly append: boolean };
  readonly task?: {
    readonly status: { readonly state: string; readonly message?: { readonly metadata: unknown } };
    readonly artifacts: readonly { readonly parts: readonly Part[] }[];
  };
}

async function ask(t: { after(end: () => Promise<void>): void }, text: string, pause = noPause): Promise<Frame[]> {
  const agent = await startDemoAgent({ pause });
  t.after(() => agent.close());
  const message = { messageId: 'm1', role: 'ROLE_USER', parts: [{ text }] };
  const response = await fetch(agent.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: { message } }),
  });
  const frames = (await response.text()).split('\n\n').filter((frame) => frame.startsWith('data: '));
  return frames.map((frame) => JSON.parse(frame.slice('data: '.length)).result);
}

function lastTask(frames: Frame[]) {
  const task = frames.at(-1)?.task;
  assert(task);
  const parts = task.artifacts.flatMap((artifact) => artifact.parts);
  return { status: task.status, text: parts.map((part) => part.text ?? '').join(''), parts };
}

test('hello is answered in many chunks, with both tools between the text', async (t) => {
  const frames = await ask(t, '[Web: Ada (u1) <ada@example.org>]\nhello');
  const { status, text, parts } = lastTask(frames);
  assert.equal(status.state, 'TASK_STATE_COMPLETED');
  assert(frames.filter((frame) => frame.artifactUpdate?.append).length > 100);
  assert.deepEqual(
    parts.map((part) => part.data?.name ?? 'text'),
    ['text', 'look_up_weather', 'look_up_weather', 'text', 'take_note', 'take_note', 'text'],
  );
  assert.match(text, /^Hello! I am the \*\*demo agent\*\*/);
  assert.match(text, /^- `fail`/m);
  assert.match(text, /```yaml\n/);
  assert.deepEqual(parts[4]?.data, { id: 'note', name: 'take_note', args: { note: 'hello' } });
});

test('the weather is the same each time', async (t) => {
  const [first, second] = [lastTask(await ask(t, 'weather in Oslo')), lastTask(await ask(t, 'weather in Oslo'))];
  assert.match(first.text, /^In Oslo: /);
  assert.deepEqual(first.parts, second.parts);
});

test('fail begins an answer and fails its task', async (t) => {
  const { status, text } = lastTask(await ask(t, '[Web: (u1)]\nfail'));
  assert.equal(status.state, 'TASK_STATE_FAILED');
  assert.deepEqual(status.message?.metadata, { code: 'demo_failure', error_code: 'rate-limit' });
  assert.match(text, /^This answer begins well enough/);
});

test('stay silent completes without a word', async (t) => {
  const { status, parts } = lastTask(await ask(t, 'stay silent'));
  assert.equal(status.state, 'TASK_STATE_COMPLETED');
  assert.deepEqual(parts, []);
});

test('be slow asks for a second before each word', async (t) => {
  const pauses = new Set<number>();
  const { text } = lastTask(await ask(t, 'be slow', async (ms) => void pauses.add(ms)));
  assert.match(text, /each word takes a second/);
  assert.deepEqual([...pauses], [1_000]);
});

test('help lists what it does, and nothing else', async (t) => {
  assert.match(lastTask(await ask(t, 'help')).text, /^Things you can write to me:/);
});

test('only the line that says who wrote is taken off', () => {
  assert.equal(withoutPrefix('[Web: Ada (u1) <a@b>]\nhello\n[Web: x]\n'), 'hello\n[Web: x]\n');
  assert.equal(withoutPrefix('[Slack: [Ada] (U1)]\nhello'), 'hello');
  assert.equal(withoutPrefix('[draft] hello'), '[draft] hello');
  assert.equal(withoutPrefix(`[Web: ${'['.repeat(60_000)}`).length, 60_006);
});
