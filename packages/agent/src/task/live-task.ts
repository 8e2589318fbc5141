import { AgentFailure } from '../agent/agent-failure.ts';
import { AGENT_LIMITS } from '../limits.ts';
import { type ArtifactChange, Artifacts, addChange } from './artifacts.ts';
import type { JournalEntry, Json, TaskRecord } from './task-record.ts';
import {
  isPaused,
  isRunning,
  type StreamResult,
  type WireArtifact,
  type WireMessage,
  type WireStatus,
} from './wire.ts';

/** Whoever follows a task. No call may throw. */
export interface Watcher {
  /** One event of the stream. */
  news(result: News): void;
  /** The task has ended or paused; it is the last call. */
  settled(): void;
  /** What happened cannot be stored, so it is not shown either; it is the last call. */
  lost(): void;
}

/** A task that runs here or elsewhere, for whoever wants to know how it goes on. */
export interface FollowedTask extends TaskRecord {
  readonly running: boolean;
  /** Adds a watcher. The caller reads the task in the same breath. */
  watch(watcher: Watcher): void;
  unwatch(watcher: Watcher): void;
}

const NOBODY: readonly Watcher[] = [];

/** One event, whose JSON is made once for all who want it. */
export class News {
  readonly result: StreamResult;
  #json: string | undefined;

  constructor(result: StreamResult) {
    this.result = result;
  }

  get json(): string {
    this.#json ??= JSON.stringify(this.result);
    return this.#json;
  }
}

/** What came to a task since its last commit, and the status that is to hold after this one. */
export interface TaskChange {
  /** The task as it stands, for a store that keeps it whole. */
  readonly task: TaskRecord;
  /** The version that this change is made to; the store refuses it when another one stands there. */
  readonly version: number;
  readonly status: WireStatus;
  readonly messages: readonly WireMessage[];
  readonly artifacts: readonly ArtifactChange[];
  readonly journal: readonly JournalEntry[];
  /** What the agent remembers of the conversation from now on. */
  readonly memory: Json | undefined;
}

/** Most changes bring one thing or none, and a list that grows in place keeps room for more. */
interface TaskNews {
  messages: readonly WireMessage[];
  artifacts: ArtifactChange[];
  journal: readonly JournalEntry[];
  memory: Json | undefined;
}

const NONE: readonly never[] = [];
const NOTHING_NEW: Readonly<TaskNews> = { messages: NONE, artifacts: [], journal: NONE, memory: undefined };

/**
 * One task that this process works on, from its message to its end. What is written is shown at once; a status is shown
 * when it is stored: `change` gives what is to be stored with it, and `enter` shows it.
 */
export class LiveTask implements FollowedTask {
  readonly id: string;
  readonly contextId: string;
  readonly owner: string;
  readonly skillId: string;
  history: readonly WireMessage[];
  readonly journal: JournalEntry[];
  /** Set once, by whoever ends the task. */
  ending: Promise<void> | undefined;
  readonly #artifacts = new Artifacts();
  #watchers: readonly Watcher[] = NOBODY;
  #abort: AbortController | undefined;
  #aborted = false;
  #status: WireStatus;
  /** The status that is stored, or about to be: it is entered later, and what else is stored meanwhile must not undo it. */
  #stored: WireStatus;
  #version: number;
  #messageCharacters = 0;
  /** How many messages of the history these are: a task that only runs is asked for none. */
  #messagesCounted = 0;
  #journalCharacters = 0;
  /** What is not stored yet. */
  #news: TaskNews | undefined;

  /** Takes up a task as it is stored, or as it is about to be. */
  constructor(record: Omit<TaskRecord, 'characters'>) {
    this.id = record.id;
    this.contextId = record.contextId;
    this.owner = record.owner;
    this.skillId = record.skillId;
    this.history = record.history;
    this.journal = [...record.journal];
    this.#status = record.status;
    this.#stored = record.status;
    this.#version = record.version;
    // A new task has nothing to walk over, and the walks would cost as much as it.
    if (record.artifacts.length + record.journal.length > 0) this.#weigh(record);
  }

