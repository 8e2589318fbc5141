import assert from 'node:assert/strict';
import type { AgentEvent } from '../src/core/reply/agent-event.ts';
import type { Agent, EventSink, StreamEnd } from '../src/ports/agent.ts';
import { chunk, events, MESSAGE, type On, OUTGOING, options, status, TASK, task, working } from './agent-samples.ts';

/** Streams: order, and every way to end. */
export function streamsContract(on: On): void {
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
      { streamIdleMs: 250 },
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

async function collect(call: (sink: EventSink) => Promise<StreamEnd>): Promise<{ seen: AgentEvent[]; end: StreamEnd }> {
  const seen: AgentEvent[] = [];
  const end = await call((event) => {
    seen.push(event);
    return 'more';
  });
  return { seen, end };
}
