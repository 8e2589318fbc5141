import { createHash } from 'node:crypto';
import { AGENT_LIMITS } from '../limits.ts';
import { printTask as printTask03 } from '../serve/v0.3/print-json.ts';
import { printTask, type TaskRecord } from '../task/task-record.ts';
import { isRunning, type StreamResult, type WireStatus } from '../task/wire.ts';
import type { Webhook } from './webhook.ts';

/** A status that a task came to, and that its webhooks are to hear of. */
export interface Notice {
  readonly taskId: string;
  readonly contextId: string;
  /** Whose the task is. */
  readonly owner: string;
  /** The task's version with this status. It orders the notices of a task. */
  readonly version: number;
  readonly status: WireStatus;
}

export function noticeOf({ id: taskId, contextId, owner, version, status }: TaskRecord): Notice {
  return { taskId, contextId, owner, version, status };
}

/**
 * The same for each attempt at the same status and webhook, after a restart too, so that a receiver drops what it already
 * has. Without a dot: it stands before one in what is signed.
 */
export function noticeId({ taskId, status }: Notice, { id }: Webhook): string {
  const hash = createHash('sha256').update(JSON.stringify([taskId, id, ...identityOf(status)]));
  return `msg_${hash.digest('base64url').slice(0, 32)}`;
}

/** A notification's body, and its media type. */
export interface Payload {
  readonly contentType: string;
  readonly body: string;
}

/**
 * The payload: a StreamResponse of A2A 1.0 (section 4.3.3). A task that has ended or paused goes whole, without its
 * history, because its answer is what the receiver waits for, and it may be in no position to ask for it. A status
 * update is all there is to say of a task that works, has gone on since, or is too large.
 *
 * In 0.3 the payload is a task in each case (its section 9.5): one without artifacts where only the status is told.
 */
export function payloadOf(notice: Notice, task: TaskRecord | undefined, { version }: Webhook): Payload {
  const { taskId, contextId, status } = notice;
  const isWhole = task !== undefined && stands(task, status) && task.characters <= AGENT_LIMITS.notificationCharacters;
  const whole = isWhole ? printTask(task, { historyLength: 0 }) : undefined;
  if (version === '0.3') {
    const body = JSON.stringify(printTask03(whole ?? { id: taskId, contextId, status }));
    return { contentType: 'application/json', body };
  }
  const result: StreamResult = whole === undefined ? { statusUpdate: { taskId, contextId, status } } : { task: whole };
  return { contentType: 'application/a2a+json', body: JSON.stringify(result) };
}

/** Whether the task still is in a status that it pauses or ends in. */
function stands(task: TaskRecord, status: WireStatus): boolean {
  return !isRunning(status.state) && String(identityOf(task.status)) === String(identityOf(status));
}

/** Tells a status from every other one of its task. The version does not: a task may be stored again in the same status. */
function identityOf({ state, timestamp, message }: WireStatus): readonly string[] {
  return [state, timestamp, message?.messageId ?? ''];
}
