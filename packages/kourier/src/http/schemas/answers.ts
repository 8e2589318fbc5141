import type { FailureCategory, NoticeCode } from '../../core/thread/entry.ts';
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

/** The compiler knows one that is missing here. */
const NOTICE_CODES: Readonly<Record<NoticeCode, true>> = {
  'no-output': true,
  'task-failed': true,
  'task-rejected': true,
  'task-canceled': true,
  'context-lost': true,
  'session-gone': true,
  unreachable: true,
  'card-refused': true,
  'no-agent': true,
  'credentials-rejected': true,
  'identity-refused': true,
  busy: true,
  'request-failed': true,
  'pause-unusable': true,
  'limit-exceeded': true,
  'question-not-allowed': true,
  'request-expired': true,
  'answer-rejected': true,
  'answer-the-prompt': true,
  'cancel-failed': true,
};

const CATEGORIES: Readonly<Record<FailureCategory, true>> = {
  'context-limit': true,
  'rate-limit': true,
  authentication: true,
  timeout: true,
  permission: true,
};

const STRINGS = { type: 'array', items: STRING } as const;

const DATE_TIME = { ...STRING, description: 'RFC 3339.' } as const;

/** What was asked for is shown with it, and kept in the audit. */
const DECIDED = {
  answers: { type: 'array', items: STRINGS, description: 'For each question, in their order.' },
  approvals: list('Approval'),
} as const;

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
    backend: { type: ['string', 'null'], description: 'null where a Space stands in its place.' },
    space: { ...STRING, description: 'Of a binding that names one: its SpaceConnection.' },
    platform: STRING,
    agent: {
      oneOf: [reference('Agent'), { type: 'null' }],
      description: 'null until the card has been fetched, and where each thread gets an agent of its own.',
    },
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
  TriggerTaken: open([], {
    thread: { ...STRING, description: 'Absent when there was nothing to say, or no thread to say it in.' },
    turnId: { ...STRING, description: 'Absent when no turn was started.' },
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
    oneOf: ['MessageEntry', 'StepEntry', 'AnswerEntry', 'NoticeEntry', 'RequestEntry'].map(reference),
    discriminator: {
      propertyName: 'kind',
      mapping: {
        message: '#/components/schemas/MessageEntry',
        step: '#/components/schemas/StepEntry',
        answer: '#/components/schemas/AnswerEntry',
        notice: '#/components/schemas/NoticeEntry',
        request: '#/components/schemas/RequestEntry',
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
  NoticeEntry: entry('notice', ['turnId', 'code', 'text'], {
    code: { enum: Object.keys(NOTICE_CODES) },
    category: { enum: Object.keys(CATEGORIES) },
    text: STRING,
  }),
  RequestEntry: entry('request', ['turnId', 'type', 'state', 'heading', 'questions', 'tools', 'until'], {
    type: reference('RequestType'),
    state: { enum: ['open', 'answered', 'expired', 'canceled', 'failed'] },
    heading: STRING,
    questions: list('Question'),
    tools: list('RequestedTool'),
    approvers: { ...STRINGS, description: 'Who may decide, by id. Absent: anyone in the thread.' },
    until: { ...DATE_TIME, description: 'When it expires; RFC 3339.' },
    answer: open(['actor', 'answers', 'approvals'], { actor: reference('Actor'), ...DECIDED }),
  }),
  RequestType: { enum: ['text', 'questions', 'tool-approval'] },
  Question: open(['question', 'choices', 'multiple'], {
    question: STRING,
    choices: { ...STRINGS, description: "Empty: a text of one's own." },
    multiple: { type: 'boolean' },
  }),
  RequestedTool: open(['id', 'name'], { id: STRING, callId: STRING, name: STRING, args: {} }),
  Approval: open(['id', 'approved'], { id: STRING, approved: { type: 'boolean' } }),
  RequestAnswered: open([], {}),
  Audit: open(['records', 'next'], {
    records: list('AuditRecord'),
    next: { type: ['integer', 'null'], description: '`?before=` of the next page; null on the last.' },
  }),
  AuditRecord: open(
    [
      'number',
      'at',
      'binding',
      'thread',
      'turnId',
      'request',
      'type',
      'decision',
      'actor',
      'tools',
      ...Object.keys(DECIDED),
    ],
    {
      number: { type: 'integer', minimum: 1, description: 'Grows with every record.' },
      at: DATE_TIME,
      binding: STRING,
      thread: STRING,
      turnId: STRING,
      request: { ...STRING, description: 'The id of the request entry.' },
      type: reference('RequestType'),
      decision: { enum: ['answered', 'approved', 'denied', 'expired', 'not-allowed', 'canceled', 'refused'] },
      actor: { ...reference('Actor'), description: '`agent-kourier` where the courier itself decided.' },
      tools: { ...list('RequestedTool'), description: 'As they were shown; secrets redacted.' },
      ...DECIDED,
      messageId: { ...STRING, description: 'The message that went out with the decision; absent where none did.' },
    },
  ),
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
