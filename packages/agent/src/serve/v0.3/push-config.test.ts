import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialect03 } from './dialect.ts';

const DIALECT = dialect03({});
const READ = { taskId: 't1', id: 'c1', url: 'https://hook.example/', token: 'x' };
const WRITTEN = { id: 'c1', url: 'https://hook.example/', token: 'x' };
const CREDENTIALS = { authentication: { scheme: 'Bearer', credentials: 'y' } };
const LEGACY_CREDENTIALS = { authentication: { schemes: ['Bearer'], credentials: 'y' } };

test('push configurations of 0.3 are read as those of 1.0', () => {
  const read = (method: string, params: object) =>
    DIALECT.readJsonRpc({ method: `tasks/pushNotificationConfig/${method}`, params: { ...params } });
  const config = { ...WRITTEN, ...LEGACY_CREDENTIALS };
  assert.deepEqual(read('set', { taskId: 't1', pushNotificationConfig: config }), {
    method: 'CreateTaskPushNotificationConfig',
    params: { ...READ, ...CREDENTIALS },
    version: '0.3',
  });
  const { id: _, ...nameless } = config;
  const params = { taskId: 't1', id: 't1' };
  assert.equal(read('set', { taskId: 't1', pushNotificationConfig: nameless }).params['id'], 't1');
  assert.deepEqual(read('get', { id: 't1' }).params, params);
  assert.deepEqual(read('get', { id: 't1', pushNotificationConfigId: 'c1' }).params, { taskId: 't1', id: 'c1' });
  assert.deepEqual(read('delete', { id: 't1', pushNotificationConfigId: 'c1' }).params, { taskId: 't1', id: 'c1' });
  assert.deepEqual(read('list', { id: 't1' }).params, { taskId: 't1' });
  assert.throws(() => read('set', { taskId: 't1' }), { code: -32602 });
});

test('an id that is empty or null is none, as everywhere else', () => {
  const read = (method: string, params: object) =>
    DIALECT.readJsonRpc({ method: `tasks/pushNotificationConfig/${method}`, params: { ...params } }).params;
  for (const id of ['', null]) {
    assert.equal(read('set', { taskId: 't1', pushNotificationConfig: { ...WRITTEN, id } })['id'], 't1');
    assert.equal(read('get', { id: 't1', pushNotificationConfigId: id })['id'], 't1');
    assert.equal(read('delete', { id: 't1', pushNotificationConfigId: id })['id'], 't1');
  }
});

test('an authentication that says nothing is none, as protocol buffers write one that was never set', () => {
  const read = (authentication: object) =>
    DIALECT.readJsonRpc({
      method: 'tasks/pushNotificationConfig/set',
      params: { taskId: 't1', pushNotificationConfig: { ...WRITTEN, authentication } },
    }).params;
  assert.deepEqual(read({}), READ);
  assert.deepEqual(read({ schemes: [], credentials: '' }), READ);
  // Credentials that no scheme goes with cannot be sent: the desk refuses them.
  assert.deepEqual(read({ credentials: 'y' }), { ...READ, authentication: { credentials: 'y' } });
});

test('a message of 0.3 may bring its push configuration', () => {
  const message = { messageId: 'm1', role: 'user', parts: [{ kind: 'text', text: 'a' }] };
  const { params } = DIALECT.readJsonRpc({
    method: 'message/send',
    params: { message, configuration: { pushNotificationConfig: WRITTEN } },
  });
  const { taskPushNotificationConfig } = params['configuration'] as Record<string, unknown>;
  assert.deepEqual(taskPushNotificationConfig, WRITTEN);
  for (const wrong of ['https://hook.example/', [], 7, false]) {
    const configuration = { pushNotificationConfig: wrong };
    const read = () => DIALECT.readJsonRpc({ method: 'message/send', params: { message, configuration } });
    assert.throws(read, { code: -32602 }, 'its caller would wait for what never comes');
  }
});

test('over HTTP a push configuration comes bare, or within its request', () => {
  const read = (body: object) =>
    DIALECT.readHttpJson({ method: 'CreateTaskPushNotificationConfig', params: { ...body, taskId: 't1' } }).params;
  const name = 'tasks/t1/pushNotificationConfigs/c1';
  assert.deepEqual(read({ name, pushNotificationConfig: WRITTEN }), READ);
  assert.deepEqual(
    read({ parent: 'tasks/t1', config_id: 'c1', config: { name, push_notification_config: WRITTEN } }),
    READ,
  );
});

test('push configurations are written in the words of 0.3', () => {
  const answer = (method: string, result: object) =>
    JSON.parse(DIALECT.jsonRpcFormat('1', `tasks/pushNotificationConfig/${method}`).result(result)).result;
  const written = { taskId: 't1', pushNotificationConfig: { ...WRITTEN, ...LEGACY_CREDENTIALS } };
  assert.deepEqual(answer('get', { ...READ, ...CREDENTIALS }), written);
  assert.deepEqual(answer('set', { ...READ, ...CREDENTIALS }), written);
  assert.deepEqual(answer('list', { configs: [{ ...READ, ...CREDENTIALS }], nextPageToken: '' }), [written]);
  assert.equal(answer('delete', {}), null);
  const asked = { header: () => undefined } as never;
  const overHttp = (operation: string, result: object) =>
    JSON.parse(DIALECT.httpJsonFormat(asked, operation).result(result));
  const named = { name: 'tasks/t1/pushNotificationConfigs/c1', pushNotificationConfig: WRITTEN };
  assert.deepEqual(overHttp('GetTaskPushNotificationConfig', READ), named);
  assert.deepEqual(overHttp('ListTaskPushNotificationConfigs', { configs: [READ] }), { configs: [named] });
  assert.deepEqual(overHttp('DeleteTaskPushNotificationConfig', {}), {});
});
