import { randomUUID } from 'node:crypto';
import { AGENT_LIMITS } from '../limits.ts';
import { MemoryWebhooks } from '../push/memory-webhooks.ts';
import type { KeptWebhook, PushStore } from '../push/push-store.ts';
import type { Webhook } from '../push/webhook.ts';
import { PassingMap } from '../task/passing-map.ts';
import { isPaused, isRunning, type WireState } from '../task/wire.ts';
import { Memories } from './memories.ts';
import { readPageToken, writePageToken } from './page-token.ts';
import {
  type Begun,
  type Json,
  type ListedTasks,
  type ListRequest,
  type MessageKey,
  StaleTask,
  type TaskChange,
  type TaskFilter,
  type TaskRecord,
  type TaskStore,
} from './task-store.ts';

/** When a status began: `sequence` orders what `at` cannot, since many begin in one millisecond. */
interface Stamp {
  readonly sequence: number;
  /** RFC 3339, as the status has it: equally long ones are ordered as their times are. */
  readonly at: string;
}

const BEGUN: Begun = { kind: 'begun' };
const NO_STAMPS: readonly Stamp[] = [];

interface Entry {
  task: TaskRecord;
  /** As stored: the task itself may be ahead of it. */
  version: number;
  stamps: readonly Stamp[];
  /** Its names among the messages: as its message was sent, and in the context that it was given. */
  readonly sent: string;
  readonly inContext: string;
  /** Its conversation's name. */
  readonly context: string;
  /** As stored; `undefined` at first. */
  state: WireState | undefined;
}

interface Row {
  readonly task: TaskRecord;
  readonly stamp: Stamp;
}

/**
 * The default store: in memory, gone with the process, and the measure of the others. It keeps the tasks themselves and
 * copies nothing. Of the tasks that have ended it keeps the latest, within limits.
 */
export class MemoryTaskStore implements TaskStore, PushStore {
  readonly #entries = new PassingMap<Entry>();
  /** How many tasks of a context run: one that was paused may go on beside a later one. */
  readonly #running = new Map<string, number>();
  /** Tasks that do not run, each kind within its own limits, the oldest first. */
  readonly #ended = new Shelf(AGENT_LIMITS.finishedTasks, AGENT_LIMITS.finishedCharacters);
  readonly #paused = new Shelf(AGENT_LIMITS.pausedTasks, AGENT_LIMITS.finishedCharacters);
  readonly #byMessage = new Map<string, string>();
  readonly #memories = new Memories();
  readonly #webhooks = new MemoryWebhooks((taskId) => this.read(taskId));
  readonly #identity = randomUUID();
  /** Whose changes are not stored any more: the next number would be right again, and what it counts would not be. */
  readonly #behind = new WeakSet<TaskRecord>();
  #sequence = 0;

  open(): void {}

  close(): void {}

