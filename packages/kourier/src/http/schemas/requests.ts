import { LIMITS } from '../../core/limits.ts';
import type { Actor, Answers, Approval } from '../../core/thread/entry.ts';
import { reference, type Schema } from './schema.ts';

export interface NewThread {
  readonly binding: string;
  readonly text: string;
  readonly actor?: Actor;
  readonly idempotencyKey?: string;
}

export interface NewMessage {
  readonly text: string;
  readonly actor?: Actor;
  readonly mention?: boolean;
  readonly idempotencyKey?: string;
}

export interface StopRequest {
  readonly actor?: Actor;
}

export interface RequestAnswer {
  readonly actor?: Actor;
  readonly answers?: Answers;
  readonly approvals?: readonly Approval[];
}

/** An Alertmanager webhook, version 4, as far as it is read. Another program's format: what we do not know is let be. */
export interface AlertGroup {
  readonly groupKey: string;
  readonly receiver?: string;
  readonly externalURL?: string;
  readonly truncatedAlerts?: number;
  readonly groupLabels?: Readonly<Record<string, string>>;
  readonly commonLabels?: Readonly<Record<string, string>>;
  readonly commonAnnotations?: Readonly<Record<string, string>>;
  readonly alerts: readonly Alert[];
}

export interface Alert {
  readonly status: 'firing' | 'resolved';
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly startsAt?: string;
  readonly endsAt?: string;
  readonly generatorURL?: string;
  readonly fingerprint?: string;
}

/** An event of a program that signs it. All of it but the title is data, not our words. */
export interface HookEvent {
  readonly title: string;
  readonly text?: string;
  readonly fields?: Readonly<Record<string, string | number | boolean>>;
  /** Events with one of these are one thread. */
  readonly thread?: string;
  readonly id?: string;
}

/** The bodies that calls take, by the name of their schema. */
export interface Bodies {
  readonly NewThread: NewThread;
  readonly NewMessage: NewMessage;
  readonly StopRequest: StopRequest;
  readonly RequestAnswer: RequestAnswer;
  readonly AlertGroup: AlertGroup;
  readonly HookEvent: HookEvent;
}

/**
 * An actor's fields stand in `[Web: Name (id) <email>]` before the text (rule S6), so none may hold what ends a part
 * of that or hides it: brackets, line ends and other controls, bidirectional and invisible characters, lone surrogates.
 */
const ACTOR_FIELD = {
  type: 'string',
  minLength: 1,
  maxLength: LIMITS.actorFieldCharacters,
  pattern:
    '^[^\\p{Cc}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}\\[\\]<>()\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff\\u{e0000}-\\u{e007f}]*$',
  description: 'No brackets, control, bidirectional or invisible characters; not blank.',
  allOf: [{ pattern: '[^\\p{Zs}]' }],
} as const;

const TEXT = {
  type: 'string',
  minLength: 1,
  maxLength: LIMITS.messageBytes,
  pattern: '^[^\\u0000\\p{Cs}]*$',
  allOf: [{ pattern: '\\S' }],
  description: `Not blank, no NUL, at most ${LIMITS.messageBytes} bytes as UTF-8.`,
} as const;

const ANSWER = { type: 'string', maxLength: LIMITS.messageBytes, pattern: '^[^\\u0000\\p{Cs}]*$' } as const;

const TOOL_ID = { type: 'string', minLength: 1, maxLength: LIMITS.idCharacters } as const;

const KEY = {
  type: 'string',
  minLength: 1,
  maxLength: LIMITS.idempotencyKeyCharacters,
  pattern: '^[^\\p{Cc}\\p{Cs}]*$',
  description: 'The same key again is the same message: nothing is added, and the answer is that of the first time.',
} as const;

const ACTOR_OPTIONAL = { ...reference('ActorInput'), description: 'Who writes. Absent: `{"id": "anonymous"}`.' };

const LABELS = { type: 'object', additionalProperties: { type: 'string' } } as const;

const closed = (required: readonly string[], properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});

export const REQUEST_SCHEMAS: Readonly<Record<keyof Bodies | 'ActorInput' | 'Alert', Schema>> = {
  ActorInput: closed(['id'], {
    id: { ...ACTOR_FIELD, not: { const: 'agent-kourier' } },
    name: ACTOR_FIELD,
    email: ACTOR_FIELD,
  }),
  NewThread: closed(['binding', 'text'], {
    binding: { type: 'string', minLength: 1, maxLength: 253 },
    text: TEXT,
    actor: ACTOR_OPTIONAL,
    idempotencyKey: KEY,
  }),
  NewMessage: closed(['text'], {
    text: TEXT,
    actor: ACTOR_OPTIONAL,
    mention: { type: 'boolean', default: true, description: 'false: kept as context of the next turn, starts none.' },
    idempotencyKey: KEY,
  }),
  StopRequest: closed([], { actor: ACTOR_OPTIONAL }),
  RequestAnswer: {
    ...closed([], {
      actor: ACTOR_OPTIONAL,
      answers: {
        type: 'array',
        minItems: 1,
        maxItems: LIMITS.requestQuestions,
        items: { type: 'array', maxItems: LIMITS.requestChoices, items: ANSWER },
        description: 'Of a question: for each, in their order, its choices or one text.',
      },
      approvals: {
        type: 'array',
        minItems: 1,
        maxItems: LIMITS.requestTools,
        items: closed(['id', 'approved'], { id: TOOL_ID, approved: { type: 'boolean' } }),
        description: 'Of an approval: each of its tools, once.',
      },
    }),
    oneOf: ['answers', 'approvals'].map((one) => ({ type: 'object', required: [one], properties: { [one]: {} } })),
  },
  AlertGroup: {
    type: 'object',
    required: ['groupKey', 'alerts'],
    properties: {
      groupKey: { type: 'string', minLength: 1 },
      receiver: { type: 'string' },
      externalURL: { type: 'string' },
      truncatedAlerts: { type: 'integer', minimum: 0 },
      groupLabels: LABELS,
      commonLabels: LABELS,
      commonAnnotations: LABELS,
      alerts: { type: 'array', items: reference('Alert') },
    },
  },
  HookEvent: closed(['title'], {
    title: {
      type: 'string',
      minLength: 1,
      maxLength: LIMITS.hookTitleCharacters,
      allOf: [{ pattern: '\\S' }],
      description: 'What is asked of the agent, in one line. Brackets and control characters become spaces.',
    },
    text: { type: 'string', maxLength: LIMITS.alertCharacters / 2, pattern: '^[^\\u0000\\p{Cs}]*$' },
    fields: {
      type: 'object',
      maxProperties: LIMITS.hookFields,
      propertyNames: { type: 'string', maxLength: LIMITS.promptNameCharacters },
      additionalProperties: {
        anyOf: [{ type: 'string', maxLength: LIMITS.alertFieldCharacters }, { type: 'number' }, { type: 'boolean' }],
      },
    },
    thread: { ...KEY, description: 'Events of one binding with the same are one thread. Absent: a thread of its own.' },
    id: { ...KEY, description: 'The same again is the same event. Absent: the same body again is.' },
  }),
  Alert: {
    type: 'object',
    required: ['status'],
    properties: {
      status: { enum: ['firing', 'resolved'] },
      labels: LABELS,
      annotations: LABELS,
      startsAt: { type: 'string' },
      endsAt: { type: 'string' },
      generatorURL: { type: 'string' },
      fingerprint: { type: 'string' },
    },
  },
};
