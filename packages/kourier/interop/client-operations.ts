import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { AgentError, Client, type ClientOptions, type MessageToSend, UnsupportedError } from '@agentkourier/agent';

/**
 * An agent that does what the message says: `message …` answers with a bare message, `fail …` fails, `ask …` pauses,
 * `parts …` gives every part of the message back, `hold …` says `Held ` and waits; anything else is said again in chunks.
 */
export interface CalledAgent {
  readonly url: string;
  /** Where its calls go, where that is another than its card's. */
  readonly origin?: string;
  /** Lets the held turns go on. */
  release(): void | Promise<void>;
}

export interface Spoken {
  readonly version: Client['endpoint']['version'];
  readonly binding: Client['endpoint']['binding'];
}

/** What a peer does not do as it should. */
export type Lack =
  /** It loses what a part says beside its content. */
  | 'part-members'
  /** It fails on a file's bytes. */
  | 'file-bytes'
  /** It refuses push notification configurations. */
  | 'push-configs'
  /** A subscription does not begin with the task, and its chunks are stored once more. */
  | 'snapshots'
  /** It fails at times on an answer that follows a streamed pause at once. */
  | 'quick-answers'
  /** It breaks a stream that it should refuse. */
  | 'stream-errors'
  /** An HTTP status is all that it says of an error. */
  | 'error-codes';

export interface CalledPeer extends Spoken {
  readonly agent: (t: TestContext) => Promise<CalledAgent>;
  readonly lacks: ReadonlySet<Lack>;
}

const PARTS: MessageToSend['parts'] = [
  'parts, please',
  { data: { a: [1, { b: null }] }, metadata: { k: 'v' } },
  { url: 'https://files.example/f.png', mediaType: 'image/png', filename: 'f.png' },
  { bytes: new TextEncoder().encode('hi'), mediaType: 'text/plain' },
];

/** Every operation of the client, against an agent that others made. */
export function clientOperations(peer: CalledPeer): void {
  itSaysAndHears(peer);
  itPausesAndRuns(peer);
  itReadsWhatIsKept(peer);
}

export async function connected({ agent, version, binding }: CalledPeer, t: TestContext, options: ClientOptions = {}) {
  const called = await agent(t);
  const credentialOrigins = called.origin === undefined ? [] : [called.origin];
  const client = await Client.connect(called.url, { prefer: { version }, credentialOrigins, ...options });
  assert.deepEqual([client.endpoint.binding, client.endpoint.version], [binding, version]);
  return { agent: called, client };
}

