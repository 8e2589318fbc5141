import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ServedAgent } from '../src/index.ts';
import { pythonEnvironment, whyNoPython } from './python-environment.ts';
import { serveEcho } from './served-agent.ts';

const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const missing = await whyNoPython();
if (missing !== undefined && process.env['CI'] !== undefined) throw new Error(missing);
/** The first of them may have to make the environment. */
const options = { timeout: 1_800_000, ...(missing === undefined ? {} : { skip: missing }) };

interface TaskSeen {
  readonly id: string;
  readonly status: { readonly state: string };
  readonly artifacts?: readonly { readonly parts: readonly object[] }[];
  readonly history?: readonly object[];
}

type EventSeen = Readonly<Record<string, { readonly status: { readonly state: string } }>>;

interface Seen<Sent, Told> {
  readonly card: Record<string, unknown>;
  readonly sent: readonly Sent[];
  readonly read: TaskSeen;
  readonly streamed: readonly Told[];
  readonly asked: TaskSeen;
  readonly answered: readonly Sent[];
  readonly subscribed: readonly Told[];
  readonly canceled: TaskSeen;
  readonly extended: { readonly name: string };
  readonly webhooks: WebhooksSeen;
  readonly notifications: readonly NotificationSeen[];
  readonly webhook: LegacyWebhookSeen;
  readonly listed?: { readonly tasks: readonly object[] };
  readonly errors: Readonly<Record<string, string | null>>;
}

interface WebhooksSeen {
  readonly taskId: string;
  readonly created: { readonly url: string };
  readonly read: object;
  /** Absent, with all that follows, where the SDK has no such operation. */
  readonly listed?: { readonly configs: readonly object[] };
  readonly left?: readonly object[];
  readonly gone?: string | null;
}

interface NotificationSeen {
  readonly told: Readonly<Record<string, TaskSeen>>;
  readonly token: string | null;
  readonly authorization: string | null;
}

interface LegacyWebhookSeen {
  readonly taskId: string;
  readonly url: string;
  readonly created: object;
  readonly read: object;
  readonly told: readonly TaskSeen[];
}

/** Runs a script of the official SDK against the agent; what it prints is JSON. */
async function run(sdk: '1' | '0.3', args: readonly string[]): Promise<unknown> {
  const { python, overlay } = await pythonEnvironment({
    name: 'a2a-sdk',
    requirements: beside('requirements.txt'),
    overlay: beside('requirements-a2a-0.3.txt'),
  });
  const script = beside(sdk === '1' ? 'a2a_client.py' : 'a2a_client_0_3.py');
  const env = { ...process.env, ...(sdk === '0.3' ? { PYTHONPATH: overlay } : {}) };
  const { stdout } = await promisify(execFile)(python, ['-W', 'ignore', '-B', script, ...args], { env });
  return JSON.parse(stdout);
}

const stateOf = (event: EventSeen | undefined): string | undefined =>
  (event?.['task'] ?? event?.['statusUpdate'])?.status.state;

for (const wire of ['1.0', '0.3'] as const) {
  for (const binding of ['JSONRPC', 'HTTP+JSON'] as const) {
    describe(`the official Python SDK calls an agent of ours, A2A ${wire}, ${binding}`, options, () => {
      let agent: ServedAgent;
      let seen: Seen<{ readonly task: TaskSeen }, EventSeen>;
      before(async () => {
        agent = await serveEcho();
        seen = (await run('1', [agent.url, wire, binding])) as typeof seen;
      });
      after(() => agent.close());

      it('reads the card, and the fuller one', () => {
        const { supportedInterfaces, name } = seen.card as {
          supportedInterfaces: Record<string, string>[];
          name: string;
        };
        assert.equal(name, 'Echo');
        assert.ok(supportedInterfaces.every(({ protocolVersion }) => protocolVersion?.startsWith(wire)));
        assert.equal(seen.extended.name, 'Echo, fuller');
      });

      it('sends a message and gets the task with every part', () => {
        const task = seen.sent[0]?.task;
        assert.equal(task?.status.state, 'TASK_STATE_COMPLETED');
        assert.deepEqual(task.artifacts?.[0]?.parts, [
          { text: 'one two' },
          { data: { words: 2 } },
          { url: 'https://files.example/a.png', mediaType: 'image/png', filename: 'a.png' },
        ]);
        assert.deepEqual(seen.read.artifacts, task.artifacts);
        assert.equal(seen.read.history, undefined);
      });

      it('streams a turn to its end, and answers a question', () => {
        const members = seen.streamed.flatMap((event) => Object.keys(event));
        assert.deepEqual([members[0], members[1]], ['task', 'statusUpdate']);
        assert.equal(members.filter((member) => member === 'artifactUpdate').length, 4);
        assert.equal(stateOf(seen.streamed.at(-1)), 'TASK_STATE_COMPLETED');
        assert.equal(seen.asked.status.state, 'TASK_STATE_INPUT_REQUIRED');
        const answered = seen.answered[0]?.task;
        assert.equal(answered?.id, seen.asked.id);
        assert.deepEqual(answered.artifacts?.[0]?.parts, [{ text: 'You said: here' }]);
      });

      it('subscribes to a task that runs, and cancels it', () => {
        assert.deepEqual(Object.keys(seen.subscribed[0] ?? {}), ['task']);
        assert.equal(seen.canceled.status.state, 'TASK_STATE_CANCELED');
        assert.equal(stateOf(seen.subscribed.at(-1)), 'TASK_STATE_CANCELED');
      });

      it('lists tasks where its version has a list, and gets errors under their names', () => {
        assert.equal(seen.listed?.tasks.length, wire === '1.0' ? 2 : undefined);
        assert.deepEqual(seen.errors, {
          get: 'TaskNotFoundError',
          cancel: 'TaskNotCancelableError',
          subscribe: 'TaskNotFoundError',
        });
      });

      it('creates, reads, lists and deletes the webhooks of a task, as far as it can in its version', () => {
        const { taskId, created, read, ...rest } = seen.webhooks;
        // The token and the credentials stay with who set them.
        const shown = { taskId, id: 'c1', url: created.url, authentication: { scheme: 'Bearer' } };
        assert.match(created.url, /^http:\/\/127\.0\.0\.1:\d+\/hook$/);
        assert.deepEqual(created, shown);
        assert.deepEqual(read, shown);
        const all = { listed: { configs: [shown] }, left: [], gone: 'TaskNotFoundError' };
        assert.deepEqual(rest, wire === '0.3' && binding === 'HTTP+JSON' ? {} : all);
      });

      it('reads what its webhook gets, from the message that brought the webhook to the answer', () => {
        // In 1.0 a status goes alone while the task works; in 0.3 all that goes is a task.
        const working = wire === '1.0' ? 'statusUpdate' : 'task';
        assert.deepEqual(
          seen.notifications.map(({ told }) =>
            Object.entries(told).map(([member, { status }]) => [member, status.state]),
          ),
          [
            [[working, 'TASK_STATE_WORKING']],
            [['task', 'TASK_STATE_INPUT_REQUIRED']],
            [[working, 'TASK_STATE_WORKING']],
            [['task', 'TASK_STATE_COMPLETED']],
          ],
        );
        const answered = seen.notifications.at(-1)?.told['task'];
        assert.deepEqual(answered?.artifacts?.[0]?.parts, [{ text: 'You said: here' }]);
        for (const { token, authorization } of seen.notifications) {
          assert.deepEqual([token, authorization], ['token', 'Bearer secret']);
        }
      });
    });
  }
}

