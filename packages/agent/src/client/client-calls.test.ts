import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answering, type Asked, json, rpc, rpcError, stream } from '../../test/raw-agent.ts';
import {
  bareTask,
  CARDS,
  connected,
  is10,
  isRest,
  last,
  line,
  MESSAGE,
  SENT,
  TASKS,
  type Wire,
} from '../../test/wires.ts';

for (const wire of Object.keys(CARDS) as Wire[]) {
  const answer =
    (result: unknown): Answering =>
    (asked, response) =>
      isRest(wire) ? json(response, result) : rpc(response, asked, result);
  const asks = (asked: Asked, rest: string, method: string, params: object | undefined) => {
    assert.equal(line(asked), isRest(wire) ? rest : 'POST /rpc');
    if (isRest(wire)) return params === undefined ? assert.equal(asked.text, '') : assert.deepEqual(asked.body, params);
    assert.equal(asked.body.method, method);
    assert.deepEqual(asked.body.params, params ?? {});
    assert.equal(typeof asked.body['id'], 'string');
  };
  const v1 = is10(wire) ? '' : '/v1';

  test(`${wire}: sendMessage writes every kind of part, and reads every kind`, async (t) => {
    const { client, agent } = await connected(t, wire, answer(TASKS[wire]));
    const result = await client.sendMessage(MESSAGE);
    const asked = last(agent);
    asks(asked, `POST /rest${v1}/message:send`, is10(wire) ? 'SendMessage' : 'message/send', SENT[wire]);
    assert.equal(asked.headers['a2a-version'], is10(wire) ? '1.0' : '0.3');
    // A stream is not held back to be packed, and nothing small unpacks to something huge.
    assert.equal(asked.headers['accept-encoding'], 'identity');
    assert.ok(result.kind === 'finished' && result.from === 'task');
    assert.equal(result.text, 'yes');
    const read = (parts: readonly object[]) =>
      parts.map((part) => ('data' in part ? part.data : 'raw' in part ? part.raw : 'text' in part && part.text));
    assert.deepEqual(read(result.task.artifacts[0]?.parts ?? []), ['yes', { data: 1 }, 'aGk=']);
    assert.deepEqual(read(result.task.history[0]?.parts ?? []), ['yes', { data: 1 }, 'aGk=']);
  });

  test(`${wire}: settings of a message`, async (t) => {
    const { client, agent } = await connected(t, wire, answer(TASKS[wire]));
    const pushNotificationConfig = {
      url: 'https://hook.example',
      authentication: { scheme: 'Bearer', credentials: 'x' },
    };
    const options = {
      acceptedOutputModes: ['text/plain'],
      historyLength: 0,
      returnImmediately: true,
      metadata: { r: 1 },
    };
    await client.sendMessage('hello', { ...options, pushNotificationConfig });
    const { configuration, metadata } = (isRest(wire) ? last(agent).body : last(agent).body.params) ?? {};
    const old = { url: 'https://hook.example', authentication: { schemes: ['Bearer'], credentials: 'x' } };
    const common = { acceptedOutputModes: ['text/plain'], historyLength: 0 };
    assert.deepEqual(
      configuration,
      is10(wire)
        ? { ...common, returnImmediately: true, taskPushNotificationConfig: pushNotificationConfig }
        : { ...common, blocking: false, [isRest(wire) ? 'pushNotification' : 'pushNotificationConfig']: old },
    );
    assert.deepEqual(metadata, { r: 1 });
  });

  test(`${wire}: sendStreamingMessage and subscribeToTask read a stream`, async (t) => {
    const frames = [TASKS[wire]];
    const { client, agent } = await connected(t, wire, (_, response) => {
      if (!isRest(wire)) return stream(response, frames);
      response.end(frames.map((one) => `data: ${JSON.stringify(one)}\n\n`).join(''));
    });
    const sent = await client.sendStreamingMessage('hello').result();
    assert.equal(sent.kind, 'finished');
    assert.equal(line(last(agent)), isRest(wire) ? `POST /rest${v1}/message:stream` : 'POST /rpc');
    assert.equal(last(agent).headers.accept, 'text/event-stream');
    const joined = client.subscribeToTask('t/1');
    const kinds: string[] = [];
    for await (const { kind } of joined) kinds.push(kind);
    // The task that came is another one.
    assert.deepEqual(kinds, []);
    const rest = is10(wire) ? 'POST /rest/tasks/t%2F1:subscribe' : 'GET /rest/v1/tasks/t%2F1:subscribe';
    asks(
      last(agent),
      rest,
      is10(wire) ? 'SubscribeToTask' : 'tasks/resubscribe',
      isRest(wire) ? undefined : { id: 't/1' },
    );
    assert.equal((await client.subscribeToTask('t').result()).kind, 'finished');
  });

  test(`${wire}: getTask and cancelTask give the task as it was answered`, async (t) => {
    const { client, agent } = await connected(t, wire, answer(bareTask(wire)));
    const task = await client.getTask('t/1', { historyLength: 2 });
    assert.deepEqual([task.id, task.state, task.artifacts.length, task.history.length], ['t', 'completed', 1, 1]);
    const get = isRest(wire) ? undefined : { id: 't/1', historyLength: 2 };
    asks(last(agent), `GET /rest${v1}/tasks/t%2F1?historyLength=2`, is10(wire) ? 'GetTask' : 'tasks/get', get);
    assert.equal((await client.cancelTask('t')).state, 'completed');
    const cancel = isRest(wire) ? (is10(wire) ? {} : { name: 'tasks/t' }) : { id: 't' };
    asks(last(agent), `POST /rest${v1}/tasks/t:cancel`, is10(wire) ? 'CancelTask' : 'tasks/cancel', cancel);
  });

  test(`${wire}: listTasks, where the version has it`, async (t) => {
    const { client, agent } = await connected(
      t,
      wire,
      answer({ tasks: [bareTask(wire)], nextPageToken: 'p', totalSize: 9 }),
    );
    const query = { contextId: 'c', status: 'TASK_STATE_WORKING', pageSize: 5, includeArtifacts: true };
    if (!is10(wire)) {
      await assert.rejects(client.listTasks(query), { name: 'UnsupportedError' });
      assert.equal(agent.asked.length, 0);
      return;
    }
    const page = await client.listTasks(query);
    assert.deepEqual([page.tasks[0]?.id, page.nextPageToken, page.totalSize], ['t', 'p', 9]);
    const rest = 'GET /rest/tasks?contextId=c&status=TASK_STATE_WORKING&pageSize=5&includeArtifacts=true';
    asks(last(agent), rest, 'ListTasks', isRest(wire) ? undefined : query);
  });

  test(`${wire}: push notification configurations`, async (t) => {
    const hook = { id: 'p/1', url: 'https://hook.example', token: 'k' };
    const old = { pushNotificationConfig: { ...hook, authentication: { schemes: ['Basic'] } } };
    const named = { name: 'tasks/t/pushNotificationConfigs/p/1', ...old };
    const flat = { ...hook, taskId: 't', authentication: { scheme: 'Basic' } };
    const one = is10(wire) ? flat : isRest(wire) ? named : { taskId: 't', ...old };
    const all = isRest(wire) || is10(wire) ? { configs: [one], nextPageToken: '' } : [one];
    const emptyResults = [null, undefined];
    const { client, agent } = await connected(t, wire, (asked, response) => {
      if (emptyResults.length === 0) return json(response, { hello: 'world' });
      const isList =
        /List|\/list$/.test(asked.body.method ?? '') || (asked.method === 'GET' && asked.path.endsWith('Configs'));
      if (asked.method === 'DELETE') response.writeHead(204).end();
      else if (/Delete|\/delete$/.test(asked.body.method ?? '')) rpc(response, asked, emptyResults.shift());
      else answer(isList ? all : one)(asked, response);
    });
    const created = await client.createTaskPushNotificationConfig('t', hook);
    const { source: _, ...read } = created;
    assert.deepEqual(read, { ...hook, taskId: 't', authentication: { scheme: 'Basic', credentials: undefined } });
    const place = `/rest${v1}/tasks/t/pushNotificationConfigs`;
    const written = is10(wire) ? { taskId: 't', ...hook } : { taskId: 't', pushNotificationConfig: hook };
    const method = (name: string) => (is10(wire) ? `${name}TaskPushNotificationConfig` : '');
    asks(
      last(agent),
      `POST ${place}`,
      method('Create') || 'tasks/pushNotificationConfig/set',
      isRest(wire) && !is10(wire) ? { name: named.name, pushNotificationConfig: hook } : written,
    );
    const ids = is10(wire) ? { taskId: 't', id: 'p/1' } : { id: 't', pushNotificationConfigId: 'p/1' };
    const params = isRest(wire) ? undefined : ids;
    assert.equal((await client.getTaskPushNotificationConfig('t', 'p/1')).id, 'p/1');
    asks(last(agent), `GET ${place}/p%2F1`, method('Get') || 'tasks/pushNotificationConfig/get', params);
    const { configs, nextPageToken } = await client.listTaskPushNotificationConfigs('t');
    assert.deepEqual([configs.length, configs[0]?.token, nextPageToken], [1, 'k', undefined]);
    const list = isRest(wire) ? undefined : is10(wire) ? { taskId: 't' } : { id: 't' };
    asks(
      last(agent),
      `GET ${place}`,
      is10(wire) ? 'ListTaskPushNotificationConfigs' : 'tasks/pushNotificationConfig/list',
      list,
    );
    await client.deleteTaskPushNotificationConfig('t', 'p/1');
    asks(last(agent), `DELETE ${place}/p%2F1`, method('Delete') || 'tasks/pushNotificationConfig/delete', params);
    // The Python SDK leaves out a result that is empty.
    await client.deleteTaskPushNotificationConfig('t', 'p/1');
    if (isRest(wire)) return;
    await assert.rejects(client.deleteTaskPushNotificationConfig('t', 'p/1'), { name: 'TransportError' });
  });

  test(`${wire}: getExtendedAgentCard`, async (t) => {
    const { client, agent } = await connected(t, wire, answer(CARDS[wire]('https://full.example')));
    assert.equal((await client.getExtendedAgentCard()).name, 'Raw');
    const rest = is10(wire) ? 'GET /rest/extendedAgentCard' : 'GET /rest/v1/card';
    asks(
      last(agent),
      rest,
      is10(wire) ? 'GetExtendedAgentCard' : 'agent/getAuthenticatedExtendedCard',
      isRest(wire) ? undefined : {},
    );
  });

  test(`${wire}: C116 extensions are named in every header that the version reads`, async (t) => {
    const { client, agent } = await connected(t, wire, answer(TASKS[wire]), { extensions: ['urn:a'] });
    await client.sendMessage('hello', { extensions: ['urn:b'], headers: { 'X-Trace': '1' } });
    const { headers } = last(agent);
    assert.equal(headers['a2a-extensions'], 'urn:a, urn:b');
    assert.equal(headers['x-a2a-extensions'], is10(wire) ? undefined : 'urn:a, urn:b');
    assert.equal(headers['x-trace'], '1');
  });

  test(`${wire}: an error of the agent has its code, whatever the binding`, async (t) => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND' }];
    const { client } = await connected(t, wire, (asked, response) => {
      if (!isRest(wire)) rpcError(response, asked, -32001, 'gone');
      else if (is10(wire)) json(response, { error: { code: 404, status: 'NOT_FOUND', message: 'gone', details } }, 404);
      else json(response, { code: -32001, message: 'gone' }, 404);
    });
    const status = isRest(wire) ? 404 : 200;
    await assert.rejects(client.getTask('t'), { name: 'AgentError', code: -32001, status });
    await assert.rejects(client.sendMessage('hello'), { name: 'AgentError', code: -32001, status });
  });
}