function itSaysAndHears(peer: CalledPeer): void {
  it('sendMessage: a task, a bare message, a failure, and the next turn of a context', async (t) => {
    const { client } = await connected(peer, t);
    const first = await client.sendMessage('one two  three');
    assert.ok(first.kind === 'finished' && first.from === 'task', JSON.stringify(first));
    assert.equal(first.text, 'one two  three');
    const { contextId } = first.task;
    const bare = await client.sendMessage({ parts: 'message only', contextId });
    assert.ok(bare.kind === 'finished' && bare.from === 'message');
    assert.equal(bare.text, 'Bare: message only');
    assert.equal(bare.message.contextId, contextId);
    const failed = await client.sendMessage('fail now');
    assert.ok(failed.kind === 'finished');
    assert.equal(failed.state, 'failed');
  });

  it('every kind of part goes there and comes back', async (t) => {
    const { client } = await connected(peer, t);
    const parts = peer.lacks.has('file-bytes') ? PARTS.slice(0, -1) : PARTS;
    const result = await client.sendMessage({ parts, metadata: { tag: 1 }, skillId: 'echo' });
    assert.ok(result.kind === 'finished' && result.from === 'task', JSON.stringify(result));
    const again = result.task.artifacts[0]?.parts ?? [];
    const poor = peer.lacks.has('part-members');
    const expected = [
      { kind: 'text', text: 'parts, please' },
      { kind: 'data', data: { a: [1, { b: null }] }, ...(poor ? {} : { metadata: { k: 'v' } }) },
      {
        kind: 'file',
        url: 'https://files.example/f.png',
        mediaType: 'image/png',
        ...(poor ? {} : { filename: 'f.png' }),
      },
      { kind: 'file', raw: 'aGk=', mediaType: 'text/plain' },
    ];
    assert.deepEqual(
      again.map(({ source: _, ...part }) => JSON.parse(JSON.stringify(part))),
      expected.slice(0, parts.length),
    );
    const task = await client.getTask(result.task.id, { historyLength: 5 });
    assert.deepEqual(task.history[0]?.metadata, { tag: 1, skillId: 'echo' });
    assert.equal(task.history[0].parts.length, parts.length);
  });

  it('sendStreamingMessage: the events in their order, each chunk once', async (t) => {
    const { client } = await connected(peer, t);
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
}

function itPausesAndRuns(peer: CalledPeer): void {
  it('a pause is a result, and its answer goes on with the task', async (t) => {
    const { client } = await connected(peer, t);
    const asked = peer.lacks.has('quick-answers')
      ? await client.sendMessage('ask me')
      : await client.sendStreamingMessage('ask me').result();
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
    const whole = !peer.lacks.has('snapshots');
    // Where nothing tells that the subscription stands, its headers do.
    const telling: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (response.headers.get('content-type')?.startsWith('text/event-stream')) await agent.release();
      return response;
    };
    const { agent, client } = await connected(peer, t, whole ? {} : { fetch: telling });
    const running = await client.sendMessage('hold on', { returnImmediately: true });
    assert.ok(running.kind === 'running', JSON.stringify(running));
    const joined = client.subscribeToTask(running.task.id);
    const kinds: string[] = [];
    for await (const { kind } of joined) {
      kinds.push(kind);
      if (whole && kinds.length === 1) await agent.release();
    }
    assert.equal(kinds[0], whole ? 'task' : 'artifact-update');
    assert.equal((await joined.result()).text, whole ? 'Held hold on' : 'hold on');
    const followed = await client.followTask(running.task.id).result();
    assert.equal(followed.kind, 'finished');
    if (whole) assert.equal(followed.text, 'Held hold on');
    const other = await client.sendMessage('hold it', { returnImmediately: true });
    assert.ok(other.kind === 'running');
    assert.equal((await client.cancelTask(other.task.id)).state, 'canceled');
    assert.equal((await client.cancelTask(other.task.id)).state, 'canceled');
    assert.equal((await client.getTask(other.task.id)).state, 'canceled');
  });
}

function itReadsWhatIsKept(peer: CalledPeer): void {
  it('listTasks, page by page', async (t) => {
    const { client } = await connected(peer, t);
    if (peer.version === '0.3') return assert.rejects(client.listTasks(), UnsupportedError);
    const first = await client.sendMessage('one');
    assert.ok(first.kind === 'finished' && first.from === 'task');
    const { contextId } = first.task;
    for (const parts of ['two', 'three']) await client.sendMessage({ parts, contextId });
    const page = await client.listTasks({ contextId, pageSize: 2, includeArtifacts: true, historyLength: 1 });
    assert.equal(page.tasks.length, 2);
    assert.equal(page.totalSize, 3);
    assert.ok(page.tasks.every(({ artifacts, history }) => artifacts.length === 1 && history.length === 1));
    const ids = new Set<string>();
    for await (const { id } of client.allTasks({ contextId, pageSize: 2 })) ids.add(id);
    assert.equal(ids.size, 3);
    assert.equal((await client.listTasks({ contextId: 'nobody' })).tasks.length, 0);
  });

  it('push notification configurations: created, read, listed, deleted', async (t) => {
    const { client } = await connected(peer, t);
    const sent = await client.sendMessage('one');
    assert.ok(sent.kind === 'finished' && sent.from === 'task');
    const { id } = sent.task;
    const hook = { id: 'h1', url: 'https://hook.example/x', token: 'k' };
    const authentication = { scheme: 'Bearer', credentials: 'c' };
    const creating = client.createTaskPushNotificationConfig(id, { ...hook, authentication });
    if (peer.lacks.has('push-configs')) return assert.rejects(creating, AgentError);
    const created = await creating;
    assert.deepEqual([created.id, created.taskId, created.url], ['h1', id, hook.url]);
    const { source: _, ...read } = await client.getTaskPushNotificationConfig(id, 'h1');
    assert.deepEqual(read, { ...hook, taskId: id, authentication });
    assert.equal((await client.listTaskPushNotificationConfigs(id)).configs.length, 1);
    await client.deleteTaskPushNotificationConfig(id, 'h1');
    assert.equal((await client.listTaskPushNotificationConfigs(id)).configs.length, 0);
  });

  it('getExtendedAgentCard, and errors with their codes', async (t) => {
    const { client } = await connected(peer, t);
    const known = await connected(peer, t, { headers: { authorization: 'Bearer known' } });
    assert.equal((await known.client.getExtendedAgentCard()).name, 'Official, in full');
    const missing = (error: unknown) =>
      error instanceof AgentError && (peer.lacks.has('error-codes') ? error.status === 404 : error.code === -32001);
    await assert.rejects(client.getTask('none'), missing);
    await assert.rejects(client.cancelTask('none'), missing);
    const joining = client.subscribeToTask('none').result();
    if (peer.lacks.has('stream-errors')) assert.equal((await joining).kind, 'transport-failure');
    else await assert.rejects(joining, missing);
    await assert.rejects(client.sendMessage({ parts: 'x', taskId: 'none' }), missing);
  });
}