  begin(first: TaskChange, key: MessageKey): Begun {
    const { task } = first;
    const sent = messageKey(task.owner, key);
    const known = this.#byMessage.get(sent);
    if (known !== undefined) return { kind: 'known', taskId: known };
    const context = contextKey(task.owner, task.contextId);
    if (this.#running.has(context)) return { kind: 'busy' };
    const inContext = key.contextId === undefined ? `${context}+${key.messageId}` : sent;
    const { version } = first;
    const entry: Entry = { task, version, stamps: NO_STAMPS, sent, inContext, context, state: undefined };
    this.#entries.set(task.id, entry);
    this.#byMessage.set(sent, task.id);
    this.#byMessage.set(inContext, task.id);
    this.#keep(entry, first);
    return BEGUN;
  }

  commit(change: TaskChange): void {
    const entry = this.#entries.get(change.task.id);
    if (entry?.version !== change.version || this.#behind.has(change.task)) {
      this.#behind.add(change.task);
      throw new StaleTask('the task was changed since it was read');
    }
    this.#keep(entry, change);
  }

  read(taskId: string): TaskRecord | undefined {
    return this.#entries.get(taskId)?.task;
  }

  ofMessage(owner: string, key: MessageKey): string | undefined {
    return this.#byMessage.get(messageKey(owner, key));
  }

  list(request: ListRequest): ListedTasks {
    const cursor =
      request.pageToken === undefined ? undefined : readPageToken(request.pageToken, this.#identity, this.#sequence);
    const asOf = cursor?.asOf ?? this.#sequence;
    const rows = [...this.#rows(request, asOf)].sort(compare);
    const rest = cursor === undefined ? rows : rows.filter((row) => isPast(row, cursor));
    const page = rest.slice(0, request.pageSize);
    return {
      tasks: page.map(({ task }) => task),
      tokenAfter: (index) => {
        const { stamp, task } = page[index] as Row;
        return writePageToken(this.#identity, { asOf, at: Date.parse(stamp.at), id: task.id });
      },
      more: page.length < rest.length,
      totalSize: rows.length,
    };
  }

  orphans(): readonly TaskRecord[] {
    return [];
  }

  memory(owner: string, contextId: string): Json | undefined {
    return this.#memories.of(contextKey(owner, contextId));
  }

  saveWebhook(webhook: Webhook): 'saved' | 'full' | 'gone' {
    return this.#webhooks.saveWebhook(webhook);
  }

  webhooks(taskId: string): readonly KeptWebhook[] {
    return this.#webhooks.webhooks(taskId);
  }

  deleteWebhook(taskId: string, id: string): void {
    this.#webhooks.deleteWebhook(taskId, id);
  }

  settleWebhook(taskId: string, id: string, version: number): void {
    this.#webhooks.settleWebhook(taskId, id, version);
  }

  owedTasks(): readonly string[] {
    return this.#webhooks.owedTasks();
  }

  *#rows(filter: TaskFilter, asOf: number): Iterable<Row> {
    for (const { task, stamps } of this.#entries.values()) {
      const stamp = stamps.findLast(({ sequence }) => sequence <= asOf);
      if (stamp === undefined || task.owner !== filter.owner) continue;
      if (filter.contextId !== undefined && task.contextId !== filter.contextId) continue;
      if (filter.state !== undefined && task.status.state !== filter.state) continue;
      if (filter.changedSince !== undefined && Date.parse(stamp.at) < filter.changedSince) continue;
      yield { task, stamp };
    }
  }

  #keep(entry: Entry, { task, status, memory }: TaskChange): void {
    entry.task = task;
    entry.version += 1;
    this.#stamp(entry, status.timestamp);
    if (memory !== undefined) this.#memories.keep(entry.context, memory);
    if (entry.state !== status.state) this.#move(entry, status.state);
  }

  #move(entry: Entry, state: WireState): void {
    const ran = entry.state !== undefined && isRunning(entry.state);
    const runs = isRunning(state);
    if (entry.state !== undefined && isPaused(entry.state)) this.#paused.remove(entry.task.id);
    entry.state = state;
    if (ran !== runs) this.#occupy(entry.context, runs ? 1 : -1);
    if (!runs) this.#shelve(entry, isPaused(state) ? this.#paused : this.#ended);
  }

  #occupy(context: string, more: 1 | -1): void {
    const count = (this.#running.get(context) ?? 0) + more;
    if (count > 0) this.#running.set(context, count);
    else this.#running.delete(context);
  }

  /** A change that leaves the status as it is moves the task nowhere. */
  #stamp(entry: Entry, at: string): void {
    if (entry.stamps.at(-1)?.at === at) return;
    this.#sequence += 1;
    const stamp = { sequence: this.#sequence, at };
    if (entry.stamps.length === 0) {
      entry.stamps = [stamp];
      return;
    }
    // What no walk can ask for any more goes: its successor is older than the oldest walk.
    const oldest = this.#sequence - AGENT_LIMITS.walkChanges;
    const asked = entry.stamps.filter((_, index) => (entry.stamps[index + 1]?.sequence ?? this.#sequence) > oldest);
    entry.stamps = asked.concat([stamp]);
  }

  #shelve(entry: Entry, shelf: Shelf): void {
    for (const taskId of shelf.add(entry.task)) {
      const { sent = '', inContext = '' } = this.#entries.get(taskId) ?? {};
      this.#byMessage.delete(sent);
      this.#byMessage.delete(inContext);
      this.#entries.delete(taskId);
      this.#webhooks.forget(taskId);
    }
  }
}

/** Tasks that stay as they are for now, up to a number and an amount. */
class Shelf {
  /** What they hold, by their ids. */
  readonly #tasks = new Map<string, number>();
  /** Goes on where it stopped: from its beginning, a map is searched past all that was taken out of it. */
  #oldest = this.#tasks.keys();
  readonly #maxTasks: number;
  readonly #maxCharacters: number;
  #characters = 0;

  constructor(maxTasks: number, maxCharacters: number) {
    this.#maxTasks = maxTasks;
    this.#maxCharacters = maxCharacters;
  }

  /** Returns the ids of those that are to be forgotten for it. */
  add({ id, characters }: TaskRecord): readonly string[] {
    this.#tasks.set(id, characters);
    this.#characters += characters;
    if (this.#tasks.size <= this.#maxTasks && this.#characters <= this.#maxCharacters) return [];
    const forgotten: string[] = [];
    while (this.#tasks.size > this.#maxTasks || this.#characters > this.#maxCharacters) {
      const { value: oldest, done } = this.#oldest.next();
      if (done) {
        this.#oldest = this.#tasks.keys();
        continue;
      }
      this.remove(oldest);
      forgotten.push(oldest);
    }
    return forgotten;
  }

  remove(taskId: string): void {
    this.#characters -= this.#tasks.get(taskId) ?? 0;
    this.#tasks.delete(taskId);
  }
}

function compare(a: Row, b: Row): number {
  if (a.stamp.at !== b.stamp.at) return a.stamp.at < b.stamp.at ? 1 : -1;
  return a.task.id < b.task.id ? -1 : 1;
}

function isPast({ stamp, task }: Row, cursor: { readonly at: number; readonly id: string }): boolean {
  const at = Date.parse(stamp.at);
  return at < cursor.at || (at === cursor.at && task.id > cursor.id);
}

function messageKey(owner: string, { messageId, contextId }: MessageKey): string {
  // Lengths keep apart what ids that callers make up could run together.
  return `${contextKey(owner, contextId ?? '')}${contextId === undefined ? '-' : '+'}${messageId}`;
}

function contextKey(owner: string, contextId: string): string {
  return `${owner.length}:${owner}${contextId.length}:${contextId}`;
}