interface LegacyTold {
  readonly kind: string;
  readonly final?: boolean;
  readonly status?: { readonly state: string };
}

for (const binding of ['JSONRPC', 'HTTP+JSON'] as const) {
  describe(`the official Python SDK that knows A2A 0.3 alone, ${binding}`, options, () => {
    let agent: ServedAgent;
    let seen: Seen<TaskSeen & LegacyTold, LegacyTold>;
    before(async () => {
      agent = await serveEcho();
      seen = (await run('0.3', [agent.url, binding])) as typeof seen;
    });
    after(() => agent.close());

    it('reads the card, and the fuller one', () => {
      assert.deepEqual([seen.card['protocolVersion'], seen.card['name']], ['0.3.0', 'Echo']);
      assert.equal(seen.extended.name, 'Echo, fuller');
    });

    it('sends, streams, answers, subscribes and cancels', () => {
      assert.deepEqual([seen.sent[0]?.kind, seen.sent[0]?.status.state], ['task', 'completed']);
      assert.deepEqual(seen.sent[0]?.artifacts?.[0]?.parts, [
        { kind: 'text', text: 'one two' },
        { kind: 'data', data: { words: 2 } },
        { kind: 'file', file: { uri: 'https://files.example/a.png', mimeType: 'image/png', name: 'a.png' } },
      ]);
      const chunks = Array(4).fill('artifact-update');
      assert.deepEqual(
        seen.streamed.map(({ kind }) => kind),
        ['task', 'status-update', ...chunks, 'status-update'],
      );
      const { final, status } = seen.streamed.at(-1) ?? {};
      assert.deepEqual([final, status?.state], [true, 'completed']);
      assert.equal(seen.asked.status.state, 'input-required');
      assert.deepEqual(seen.answered[0]?.artifacts?.[0]?.parts, [{ kind: 'text', text: 'You said: here' }]);
      assert.equal(seen.subscribed[0]?.kind, 'task');
      assert.equal(seen.canceled.status.state, 'canceled');
      assert.equal(seen.subscribed.at(-1)?.status?.state, 'canceled');
    });

    it('sets and reads a webhook, and reads what it gets', () => {
      const { taskId, url, created, read, told } = seen.webhook;
      // Over HTTP it reads what is absent as empty.
      const empty = binding === 'JSONRPC' ? {} : { token: '' };
      const withheld = binding === 'JSONRPC' ? {} : { credentials: '' };
      const shown = { id: 'c1', url, ...empty, authentication: { schemes: ['Bearer'], ...withheld } };
      assert.deepEqual(created, { taskId, pushNotificationConfig: shown });
      assert.deepEqual(read, created);
      assert.deepEqual(
        told.map(({ id, status }) => [id, status.state]),
        ['input-required', 'working', 'completed'].map((state) => [taskId, state]),
      );
      assert.deepEqual(told.at(-1)?.artifacts?.[0]?.parts, [{ kind: 'text', text: 'You said: here' }]);
    });

    it('gets errors', () => {
      const { get, cancel } = seen.errors;
      // Over HTTP it reads the status alone.
      assert.match(String(get), binding === 'JSONRPC' ? /not found/ : /404/);
      assert.match(String(cancel), binding === 'JSONRPC' ? /cannot be canceled/ : /400/);
    });
  });
}
