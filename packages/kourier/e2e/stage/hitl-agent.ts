import { frame, type HttpAgent, type Reaction, reply, type SeenCall, stream } from '../../contract/http-agent.ts';
import { renderCard } from '../../contract/render-wire.ts';
import { HITL_URI } from '../../src/core/request/read-pause.ts';

/** What an agent that pauses sends, in few words, on the 1.0 wire. One task of one context, whatever the turn. */
const IDS = { taskId: 'task-1', contextId: 'context-1' };

export type Part = Readonly<Record<string, unknown>>;

export const text = (words: string): Part => ({ text: words });

export const call = (id: string, name: string, args: object = {}): Part => ({
  data: { id, name, args },
  metadata: { adk_type: 'function_call' },
});

export const result = (id: string, name: string, response: object): Part => ({
  data: { id, name, response },
  metadata: { adk_type: 'function_response' },
});

export const artifact = (artifactId: string, ...parts: readonly Part[]): object => ({
  artifactUpdate: { ...IDS, artifact: { artifactId, parts } },
});

export interface Message {
  readonly messageId: string;
  readonly parts: readonly Part[];
  /** The request of the human-in-the-loop extension. */
  readonly payload?: object;
}

function messageOf({ messageId, parts, payload }: Message): object {
  const hitl = payload === undefined ? {} : { extensions: [HITL_URI], metadata: { [HITL_URI]: payload } };
  return { messageId, role: 'ROLE_AGENT', parts, ...hitl };
}

const statusOf = (state: string, message?: Message): object => ({
  state: `TASK_STATE_${state}`,
  ...(message === undefined ? {} : { message: messageOf(message) }),
});

export const update = (state: string, message?: Message): object => ({
  statusUpdate: { ...IDS, status: statusOf(state, message) },
});

export interface Stored {
  readonly artifacts?: readonly object[];
  readonly message?: Message;
  readonly history?: readonly Message[];
}

/** As the agent's store has it: for GetTask, and, in `whole`, as a frame. */
export function task(state: string, { artifacts = [], message, history = [] }: Stored = {}): object {
  const stored = artifacts.map((item) => (item as { artifactUpdate: { artifact: object } }).artifactUpdate.artifact);
  const { taskId: id, contextId } = IDS;
  return { id, contextId, status: statusOf(state, message), artifacts: stored, history: history.map(messageOf) };
}

export const whole = (state: string, stored: Stored = {}): object => ({ task: task(state, stored) });

/** Frames, then a clean end. */
export const streamed =
  (...results: readonly object[]): Reaction =>
  (response, seen) =>
    stream(framesFor(seen, results), (open) => void open.end())(response, seen);

/** Frames, then a lost connection. */
export const broken =
  (...results: readonly object[]): Reaction =>
  (response, seen) =>
    stream(framesFor(seen, results), (open) => void open.destroy())(response, seen);

const framesFor = ({ body }: SeenCall, results: readonly object[]): string[] =>
  results.map((item) => frame(item, body.id));

export const stored = (state: string, rest: Stored = {}): Reaction => reply({ result: task(state, rest) });

export const HITL_CARD = renderCard('1.0', {
  capabilities: { streaming: true, extensions: [{ uri: HITL_URI, required: false }] },
});

/** An approval of one tool, as the pause of `messageId`. */
export const approval = (...tools: readonly { id: string; name: string; args?: unknown }[]): Message => ({
  messageId: 'pause-1',
  parts: [text('Approve?')],
  payload: { type: 'tool_approval_request', hint: 'Delete the pod?', tools },
});

/** The agent pauses for one approval, and completes once it has it. */
export function asksOnce(agent: HttpAgent, pause: Message): HttpAgent {
  const waits = stored('INPUT_REQUIRED', { message: pause });
  agent.on('send', streamed(update('WORKING'), whole('INPUT_REQUIRED', { message: pause })));
  return agent.on('get', waits, waits, waits, waits);
}

/** What a send after the pause brings. */
export const completes = streamed(
  update('WORKING'),
  whole('COMPLETED', { artifacts: [artifact('answer', text('Done.'))] }),
);
