import type { FailureCategory } from '../agent/agent-failure.ts';
import type { WireArtifact, WireMessage, WireStatus, WireTask } from './wire.ts';

/** A task as a store keeps it and as whoever asks reads it. */
export interface TaskRecord {
  readonly id: string;
  readonly contextId: string;
  /** Whose task it is: the caller's id, empty where the server asks nobody. Others do not see it (case C110). */
  readonly owner: string;
  /** The skill that the first message named, or the agent's only one. */
  readonly skillId: string;
  readonly status: WireStatus;
  /** Messages of the user and questions of the agent, in their order; the first one began the task. */
  readonly history: readonly WireMessage[];
  readonly artifacts: readonly WireArtifact[];
  /** What its turn needs to be taken up again. Stays inside: it is in nothing that is sent (rule A6). */
  readonly journal: readonly JournalEntry[];
  /** Grows by one with every commit, so that a writer that is behind is found out. */
  readonly version: number;
  /** How much history and artifacts hold, for the limits of whoever keeps it. */
  readonly characters: number;
}

/** JSON, as it comes back from a store. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * What a turn did that its repetition must find as it was: a question that it asked, the answer to it, and the result
 * of something that is done once.
 */
export type JournalEntry =
  | { readonly kind: 'ask'; readonly name: string; readonly form: Json }
  | { readonly kind: 'answer'; readonly value: Json }
  | { readonly kind: 'once'; readonly key: string; readonly value: Json }
  | { readonly kind: 'once'; readonly key: string; readonly error: OnceError };

/** What work threw that is done once; `code` and `category` are those of an AgentFailure. */
export interface OnceError {
  readonly name: string;
  readonly message: string;
  readonly code?: string | null;
  readonly category?: FailureCategory | null;
}

export interface PrintOptions {
  /** The last so many messages; all unless given. */
  readonly historyLength?: number | undefined;
  readonly artifacts?: boolean;
}

/** The task as the wire has it. It shares its parts with the record, so print it at once. */
export function printTask(record: TaskRecord, options: PrintOptions = {}): WireTask {
  const { historyLength, artifacts = true } = options;
  const history = historyLength === undefined ? record.history : lastOf(record.history, historyLength);
  return {
    id: record.id,
    contextId: record.contextId,
    status: record.status,
    ...(artifacts ? { artifacts: record.artifacts } : {}),
    ...(history.length > 0 ? { history } : {}),
  };
}

function lastOf(history: readonly WireMessage[], count: number): readonly WireMessage[] {
  return count === 0 ? [] : history.slice(-count);
}

/** The name of the question that waits for its answer; `undefined` when none does. */
export function openAsk(record: TaskRecord): Extract<JournalEntry, { kind: 'ask' }> | undefined {
  const last = record.journal.findLast((entry) => entry.kind !== 'once');
  return last?.kind === 'ask' ? last : undefined;
}
