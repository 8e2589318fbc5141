import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AgentEvent, Status, StatusEvent, TaskSnapshot } from '../src/core/reply/agent-event.ts';
import type { ContextId, MessageId, TaskId } from '../src/core/thread/ids.ts';
import type { Timings } from '../src/core/timings.ts';
import type { Agent, CallOptions, EventSink, Failure, StreamEnd } from '../src/ports/agent.ts';

export type AgentMethod = 'send' | 'subscribe' | 'get' | 'cancel' | 'list';

/** What the agent on the other side does with one call. */
export type Reply =
  /** Events, and then the stream ends cleanly, is lost, or stays open. */
  | { readonly kind: 'events'; readonly events: readonly AgentEvent[]; readonly then: 'end' | 'lose' | 'hold' }
  /** Events, and then a JSON-RPC error in the stream. */
  | { readonly kind: 'events-error'; readonly events: readonly AgentEvent[]; readonly code: number }
  | { readonly kind: 'task'; readonly task: TaskSnapshot }
  | { readonly kind: 'page'; readonly tasks: readonly TaskSnapshot[]; readonly next?: string }
  | { readonly kind: 'error'; readonly code: number; readonly retryAfterMs?: number }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterSeconds?: number }
  /** The connection is lost before there are response headers. */
  | { readonly kind: 'lost' }
  /** There are never any. */
  | { readonly kind: 'silent' };

/** What an implementation of `Agent` brings for its contract: itself, and the agent on the other side. */
export interface AgentUnderTest {
  readonly agent: Agent;
  /** What the next calls of a method get, in order. */
  script(method: AgentMethod, ...replies: readonly Reply[]): void;
  /** How often the other side was asked. */
  asked(method: AgentMethod): number;
  close(): Promise<void>;
}

export interface AgentTraits {
  /** The other side has ListTasks (A2A 1.0). */
  readonly lists: boolean;
}

export type OpenAgent = (timings: Partial<Timings>) => Promise<AgentUnderTest>;

const TASK = 'task-1' as TaskId;
const CONTEXT = 'context-1' as ContextId;
const MESSAGE = 'message-1' as MessageId;
const OUTGOING = { messageId: MESSAGE, text: 'Hi' };

const status = (state: Status['state']): Status => ({ state, codes: [] });
const ids = { taskId: TASK, contextId: CONTEXT };
const working: StatusEvent = { kind: 'status', ...ids, status: status('working'), final: false };
const chunk = (text: string): AgentEvent => ({
  kind: 'artifact',
  ...ids,
  append: true,
  artifact: { artifactId: 'a', parts: [{ kind: 'text', text, thought: false }] },
});
const task: TaskSnapshot = {
  id: TASK,
  contextId: CONTEXT,
  status: { ...status('completed'), timestamp: '2026-01-01T00:00:00Z' },
  artifacts: [{ artifactId: 'a', parts: [{ kind: 'text', text: 'Hi', thought: true }] }],
  history: [
    { messageId: MESSAGE, role: 'user', parts: [{ kind: 'text', text: 'Hi', thought: false }], extensions: [] },
  ],
};
const events = (items: readonly AgentEvent[], then: 'end' | 'lose' | 'hold'): Reply => ({
  kind: 'events',
  events: items,
  then,
});

const options = (signal = new AbortController().signal): CallOptions => ({
  signal,
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
});

/** Every promise of the port `Agent`, for one implementation and one wire. */
export function agentContract(name: string, open: OpenAgent, traits: AgentTraits): void {
  describe(`agent contract: ${name}`, () => {
    const on = (what: string, body: (under: AgentUnderTest) => Promise<void>, timings: Partial<Timings> = {}) => {
      test(what, async () => {
        const under = await open(timings);
        try {
          await body(under);
        } finally {
          await under.close();
        }
      });
    };
    streamsContract(on);
    failuresContract(on);
    tasksContract(on);
    lookupContract(on, traits);
  });
}

type On = (what: string, body: (under: AgentUnderTest) => Promise<void>, timings?: Partial<Timings>) => void;

async function collect(call: (sink: EventSink) => Promise<StreamEnd>): Promise<{ seen: AgentEvent[]; end: StreamEnd }> {
  const seen: AgentEvent[] = [];
  const end = await call((event) => {
    seen.push(event);
    return 'more';
  });
  return { seen, end };
}

