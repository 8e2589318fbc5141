import { isPaused, isRunning } from '../../task/wire.ts';
import type { MessageKey, TaskChange } from '../task-store.ts';
import { artifactKey, contextKey, messageKey, ownerKey } from './keys.ts';

/** What lies still, and is forgotten some day. */
export type Shelf = 'paused' | 'ended';

/** What a change adds to its task: one row, never written again unless its artifact is replaced. */
export interface EntryRow {
  readonly kind: 'message' | 'artifact' | 'journal';
  readonly body: string;
  /** Of a change of an artifact: its key, and whether it takes the place of what stands there. */
  readonly artifact: string;
  readonly replaces: boolean;
}

/** A change as its rows have it: taken when the change is given, since the task goes on before it is written. */
export interface ChangeRows {
  readonly id: string;
  readonly owner: string;
  readonly context: string;
  /** What never changes, as JSON. */
  readonly head: string;
  readonly version: number;
  readonly status: string;
  readonly state: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly running: boolean;
  readonly shelf: Shelf | null;
  readonly characters: number;
  readonly entries: readonly EntryRow[];
  readonly memory: string | undefined;
}

export function changeRows({ task, version, status, ...added }: TaskChange): ChangeRows {
  const { id, contextId, owner, skillId, characters } = task;
  const running = isRunning(status.state);
  const entry = (kind: EntryRow['kind'], value: unknown): EntryRow => ({
    kind,
    body: JSON.stringify(value),
    artifact: '',
    replaces: false,
  });
  return {
    id,
    owner: ownerKey(owner),
    context: contextKey(owner, contextId),
    head: JSON.stringify({ id, contextId, owner, skillId }),
    version,
    status: JSON.stringify(status),
    state: status.state,
    at: Date.parse(status.timestamp),
    running,
    shelf: running ? null : isPaused(status.state) ? 'paused' : 'ended',
    characters,
    entries: [
      ...added.messages.map((message) => entry('message', message)),
      ...added.artifacts.map((change) => ({
        ...entry('artifact', change),
        artifact: artifactKey(change.artifact.artifactId),
        replaces: !change.append,
      })),
      ...added.journal.map((each) => entry('journal', each)),
    ],
    memory: added.memory === undefined ? undefined : JSON.stringify(added.memory),
  };
}

/** The keys under which the message that began a task is known again: as sent, and in the context that it was given. */
export function messageKeys({ task }: TaskChange, key: MessageKey): readonly string[] {
  const given = messageKey(task.owner, { ...key, contextId: task.contextId });
  return [...new Set([messageKey(task.owner, key), given])];
}
