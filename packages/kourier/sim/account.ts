import type { AnswerEntry, NoticeEntry, RequestEntry, StepEntry } from '../src/core/thread/entry.ts';
import type { EntryId, MessageId, TaskId, ThreadId, TurnId } from '../src/core/thread/ids.ts';
import type { Message } from '../src/core/thread/message.ts';
import type { Run } from './agent-server.ts';

/** The auditor's own book of one turn: what was seen of it at the disk, at the agents and at the calls. */
export interface TurnAccount {
  readonly id: TurnId;
  readonly thread: ThreadId;
  readonly message: Message;
  readonly messageId: MessageId;
  /** Accepted before its message and after the mention before it: what its text must carry. */
  asides: readonly Message[];
  /** `typed`: its message was the answer to a question of the turn before it. */
  state: 'pending' | 'active' | 'settled' | 'typed';
  text?: string;
  taskId?: TaskId;
  /** A commit has said that it may be sent. */
  sendCommitted: boolean;
  sends: number;
  /** The last send ended in a way after which the message may be sent again, or its courier stopped. */
  mayResend: boolean;
  readonly runs: Run[];
  readonly steps: Map<EntryId, StepEntry>;
  readonly requests: Map<EntryId, RequestEntry>;
  readonly notices: NoticeEntry[];
  /** The pieces of the answer, in the order in which they began. */
  readonly answers: Map<EntryId, AnswerEntry>;
  cancels: number;
  /** Another courier, or the same one after a failure of its store, went on with it. */
  takenUp: boolean;
  /** Stops that it may have got. */
  stops: number;
  /** It was active when a person was told that it is being stopped. */
  mustStop: boolean;
  /** A commit has said that it is being stopped or cancelled. */
  stopCommitted: boolean;
  commitsSinceStop: number;
  settledAtMs?: number;
}

export interface ThreadAccount {
  readonly id: ThreadId;
  readonly binding: string;
  /** Whom it has spoken to. */
  agent?: string;
  readonly waiting: Message[];
  readonly turns: TurnAccount[];
  owner?: string;
  /** Stops that were asked for while no turn had begun as far as the disk knows: they are for the next one. */
  stopsAhead: number;
  active?: TurnAccount;
  revision: number;
}

export function newTurn(thread: ThreadId, id: TurnId, message: Message): TurnAccount {
  return {
    id,
    thread,
    message,
    messageId: message.id as string as MessageId,
    asides: [],
    state: 'pending',
    sendCommitted: false,
    sends: 0,
    mayResend: false,
    runs: [],
    steps: new Map(),
    requests: new Map(),
    notices: [],
    answers: new Map(),
    cancels: 0,
    takenUp: false,
    stops: 0,
    mustStop: false,
    stopCommitted: false,
    commitsSinceStop: 0,
  };
}

export const textOf = ({ answers }: TurnAccount): string => [...answers.values()].map(({ text }) => text).join('');

/** What tells that a task is being cancelled, so that how it did end may be told as well. */
export const FOREWORDS: ReadonlySet<string> = new Set([
  ...['pause-unusable', 'limit-exceeded', 'question-not-allowed', 'request-expired', 'answer-rejected'],
]);

/** What ends a turn in the eyes of its thread. */
export const ENDS: ReadonlySet<string> = new Set([
  ...[
    'no-output',
    'task-failed',
    'task-rejected',
    'task-canceled',
    'session-gone',
    'unreachable',
    'card-refused',
    'no-agent',
  ],
  ...[
    'credentials-rejected',
    'identity-refused',
    'request-failed',
    'pause-unusable',
    'limit-exceeded',
    'cancel-failed',
  ],
  ...FOREWORDS,
]);

/** After these a task that was recorded may be at work all the same. */
export const LEAVES_TASK: ReadonlySet<string> = new Set([
  ...['cancel-failed', 'session-gone', 'credentials-rejected', 'no-agent', 'unreachable'],
]);