function streamsContract(on: On): void {
  const said: AgentEvent[] = [
    { kind: 'task', task },
    working,
    chunk('a'),
    chunk('b'),
    { ...working, status: status('completed') },
  ];
  const message: AgentEvent = {
    kind: 'message',
    message: {
      messageId: MESSAGE,
      role: 'agent',
      parts: [{ kind: 'text', text: 'Hi', thought: false }],
      extensions: ['u:x'],
      metadata: { k: 1 },
    },
  };

  for (const method of ['send', 'subscribe'] as const) {
    const call = (agent: Agent, sink: EventSink, given = options()) =>
      method === 'send' ? agent.send(OUTGOING, sink, given) : agent.subscribe(TASK, sink, given);

    on(`${method}: events come in order, and a clean end is \`closed\``, async ({ agent, script }) => {
      script(method, events([...said, message], 'end'));
      const { seen, end } = await collect((sink) => call(agent, sink));
      assert.deepEqual(seen, [...said, message]);
      assert.deepEqual(end, { kind: 'closed' });
    });

    on(`${method}: a connection lost after an event is a cut`, async ({ agent, script }) => {
      script(method, events([working], 'lose'));
      const { seen, end } = await collect((sink) => call(agent, sink));
      assert.deepEqual(seen, [working]);
      assert.equal(end.kind, 'cut');
    });

    on(`${method}: C049 so is an error frame after an event, whatever its code`, async ({ agent, script }) => {
      script(method, { kind: 'events-error', events: [working], code: -32_001 });
      assert.equal((await collect((sink) => call(agent, sink))).end.kind, 'cut');
    });

    on(`${method}: a stream that ends with no event is a failure of unknown outcome`, async ({ agent, script }) => {
      script(method, events([], 'end'), events([], 'lose'));
      assert.equal((await collect((sink) => call(agent, sink))).end.kind, 'unknown');
      assert.equal((await collect((sink) => call(agent, sink))).end.kind, 'unknown');
    });

    on(
      `${method}: a silent stream is cut`,
      async ({ agent, script }) => {
        script(method, events([working], 'hold'), events([], 'hold'));
        assert.equal((await collect((sink) => call(agent, sink))).end.kind, 'cut');
        assert.equal((await collect((sink) => call(agent, sink))).end.kind, 'unknown');
      },
      { streamIdleMs: 40 },
    );

    on(`${method}: \`enough\` ends it on our side, at once`, async ({ agent, script }) => {
      script(method, events([working, chunk('a')], 'hold'));
      const seen: AgentEvent[] = [];
      const end = await call(agent, (event) => {
        seen.push(event);
        return 'enough';
      });
      assert.deepEqual([seen, end], [[working], { kind: 'closed' }]);
    });

    on(`${method}: the signal ends it as \`closed\`, before headers and after an event`, async ({ agent, script }) => {
      script(method, events([working], 'hold'), { kind: 'silent' });
      const first = new AbortController();
      const abort: EventSink = () => {
        first.abort();
        return 'more';
      };
      const end = await call(agent, abort, options(first.signal));
      assert.deepEqual(end, { kind: 'closed' });
      const second = new AbortController();
      const pending = call(agent, () => 'more', options(second.signal));
      second.abort();
      assert.deepEqual(await pending, { kind: 'closed' });
      assert.deepEqual(await call(agent, () => 'more', options(second.signal)), { kind: 'closed' });
    });
  }
}

function failuresContract(on: On): void {
  const failed = async (agent: Agent) => withoutWhy(await agent.send(OUTGOING, () => 'more', options()));

  on('C026 an HTTP status says how certain a failure is', async ({ agent, script }) => {
    const expected: Record<number, string> = {
      ...{ 401: 'credentials', 403: 'credentials', 400: 'not-sent', 404: 'not-sent', 409: 'not-sent' },
      ...{ 408: 'unknown', 429: 'unknown', 500: 'unknown', 502: 'unknown', 503: 'unknown', 302: 'not-sent' },
    };
    for (const [code, kind] of Object.entries(expected)) {
      script('send', { kind: 'status', status: Number(code) });
      assert.deepEqual(await failed(agent), { kind }, code);
    }
  });

  on('C026 Retry-After is told, a day at most', async ({ agent, script }) => {
    script(
      'send',
      { kind: 'status', status: 503, retryAfterSeconds: 17 },
      { kind: 'status', status: 404, retryAfterSeconds: 9_999_999 },
    );
    assert.deepEqual(await failed(agent), { kind: 'unknown', retryAfterMs: 17_000 });
    assert.deepEqual(await failed(agent), { kind: 'not-sent', retryAfterMs: 86_400_000 });
  });

  on('a JSON-RPC error says what its code means for the call', async ({ agent, script }) => {
    const sends: Record<string, object> = {
      '-31401': { kind: 'credentials' },
      '-31403': { kind: 'identity' },
      '-32004': { kind: 'busy' },
      '-32001': { kind: 'not-found' },
      '-32601': { kind: 'unsupported' },
      '-32602': { kind: 'rejected', code: -32_602 },
      '-32002': { kind: 'rejected', code: -32_002 },
      '-32603': { kind: 'unknown' },
    };
    for (const [code, failure] of Object.entries(sends)) {
      script('send', { kind: 'error', code: Number(code) });
      assert.deepEqual(await failed(agent), failure, code);
    }
    script('send', { kind: 'error', code: -32_004, retryAfterMs: 250 });
    assert.deepEqual(await failed(agent), { kind: 'busy', retryAfterMs: 250 });
    script('subscribe', { kind: 'error', code: -32_004 });
    assert.deepEqual(withoutWhy(await agent.subscribe(TASK, () => 'more', options())), { kind: 'unsupported' });
    script('cancel', { kind: 'error', code: -32_002 });
    assert.deepEqual(withoutWhy(await agent.cancelTask(TASK, options())), { kind: 'not-cancelable' });
  });

  on('a connection lost before headers has an unknown outcome', async ({ agent, script, asked }) => {
    script('send', { kind: 'lost' });
    assert.deepEqual(await failed(agent), { kind: 'unknown' });
    assert.equal(asked('send'), 1, 'no call repeats itself');
  });

  on(
    'C047 so have headers that come late',
    async ({ agent, script }) => {
      script('send', { kind: 'silent' });
      script('get', { kind: 'silent' });
      assert.deepEqual(await failed(agent), { kind: 'unknown' });
      assert.deepEqual(withoutWhy(await agent.getTask(TASK, options())), { kind: 'unknown' });
    },
    { responseHeadersMs: 100 },
  );
}

