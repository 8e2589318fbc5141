import { LIMITS } from '../limits.ts';
import type { Block, NoAgent } from '../turn/call-outcome.ts';
import type { FailureCategory, NoticeCode } from './entry.ts';

/** A notice before it has its place in a timeline. */
export interface Notice {
  readonly code: NoticeCode;
  readonly category?: FailureCategory;
  readonly text: string;
}

const CATEGORY_WORDS: Record<FailureCategory, string> = {
  'context-limit': 'The conversation has grown past what its model can read. Start a new thread.',
  'rate-limit': 'It is being asked too often. Try again in a while.',
  authentication: 'It could not sign in to something that it needs. Tell whoever runs it.',
  timeout: 'Something took it too long. Try again.',
  permission: 'It may not do what this needs. Tell whoever runs it.',
};

export function taskFailed(category: FailureCategory | undefined): Notice {
  const text = "The agent's task failed.";
  return category === undefined
    ? { code: 'task-failed', text }
    : { code: 'task-failed', category, text: `${text} ${CATEGORY_WORDS[category]}` };
}

const REFUSALS = {
  'no-jsonrpc': 'agent card lists no JSON-RPC interface',
  'no-streaming': 'agent card does not say capabilities.streaming: true',
  extension: 'agent requires an unsupported extension',
} as const;

export const cardRefused = (reason: keyof typeof REFUSALS): Notice => ({
  code: 'card-refused',
  text: `The message was not sent: ${REFUSALS[reason]}. Tell whoever runs the agent.`,
});

/** Nobody of the Space gets the message. Ids are what the Space calls its agents: they are plain words. */
export function noAgent(reason: NoAgent, agents: readonly string[]): Notice {
  const named = agents.slice(0, LIMITS.toldAgents).join(', ');
  const who = named === '' ? '' : ` (${named})`;
  return { code: 'no-agent', text: `The message was not sent: ${NO_AGENT_WORDS[reason](who)}` };
}

const NO_AGENT_WORDS: Readonly<Record<NoAgent, (who: string) => string>> = {
  tie: (who) => `several agents of the Space fit it alike${who}. Write again, and say more exactly what you need.`,
  blocked: (who) =>
    `the agent of the Space that fits it cannot be called now${who}. Write again later, or tell whoever runs the Space.`,
  'unknown-skill': () =>
    'no agent of the Space has the skill that this binding names. Tell whoever runs Agent Kourier.',
  'no-space': () =>
    'the Space that this binding names is not there, or not for its key. Tell whoever runs Agent Kourier.',
  'nothing-fits': () => 'no agent of the Space fits it. Write again, and say in other words what you need.',
};

/** The agent that the thread has. Nothing is said of what it may have got before. */
export function agentBlocked(reason: Block, agent: string): Notice {
  const why = BLOCK_WORDS[reason];
  const todo = 'Write again later, or tell whoever runs the Space.';
  return { code: 'no-agent', text: `The agent of this thread (${agent}) cannot be called: ${why}. ${todo}` };
}

const BLOCK_WORDS: Readonly<Record<Block, string>> = {
  disabled: 'it is turned off in its Space',
  'approval-pending': 'it waits for an approval in its Space',
  'card-invalid': 'its Space has no card of it that can be used',
  'signature-required': 'its card is not signed as its Space wants it',
  'public-egress-disabled': 'its Space calls no agents at public addresses',
  'no-dialer': 'its Space has no way to it',
  gone: 'its Space has no such agent, or not for this binding',
  other: 'its Space has blocked it',
};

/** Notices that always say the same (interface.md, Notice codes). */
export const NOTICES = {
  noOutput: { code: 'no-output', text: 'The agent finished without any output.' },
  taskRejected: { code: 'task-rejected', text: 'The agent rejected the task.' },
  taskCanceled: { code: 'task-canceled', text: 'The task was cancelled.' },
  lifeless: { code: 'task-canceled', text: 'The task was cancelled: the agent gave no sign of life for too long.' },
  notSent: { code: 'task-canceled', text: 'The message was taken back before the agent had it for certain.' },
  contextLost: {
    code: 'context-lost',
    text: 'The agent no longer has this conversation and goes on without what was said before.',
  },
  sessionGone: {
    code: 'session-gone',
    text: "The agent no longer knows this thread's task, so its answer cannot be had. The next message starts anew.",
  },
  unreachable: {
    code: 'unreachable',
    text: 'The message was given up: the agent could not be reached. Send it again to try once more.',
  },
  spaceUnreachable: {
    code: 'unreachable',
    text: 'The message was given up: the agent could not be reached, because its Space did not say who it is. Send it again to try once more.',
  },
  credentialsRejected: {
    code: 'credentials-rejected',
    text: 'The agent rejected the credentials of this binding. Tell whoever runs Agent Kourier.',
  },
  spaceRejected: {
    code: 'credentials-rejected',
    text: 'The Space rejected the key of this binding. Tell whoever runs Agent Kourier.',
  },
  identityRefused: {
    code: 'identity-refused',
    text: "The agent does not let this binding's identity into this conversation.",
  },
  busy: { code: 'busy', text: 'The agent is busy. The message waits and is sent as soon as the agent takes it.' },
  requestFailed: { code: 'request-failed', text: 'The request failed at the agent, and it is not sent again.' },
  pauseUnusable: {
    code: 'pause-unusable',
    text: 'The agent paused in a way that cannot be used here, so its task is being cancelled.',
  },
  limitExceeded: {
    code: 'limit-exceeded',
    text: 'The agent sent more than can be carried here, so its answer ends at this point.',
  },
  questionNotAllowed: {
    code: 'question-not-allowed',
    text: 'The agent asked a question, which this binding does not allow, so its task is being cancelled.',
  },
  requestExpired: {
    code: 'request-expired',
    text: 'Nobody answered in time, so the task is being cancelled.',
  },
  answerRejected: {
    code: 'answer-rejected',
    text: 'The agent rejected the answer, so its task is being cancelled.',
  },
  answerFailed: {
    code: 'request-failed',
    text: 'The answer did not reach the task. The question is open again.',
  },
  answerTooLate: { code: 'request-failed', text: 'The answer came too late: the task was no longer waiting for it.' },
  answerThePrompt: {
    code: 'answer-the-prompt',
    text: 'The agent waits for an answer to its request above. Messages are sent to it afterwards, in their order.',
  },
  cancelFailed: {
    code: 'cancel-failed',
    text: 'The task could not be cancelled. It may still be running at the agent.',
  },
} as const satisfies Record<string, Notice>;
