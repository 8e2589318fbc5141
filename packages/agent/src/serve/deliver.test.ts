import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AGENT_LIMITS } from '../limits.ts';
import type { TaskRecord } from '../task/task-record.ts';
import { type Delivery, deliver } from './deliver.ts';
import type { EventStream } from './event-stream.ts';
import { FetchSink } from './fetch-exchange.ts';
import { JsonRpcFormat } from './format.ts';

test('past the limit of open streams a reader is asked to come back, and the task begins all the same', async () => {
  const task: TaskRecord = {
    id: 't',
    contextId: 'c',
    owner: '',
    skillId: '',
    status: { state: 'TASK_STATE_SUBMITTED', timestamp: '' },
    history: [],
    artifacts: [],
    journal: [],
    version: 0,
    characters: 0,
  };
  const streams = new Set(Array.from({ length: AGENT_LIMITS.openStreams }, () => ({}) as EventStream));
  const desk = { followed: () => undefined } as unknown as Delivery['desk'];
  const delivery = { sink: new FetchSink(), format: new JsonRpcFormat('1'), desk, streams };
  let begun = 0;
  const start = () => {
    begun += 1;
  };
  const outcome = { kind: 'stream', task, historyLength: undefined, start } as const;
  assert.throws(() => deliver(outcome, delivery), { code: -32004, retryAfterMs: AGENT_LIMITS.retryAfterMs });
  assert.equal(begun, 1);
  streams.delete(streams.values().next().value as EventStream);
  deliver(outcome, delivery);
  assert.equal(begun, 2);
  assert.equal((await delivery.sink.response).headers.get('content-type'), 'text/event-stream');
});