function withoutWhy(end: StreamEnd | Failure | { readonly kind: string }): object {
  const { why, ...rest } = end as { why?: unknown; kind: string };
  if (end.kind !== 'closed') assert.equal(typeof why, 'string', 'a failure says why');
  return rest;
}

function tasksContract(on: On): void {
  on('a task is read whole', async ({ agent, script }) => {
    script('get', { kind: 'task', task });
    script('cancel', { kind: 'task', task: { ...task, status: status('canceled') } });
    assert.deepEqual(await agent.getTask(TASK, options()), { kind: 'task', task });
    const canceled = await agent.cancelTask(TASK, options());
    assert.equal(canceled.kind === 'task' && canceled.task.status.state, 'canceled');
  });

  on('a task that is not there', async ({ agent, script }) => {
    script('get', { kind: 'error', code: -32_001 });
    assert.deepEqual(withoutWhy(await agent.getTask(TASK, options())), { kind: 'not-found' });
  });
}

function lookupContract(on: On, { lists }: AgentTraits): void {
  const turn = { contextId: CONTEXT, messageId: MESSAGE };
  const other = { ...task, id: 'task-0' as TaskId, history: [] };

  if (!lists) {
    on('an agent without ListTasks is not asked', async ({ agent, asked }) => {
      assert.deepEqual(await agent.findTurn(turn, options()), { kind: 'absent' });
      assert.equal(asked('list'), 0);
    });
    return;
  }

  on("a turn is found by its message in a task's history, on any page", async ({ agent, script }) => {
    script('list', { kind: 'page', tasks: [other], next: 'p2' }, { kind: 'page', tasks: [task] });
    assert.deepEqual(await agent.findTurn(turn, options()), { kind: 'found', taskId: TASK });
  });

  on(
    'C127, C128 a page without a token is the last, and a token that comes again ends the walk',
    async ({ agent, script, asked }) => {
      script('list', { kind: 'page', tasks: [other] });
      assert.deepEqual(await agent.findTurn(turn, options()), { kind: 'absent' });
      const more = { ...other, id: 'task-2' as TaskId };
      script('list', { kind: 'page', tasks: [other], next: 'p' }, { kind: 'page', tasks: [more], next: 'p' });
      assert.deepEqual(await agent.findTurn(turn, options()), { kind: 'absent' });
      assert.equal(asked('list'), 3);
    },
  );

  on('a page with nothing new ends the walk', async ({ agent, script, asked }) => {
    script('list', { kind: 'page', tasks: [other], next: 'p' }, { kind: 'page', tasks: [other], next: 'q' });
    assert.deepEqual(await agent.findTurn(turn, options()), { kind: 'absent' });
    assert.equal(asked('list'), 2);
  });

  on('at most 100 pages are read', async ({ agent, script, asked }) => {
    const pages = Array.from(
      { length: 110 },
      (_, index): Reply => ({
        kind: 'page',
        tasks: [{ ...other, id: `t${index}` as TaskId }],
        next: `p${index}`,
      }),
    );
    script('list', ...pages);
    assert.deepEqual(await agent.findTurn(turn, options()), { kind: 'absent' });
    assert.equal(asked('list'), 100);
  });

  on('a failing lookup is a failure, not an absence', async ({ agent, script }) => {
    script('list', { kind: 'status', status: 500 }, { kind: 'error', code: -32_601 });
    assert.deepEqual(withoutWhy(await agent.findTurn(turn, options())), { kind: 'unknown' });
    assert.deepEqual(withoutWhy(await agent.findTurn(turn, options())), { kind: 'unsupported' });
  });
}
