import { reference, type Schema } from './schema.ts';

const STRING = { type: 'string' } as const;

const open = (required: readonly string[], properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  required,
  properties,
});

const list = (name: string): Schema => ({ type: 'array', items: reference(name) });

const entry = (kind: string, required: readonly string[], properties: Readonly<Record<string, Schema>>): Schema =>
  open(['id', 'kind', ...required], { id: STRING, kind: { const: kind }, turnId: STRING, ...properties });

/** What the calls answer with. Open on purpose: a reader lets members be that it does not know. */
export const ANSWER_SCHEMAS = {
  Actor: open(['id'], { id: STRING, name: STRING, email: STRING }),
  Health: open(['status'], { status: { const: 'ok' } }),
  Readiness: open(['ready', 'notReady', 'problems'], {
    ready: { type: 'boolean' },
    notReady: { type: 'array', items: STRING, description: 'What is not ready yet, or no longer.' },
    problems: {
      type: 'array',
      items: STRING,
      description:
        'Why the newest configuration was refused; the last good one is in use, so these do not make it unready.',
    },
  }),
  Bindings: open(['bindings'], { bindings: list('Binding') }),
  Binding: open(['name', 'backend', 'platform', 'agent'], {
    name: STRING,
    backend: STRING,
    platform: STRING,
    agent: { oneOf: [reference('Agent'), { type: 'null' }], description: 'null until the card has been fetched.' },
  }),
  Agent: open(['name', 'description', 'version', 'protocolVersion'], {
    name: STRING,
    description: STRING,
    version: STRING,
    protocolVersion: STRING,
  }),
  ThreadOpened: open(['thread', 'turnId'], { thread: STRING, turnId: STRING }),
  MessageTaken: open([], { turnId: { ...STRING, description: 'Absent when the message was kept as context.' } }),
  Stopped: open(['stopping'], { stopping: { type: 'boolean', description: 'false: nothing was under way.' } }),
  AlertTaken: open([], {
    thread: { ...STRING, description: 'Absent when nothing was firing.' },
    turnId: STRING,
  }),
  ThreadStatus: { enum: ['idle', 'queued', 'running', 'waiting'] },
  StatusEvent: open(['status'], { status: reference('ThreadStatus') }),
  Timeline: open(['id', 'binding', 'status', 'entries', 'revision'], {
    id: STRING,
    binding: STRING,
    status: reference('ThreadStatus'),
    revision: { type: 'integer', minimum: 0, description: 'Where the events go on: `?after=` of the event stream.' },
    entries: list('Entry'),
  }),
  Entry: {
    oneOf: ['MessageEntry', 'StepEntry', 'AnswerEntry', 'NoticeEntry'].map(reference),
    discriminator: {
      propertyName: 'kind',
      mapping: {
        message: '#/components/schemas/MessageEntry',
        step: '#/components/schemas/StepEntry',
        answer: '#/components/schemas/AnswerEntry',
        notice: '#/components/schemas/NoticeEntry',
      },
    },
  },
  MessageEntry: entry('message', ['text', 'at'], { actor: reference('Actor'), text: STRING, at: STRING }),
  StepEntry: entry('step', ['turnId', 'name', 'state'], {
    callId: STRING,
    name: STRING,
    args: {},
    state: { enum: ['running', 'done', 'failed'] },
    result: {},
  }),
  AnswerEntry: entry('answer', ['turnId', 'text', 'streaming'], { text: STRING, streaming: { type: 'boolean' } }),
  NoticeEntry: entry('notice', ['turnId', 'code', 'text'], { code: STRING, category: STRING, text: STRING }),
  Problem: open(['type', 'code', 'title', 'status', 'detail'], {
    type: STRING,
    code: STRING,
    title: STRING,
    status: { type: 'integer' },
    detail: { ...STRING, description: 'What to do about it.' },
    faults: { type: 'array', items: reference('Fault') },
  }),
  Fault: open(['at', 'problem'], { at: { ...STRING, description: 'JSON pointer into the body.' }, problem: STRING }),
} satisfies Readonly<Record<string, Schema>>;