  #weigh({ artifacts, journal }: Pick<TaskRecord, 'artifacts' | 'journal'>): void {
    for (const artifact of artifacts) this.#artifacts.apply({ artifact, append: false });
    for (const entry of journal) this.#journalCharacters += JSON.stringify(entry).length;
  }

  get status(): WireStatus {
    return this.#status;
  }

  get version(): number {
    return this.#version;
  }

  get artifacts(): readonly WireArtifact[] {
    return this.#artifacts.all();
  }

  get characters(): number {
    return this.#charactersOfMessages() + this.#artifacts.characters;
  }

  get running(): boolean {
    return isRunning(this.#status.state);
  }

  get paused(): boolean {
    return isPaused(this.#status.state);
  }

  /** Aborts when the task is canceled or given up. Made when somebody asks for it: most turns do not. */
  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#aborted) this.#abort.abort();
    return this.#abort.signal;
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  abort(): void {
    this.#aborted = true;
    this.#abort?.abort();
  }

  get closing(): boolean {
    return this.ending !== undefined;
  }

  /** Whether its turn may still write, be it beside an open question. */
  get writable(): boolean {
    return (this.running || this.paused) && !this.closing;
  }

  /** Whether it was written to since it was stored. */
  get hasNews(): boolean {
    return (this.#news?.artifacts.length ?? 0) > 0;
  }

  /** What the turn wants remembered and is not stored yet. */
  get remembered(): Json | undefined {
    return this.#news?.memory;
  }

  get kept(): Artifacts {
    return this.#artifacts;
  }

  watch(watcher: Watcher): void {
    if (!this.#watchers.includes(watcher)) this.#watchers = this.#watchers.concat([watcher]);
  }

  unwatch(watcher: Watcher): void {
    if (this.#watchers.includes(watcher)) this.#watchers = this.#watchers.filter((other) => other !== watcher);
  }

  /** Adds what the turn wrote. Throws an AgentFailure past a limit. */
  write(change: ArtifactChange): void {
    this.#artifacts.apply(change);
    if (this.#artifacts.characters > AGENT_LIMITS.outputCharacters || this.#artifacts.size > AGENT_LIMITS.artifacts) {
      throw new AgentFailure({ code: 'output-too-large' });
    }
    const news = this.#unstored();
    news.artifacts = addChange(news.artifacts, change);
    if (this.#watchers.length === 0) return;
    this.#publish({ artifactUpdate: { taskId: this.id, contextId: this.contextId, ...change } });
  }

  /** A message of the user, or a question of the agent. */
  converse(message: WireMessage): void {
    // A list that grows in place, or is spread into a new one, keeps room for more, and most tasks have one message.
    this.history = this.history.concat([message]);
    const news = this.#unstored();
    news.messages = news.messages.concat([message]);
  }

  /** Whether it has room for an answer to the question that is open. */
  takes(message: WireMessage): boolean {
    const added = [message, this.#status.message].map((each) => JSON.stringify(each)?.length ?? 0);
    return (
      added.reduce((sum, characters) => sum + characters, this.#charactersOfMessages()) <=
      AGENT_LIMITS.messageCharacters
    );
  }

  /** Throws an AgentFailure past a limit, except for an answer: it is part of a message, whose room was looked at. */
  note(entry: JournalEntry): void {
    const characters = this.#journalCharacters + JSON.stringify(entry).length;
    if (entry.kind !== 'answer' && characters > AGENT_LIMITS.journalCharacters) {
      throw new AgentFailure({ code: 'journal-too-large' });
    }
    this.#journalCharacters = characters;
    this.journal.push(entry);
    const news = this.#unstored();
    news.journal = news.journal.concat([entry]);
  }

  /** Throws an AgentFailure past a limit. */
  remember(memory: Json): void {
    if (JSON.stringify(memory).length > AGENT_LIMITS.memoryCharacters) {
      throw new AgentFailure({ code: 'memory-too-large' });
    }
    this.#unstored().memory = memory;
  }

  /** What is to be stored now; it counts as stored from here on. */
  change(status: WireStatus = this.#stored): TaskChange {
    this.#stored = status;
    const { messages, artifacts, journal, memory } = this.#news ?? NOTHING_NEW;
    const change: TaskChange = { task: this, version: this.#version, status, messages, artifacts, journal, memory };
    this.#news = undefined;
    this.#version += 1;
    return change;
  }

  /** A status that is stored, or that needs no storing because it only says that the task runs. */
  enter(status: WireStatus): void {
    this.#status = status;
    this.#publish({ statusUpdate: { taskId: this.id, contextId: this.contextId, status } });
    if (!this.running) this.#dismiss((watcher) => watcher.settled());
  }

  /** The store did not take what happened: nobody is told something that may not be so. */
  lose(): void {
    this.#dismiss((watcher) => watcher.lost());
  }

  #charactersOfMessages(): number {
    for (const message of this.history.slice(this.#messagesCounted))
      this.#messageCharacters += JSON.stringify(message).length;
    this.#messagesCounted = this.history.length;
    return this.#messageCharacters;
  }

  #unstored(): TaskNews {
    this.#news ??= { ...NOTHING_NEW };
    return this.#news;
  }

  #dismiss(tell: (watcher: Watcher) => void): void {
    const watchers = this.#watchers;
    this.#watchers = NOBODY;
    for (const watcher of watchers) tell(watcher);
  }

  #publish(result: StreamResult): void {
    if (this.#watchers.length === 0) return;
    const news = new News(result);
    // By their places: an iterator is made for every event of every task.
    const watchers = this.#watchers;
    for (let place = 0; place < watchers.length; place += 1) watchers[place]?.news(news);
  }
}
