import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { AgentError, Client, type ClientOptions, type MessageToSend, UnsupportedError } from '@agentkourier/agent';
import { type Spoken, sdkAgentForClient } from './sdk-agent-for-client.ts';

async function begin(t: TestContext, spoken: Spoken, options: ClientOptions = {}) {
  const agent = await sdkAgentForClient(spoken);
  t.after(() => agent.close());
  const client = await Client.connect(agent.url, { prefer: { version: spoken.version }, ...options });
  const { binding, version } = client.endpoint;
  assert.deepEqual({ binding, version }, spoken);
  return { agent, client };
}

const PARTS: MessageToSend['parts'] = [
  'parts, please',
  { data: { a: [1, { b: null }] }, metadata: { k: 'v' } },
  { url: 'https://files.example/f.png', mediaType: 'image/png', filename: 'f.png' },
  { bytes: new TextEncoder().encode('hi'), mediaType: 'text/plain' },
];

for (const version of ['1.0', '0.3'] as const) {
  for (const binding of ['JSONRPC', 'HTTP+JSON'] as const) {
    describe(`the client and an agent of the official JavaScript SDK, A2A ${version}, ${binding}`, () => {
      const spoken = { version, binding };

      it('sendMessage: a task, a bare message, a failure, and the next turn of a context', async (t) => {
        const { agent, client } = await begin(t, spoken);
        const first = await client.sendMessage('one two  three');
        assert.ok(first.kind === 'finished' && first.from === 'task', JSON.stringify(first));
        assert.equal(first.text, 'one two  three');
        const { contextId } = first.task;
        const bare = await client.sendMessage({ parts: 'message only', contextId });
        assert.ok(bare.kind === 'finished' && bare.from === 'message');
        assert.equal(bare.text, 'Bare: message only');
        assert.equal(agent.executor.turns[1]?.contextId, contextId);
        const failed = await client.sendMessage('fail now');
        assert.ok(failed.kind === 'finished');
        assert.equal(failed.state, 'failed');
      });

      it('every kind of part goes there and comes back', async (t) => {
        const { client } = await begin(t, spoken);
        const result = await client.sendMessage({ parts: PARTS, metadata: { tag: 1 }, skillId: 'echo' });
        assert.ok(result.kind === 'finished' && result.from === 'task', JSON.stringify(result));
        const parts = result.task.artifacts[0]?.parts ?? [];
        // The SDK loses what parts say beside their content in this one.
        const poor = version === '0.3' && binding === 'HTTP+JSON';
        assert.deepEqual(
          parts.map(({ source: _, ...part }) => JSON.parse(JSON.stringify(part))),
          [
            { kind: 'text', text: 'parts, please' },
            { kind: 'data', data: { a: [1, { b: null }] }, ...(poor ? {} : { metadata: { k: 'v' } }) },
            {
              kind: 'file',
              url: 'https://files.example/f.png',
              mediaType: 'image/png',
              ...(poor ? {} : { filename: 'f.png' }),
            },
            { kind: 'file', raw: 'aGk=', mediaType: 'text/plain' },
          ],
        );
        const task = await client.getTask(result.task.id, { historyLength: 5 });
        assert.deepEqual(task.history[0]?.metadata, { tag: 1, skillId: 'echo' });
        assert.equal(task.history[0].parts.length, PARTS.length);
      });

      it('sendStreamingMessage: the events in their order, each chunk once', async (t) => {
        const { client } = await begin(t, spoken);
        const told = client.sendStreamingMessage('one two  three');
        const kinds: string[] = [];
        for await (const { kind } of told) kinds.push(kind);
        const chunks = Array.from({ length: 3 }, () => 'artifact-update');
        assert.deepEqual(kinds, ['task', 'status-update', ...chunks, 'status-update']);
        const result = await told.result();
        assert.ok(result.kind === 'finished');
        assert.equal(result.text, 'one two  three');
        const bare = await client.sendStreamingMessage('message only').result();
        assert.equal(bare.kind === 'finished' && bare.from, 'message');
      });

      it('a pause is a result, and its answer goes on with the task', async (t) => {
        const { client } = await begin(t, spoken);
        const asked = await client.sendStreamingMessage('ask me').result();
        assert.ok(asked.kind === 'paused', JSON.stringify(asked));
        assert.deepEqual(
          asked.question?.parts.map((part) => part.kind === 'text' && part.text),
          ['Which one?'],
        );
        const { id: taskId, contextId } = asked.task;
        const answered = await client.sendMessage({ parts: 'this one', taskId, contextId });
        assert.ok(answered.kind === 'finished' && answered.from === 'task');
        assert.equal(answered.task.id, taskId);
        assert.equal((await client.sendMessage('ask again')).kind, 'paused');
      });

      it('a running task: returned at once, subscribed to, followed, canceled', async (t) => {
        const { agent, client } = await begin(t, spoken);
        const running = await client.sendMessage('hold on', { returnImmediately: true });
        assert.ok(running.kind === 'running', JSON.stringify(running));
        const joined = client.subscribeToTask(running.task.id);
        const kinds: string[] = [];
        for await (const { kind } of joined) {
          kinds.push(kind);
          if (kinds.length === 1) agent.executor.release();
        }
        assert.equal(kinds[0], 'task');
        assert.equal((await joined.result()).text, 'Held hold on');
        assert.equal((await client.followTask(running.task.id).result()).text, 'Held hold on');
        const other = await client.sendMessage('hold it', { returnImmediately: true });
        assert.ok(other.kind === 'running');
        assert.equal((await client.cancelTask(other.task.id)).state, 'canceled');
        assert.equal((await client.cancelTask(other.task.id)).state, 'canceled');
        assert.equal((await client.getTask(other.task.id)).state, 'canceled');
      });

      it('listTasks, page by page', async (t) => {
        const { client } = await begin(t, spoken);
        if (version === '0.3') return assert.rejects(client.listTasks(), UnsupportedError);
        for (const words of ['one', 'two', 'three']) await client.sendMessage(words);
        const page = await client.listTasks({ pageSize: 2, includeArtifacts: true, historyLength: 1 });
        assert.equal(page.tasks.length, 2);
        assert.equal(page.totalSize, 3);
        assert.ok(page.tasks.every(({ artifacts, history }) => artifacts.length === 1 && history.length === 1));
        const ids = new Set<string>();
        for await (const { id } of client.allTasks({ pageSize: 2 })) ids.add(id);
        assert.equal(ids.size, 3);
        assert.equal((await client.listTasks({ contextId: 'nobody' })).tasks.length, 0);
      });

      it('push notification configurations: created, read, listed, deleted', async (t) => {
        const { client } = await begin(t, spoken);
        const sent = await client.sendMessage('one');
        assert.ok(sent.kind === 'finished' && sent.from === 'task');
        const { id } = sent.task;
        const hook = { id: 'h1', url: 'https://hook.example/x', token: 'k' };
        const authentication = { scheme: 'Bearer', credentials: 'c' };
        const created = await client.createTaskPushNotificationConfig(id, { ...hook, authentication });
        assert.deepEqual([created.id, created.taskId, created.url], ['h1', id, hook.url]);
        const { source: _, ...read } = await client.getTaskPushNotificationConfig(id, 'h1');
        assert.deepEqual(read, { ...hook, taskId: id, authentication });
        assert.equal((await client.listTaskPushNotificationConfigs(id)).configs.length, 1);
        await client.deleteTaskPushNotificationConfig(id, 'h1');
        assert.equal((await client.listTaskPushNotificationConfigs(id)).configs.length, 0);
      });

      it('getExtendedAgentCard, and errors with their codes', async (t) => {
        const { client } = await begin(t, spoken);
        assert.equal((await client.getExtendedAgentCard()).name, 'Official');
        const known = await begin(t, spoken, { headers: { authorization: 'Bearer known' } });
        assert.equal((await known.client.getExtendedAgentCard()).name, 'Official, in full');
        const missing = (error: unknown) => error instanceof AgentError && error.code === -32001;
        await assert.rejects(client.getTask('none'), missing);
        await assert.rejects(client.cancelTask('none'), missing);
        await assert.rejects(client.subscribeToTask('none').result(), missing);
        await assert.rejects(client.sendMessage({ parts: 'x', taskId: 'none' }), missing);
      });

      it("the credentials that the SDK's card asks for are the ones that it takes", async (t) => {
        const agent = await sdkAgentForClient(spoken, {
          securitySchemes: {
            login: { httpAuthSecurityScheme: { scheme: 'Bearer' } },
            key: { apiKeySecurityScheme: { location: 'header', name: 'x-key' } },
          },
          securityRequirements: [{ schemes: { key: { list: [] } } }, { schemes: { login: { list: [] } } }],
        });
        t.after(() => agent.close());
        const options: ClientOptions = { prefer: { version } };
        await assert.rejects(Client.connect(agent.url, options), {
          name: 'CredentialsError',
          message: /"login" \(http bearer/,
        });
        const client = await Client.connect(agent.url, { ...options, credentials: { login: { token: 'known' } } });
        assert.equal((await client.getExtendedAgentCard()).name, 'Official, in full');
      });
    });
  }
}
