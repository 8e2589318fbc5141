import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { frame, json, type Reaction, raw } from '../../../../contract/http-agent.ts';
import { renderEvent } from '../../../../contract/render-wire.ts';
import { callOptions, overHttp } from '../../../../test/agent-over-http.ts';
import { LIMITS } from '../../../core/limits.ts';
import type { MessageId, TaskId } from '../../../core/thread/ids.ts';

const many = LIMITS.jsonContainers + 1;
const dense = {
  wide: `{"jsonrpc":"2.0","id":1,"result":{"x":[${'{},'.repeat(many)}{}]}}`,
  deep: `{"jsonrpc":"2.0","id":1,"result":{"x":${'['.repeat(many)}${']'.repeat(many)}}}`,
};
const message = { messageId: 'm' as MessageId, text: 'Hi' };

async function sent(t: TestContext, reaction: Reaction): Promise<string> {
  const { http, agent } = await overHttp(t, '1.0');
  http.on('send', reaction);
  return (await agent.send(message, () => 'more', callOptions())).kind;
}

for (const [name, body] of Object.entries(dense)) {
  test(`a ${name} text of nothing but objects or arrays is too large, in a stream, without one, and as a task`, async (t) => {
    assert.equal(await sent(t, raw(`data: ${body}\n\n`)), 'too-large');
    assert.equal(await sent(t, raw(body, 'application/json')), 'too-large');
    const { http, agent } = await overHttp(t, '1.0');
    http.on('get', raw(body, 'application/json'));
    assert.equal((await agent.getTask('t' as TaskId, callOptions())).kind, 'too-large');
  });
}

test('as many brackets in a text are only text', async (t) => {
  const parts = [{ kind: 'text', text: '{['.repeat(many), thought: false }] as const;
  const event = { kind: 'message', message: { role: 'agent', parts, extensions: [] } } as const;
  assert.equal(await sent(t, raw(frame(renderEvent(event, '1.0')))), 'closed');
  assert.equal(await sent(t, json({ jsonrpc: '2.0', id: 1, result: renderEvent(event, '1.0') })), 'closed');
});
