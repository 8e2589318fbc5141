import type { ListQuery, OutgoingCall, OutgoingMessage } from '@agentkourier/a2a/outgoing';
import { readTask } from '@agentkourier/a2a/read-task';
import type { Agent, CallOptions, EventSink, Outgoing, StreamEnd, TaskRead } from '../../ports/agent.ts';
import type { Connection } from './connection.ts';
import { callForResult, callForStream, type ResultReading } from './wire/call.ts';
import { type CallName, unknown } from './wire/failures.ts';
import { findTurn } from './wire/find-turn.ts';
import type { Connected, Target } from './wire/target.ts';
import { toSnapshot } from './wire/to-core.ts';
import type { Wire } from './wire/wire.ts';

type Build = (encoder: Wire['encoder']) => OutgoingCall;

const ACTOR = 'agentkourier.dev/actor';

/** An agent on either wire, over HTTP: which one is known when its card is. */
export function a2aAgent(target: Target, connection: Connection): Agent {
  const stream = async (
    name: CallName,
    build: Build,
    sink: EventSink,
    options: CallOptions,
    extension?: string,
  ): Promise<StreamEnd> => {
    const connected = await unlessCalledOff(connection.connect(options.traceId), options.signal);
    if (connected === undefined) return { kind: 'closed' };
    if (connected.kind !== 'connected') return connected;
    return callForStream({ name, request: build(connected.wire.encoder), target, connected, options, extension }, sink);
  };

  const result = (name: CallName, request: OutgoingCall, connected: Connected, options: CallOptions) =>
    callForResult({ name, request, target, connected, options });

  const task = async (name: CallName, build: Build, options: CallOptions): Promise<TaskRead> => {
    const connected = await unlessCalledOff(connection.connect(options.traceId), options.signal);
    if (connected === undefined) return CALLED_OFF;
    if (connected.kind !== 'connected') return connected;
    return taskOf(await result(name, build(connected.wire.encoder), connected, options));
  };

  return {
    send: (message, sink, options) =>
      stream('send', (encoder) => encoder.send(wireMessage(message)), sink, options, message.extension?.uri),
    subscribe: (id, sink, options) => stream('subscribe', (encoder) => encoder.subscribe(id), sink, options),
    getTask: (id, options) => task('get', (encoder) => encoder.getTask(id), options),
    cancelTask: (id, options) => task('cancel', (encoder) => encoder.cancelTask(id), options),
    findTurn: async (turn, options) => {
      const connected = await unlessCalledOff(connection.connect(options.traceId), options.signal);
      if (connected === undefined) return CALLED_OFF;
      if (connected.kind !== 'connected') return connected;
      const list = (query: ListQuery): Promise<ResultReading> => {
        const request = connected.wire.encoder.listTasks(query);
        if (request === undefined) return Promise.resolve(NO_LIST);
        return result('list', request, connected, options);
      };
      return findTurn(turn, list);
    },
  };
}

const CALLED_OFF = unknown('the call was called off');

/** A 0.3 agent is never asked (rule M5): no task of it is known to hold anything. */
const NO_LIST: ResultReading = { kind: 'result', result: { tasks: [] } };

function taskOf(reading: ResultReading): TaskRead {
  if (reading.kind !== 'result') return reading;
  const task = readTask(reading.result);
  return task === undefined ? unknown('the answer holds no task') : { kind: 'task', task: toSnapshot(task) };
}

/** Rules S1 to S5, and for an answer to a structured request S8 and Q8. */
function wireMessage({ messageId, text, contextId, taskId, actor, extension }: Outgoing): OutgoingMessage {
  const metadata = {
    ...(actor === undefined ? {} : { [ACTOR]: actor }),
    ...(extension === undefined ? {} : { [extension.uri]: extension.payload }),
  };
  return {
    messageId,
    parts: [{ text }],
    ...(contextId === undefined ? {} : { contextId }),
    ...(taskId === undefined ? {} : { taskId }),
    ...(extension === undefined ? {} : { extensions: [extension.uri] }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}

/** Waits for a shared promise, but no longer than this caller wants to: `undefined` then. */
function unlessCalledOff<Value>(value: Value | Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  if (!(value instanceof Promise)) return Promise.resolve(value);
  return new Promise((resolve) => {
    const off = () => resolve(undefined);
    signal.addEventListener('abort', off, { once: true });
    void value.then((settled) => {
      signal.removeEventListener('abort', off);
      resolve(settled);
    });
  });
}
