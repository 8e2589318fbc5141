import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENCODER_0_3 } from './v0.3/encode.ts';
import { ENCODER_1_0 } from './v1.0/encode.ts';

const message = { messageId: 'm1', parts: [{ text: 'Hi' }], contextId: 'c1', metadata: { k: 1 } };

test('1.0 writes no kind and its enums in capitals', () => {
  assert.deepEqual(ENCODER_1_0.send(message), {
    method: 'SendStreamingMessage',
    params: {
      message: { messageId: 'm1', contextId: 'c1', metadata: { k: 1 }, role: 'ROLE_USER', parts: [{ text: 'Hi' }] },
    },
  });
});

test('C071 0.3 writes its discriminators', () => {
  const parts = [{ kind: 'text', text: 'Hi' }];
  assert.deepEqual(ENCODER_0_3.send(message), {
    method: 'message/stream',
    params: { message: { kind: 'message', messageId: 'm1', contextId: 'c1', metadata: { k: 1 }, role: 'user', parts } },
  });
});

test('what is not set is left out', () => {
  const { params } = ENCODER_1_0.send({ messageId: 'm', parts: [{ text: '' }], extensions: [] });
  assert.deepEqual(params, { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: '' }] } });
  const answer = ENCODER_1_0.send({ messageId: 'm', parts: [{ text: '' }], taskId: 't', extensions: ['u:x'] }).params[
    'message'
  ];
  assert.deepEqual(answer, {
    messageId: 'm',
    taskId: 't',
    extensions: ['u:x'],
    role: 'ROLE_USER',
    parts: [{ text: '' }],
  });
});

test('calls about a task', () => {
  const calls = [ENCODER_1_0, ENCODER_0_3].map((encoder) => [
    encoder.subscribe('t'),
    encoder.getTask('t'),
    encoder.cancelTask('t'),
  ]);
  assert.deepEqual(
    calls.flat().map(({ method }) => method),
    [...['SubscribeToTask', 'GetTask', 'CancelTask'], ...['tasks/resubscribe', 'tasks/get', 'tasks/cancel']],
  );
  for (const { params } of calls.flat()) assert.deepEqual(params, { id: 't' });
});

test('C130 the list asks for history; 0.3 has no list', () => {
  const query = { contextId: 'c', historyLength: 100, includeArtifacts: false };
  assert.deepEqual(ENCODER_1_0.listTasks(query), { method: 'ListTasks', params: query });
  assert.deepEqual(ENCODER_1_0.listTasks({ ...query, pageToken: 'p' })?.params['pageToken'], 'p');
  assert.equal(ENCODER_0_3.listTasks(query), undefined);
});
