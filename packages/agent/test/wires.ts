import assert from 'node:assert/strict';
import { Client, type ClientOptions, type MessageToSend } from '../src/index.ts';
import { type Answering, type Asked, card03, cardOf, type RawAgent, rawAgent } from './raw-agent.ts';

interface Cleanup {
  after(end: () => unknown): void;
}

export type Wire = 'JSONRPC 1.0' | 'JSONRPC 0.3' | 'HTTP+JSON 1.0' | 'HTTP+JSON 0.3';

export const CARDS: Readonly<Record<Wire, (url: string) => unknown>> = {
  'JSONRPC 1.0': (url) => cardOf([{ url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }]),
  'HTTP+JSON 1.0': (url) => cardOf([{ url: `${url}/rest/`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }]),
  'JSONRPC 0.3': (url) => card03(`${url}/rpc`),
  'HTTP+JSON 0.3': (url) => card03(`${url}/rest`, { preferredTransport: 'HTTP+JSON' }),
};

export async function connected(t: Cleanup, wire: Wire, answer: Answering, options: ClientOptions = {}) {
  const agent = await rawAgent(t, answer, CARDS[wire]);
  let ids = 0;
  const newId = () => {
    ids += 1;
    return `id-${ids}`;
  };
  const client = await Client.connect(agent.url, { newId, ...options });
  return { client, agent };
}

/** What was asked, as one line and its body. */
export const line = ({ method, path, query }: Asked): string => `${method} ${path}${query.size > 0 ? `?${query}` : ''}`;

export const last = ({ asked }: RawAgent): Asked => asked.at(-1) ?? assert.fail('nothing was asked');

export const MESSAGE: MessageToSend = {
  parts: [
    'text',
    { text: 'marked', metadata: { k: 1 } },
    { data: { a: [1] } },
    { url: 'https://files.example/f', mediaType: 'image/png', filename: 'f.png' },
    { bytes: Buffer.from('hi') },
  ],
  messageId: 'm',
  taskId: 't',
  contextId: 'c',
  skillId: 's',
  metadata: { tag: true },
};

const COMMON = { messageId: 'm', taskId: 't', contextId: 'c', metadata: { tag: true, skillId: 's' } };

const PARTS_1_0 = [
  { text: 'text' },
  { text: 'marked', metadata: { k: 1 } },
  { data: { a: [1] } },
  { url: 'https://files.example/f', mediaType: 'image/png', filename: 'f.png' },
  { raw: 'aGk=' },
];

export const SENT: Readonly<Record<Wire, object>> = {
  'JSONRPC 1.0': { message: { ...COMMON, role: 'ROLE_USER', parts: PARTS_1_0 } },
  'HTTP+JSON 1.0': { message: { ...COMMON, role: 'ROLE_USER', parts: PARTS_1_0 } },
  'JSONRPC 0.3': {
    message: {
      kind: 'message',
      ...COMMON,
      role: 'user',
      parts: [
        { kind: 'text', text: 'text' },
        { kind: 'text', text: 'marked', metadata: { k: 1 } },
        { kind: 'data', data: { a: [1] } },
        { kind: 'file', file: { uri: 'https://files.example/f', mimeType: 'image/png', name: 'f.png' } },
        { kind: 'file', file: { bytes: 'aGk=' } },
      ],
    },
    configuration: { blocking: true },
  },
  'HTTP+JSON 0.3': {
    message: {
      ...COMMON,
      role: 'ROLE_USER',
      content: [
        { text: 'text' },
        { text: 'marked', metadata: { k: 1 } },
        { data: { data: { a: [1] } } },
        { file: { fileWithUri: 'https://files.example/f', mimeType: 'image/png', name: 'f.png' } },
        { file: { fileWithBytes: 'aGk=' } },
      ],
    },
    configuration: { blocking: true },
  },
};

/** A finished task with every kind of part, in the words of each wire. */
export const TASKS: Readonly<Record<Wire, object>> = {
  'JSONRPC 1.0': {
    task: taskOf('TASK_STATE_COMPLETED', 'parts', [{ text: 'yes' }, { data: { data: 1 } }, { raw: 'aGk=' }]),
  },
  'HTTP+JSON 1.0': {
    task: taskOf('TASK_STATE_COMPLETED', 'parts', [{ text: 'yes' }, { data: { data: 1 } }, { raw: 'aGk=' }]),
  },
  'JSONRPC 0.3': {
    kind: 'task',
    ...taskOf('completed', 'parts', [
      { kind: 'text', text: 'yes' },
      { kind: 'data', data: { data: 1 } },
      { kind: 'file', file: { bytes: 'aGk=' } },
    ]),
  },
  'HTTP+JSON 0.3': {
    task: taskOf('TASK_STATE_COMPLETED', 'content', [
      { text: 'yes' },
      { data: { data: { data: 1 } } },
      { file: { fileWithBytes: 'aGk=' } },
    ]),
  },
};

export function taskOf(state: string, historyParts: string, parts: readonly object[]) {
  const message = { messageId: 'h', role: 'agent', [historyParts]: parts };
  return { id: 't', contextId: 'c', status: { state }, artifacts: [{ artifactId: 'a', parts }], history: [message] };
}

export function bareTask(wire: Wire): object {
  const task = TASKS[wire] as { task?: object };
  return task.task ?? task;
}

export const isRest = (wire: Wire): boolean => wire.startsWith('HTTP');
export const is10 = (wire: Wire): boolean => wire.endsWith('1.0');
