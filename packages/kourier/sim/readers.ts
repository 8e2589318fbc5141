import type { Entry } from '../src/core/thread/entry.ts';
import type { EntryId, ThreadId } from '../src/core/thread/ids.ts';
import type { Message } from '../src/core/thread/message.ts';
import type { ThreadUpdate } from '../src/ports/chat.ts';
import type { Commit } from '../src/ports/store.ts';
import type { Disk, DiskWatcher } from './disk.ts';
import type { Findings } from './findings.ts';
import { type Life, lifeOf, machineOf } from './machine.ts';

interface View {
  readonly entries: Map<EntryId, { readonly entry: Entry; readonly revision: number }>;
  /** Up to where the feed of each machine has brought this reader: where it resumes when the process there is gone. */
  readonly revisions: Map<string, number>;
  /** The last revision that each process has shown. */
  readonly shown: Map<string, number>;
}

/**
 * A reader of each thread, as a browser is one: it reads the timeline, then follows the feed of every process, and
 * resumes from its last revision when a process is gone. An entry is replaced only by one of no older revision.
 */
export class Readers implements Partial<DiskWatcher> {
  readonly #views = new Map<ThreadId, View>();
  readonly #disk: Disk;
  readonly #findings: Findings;
  readonly #lives = new Set<Life>();

  constructor(disk: Disk, findings: Findings) {
    this.#disk = disk;
    this.#findings = findings;
  }

  /** Someone has learnt that there is this thread. */
  subscribe(thread: ThreadId): void {
    if (this.#views.has(thread)) return;
    const timeline = this.#disk.changes(thread, 0);
    if (!timeline) return this.#findings.add(`${thread} was answered, and the disk has no such thread`);
    const { revision } = timeline;
    const view: View = { entries: new Map(), revisions: new Map(), shown: new Map() };
    for (const life of this.#lives) view.revisions.set(life.machine, revision);
    for (const entry of timeline.entries) view.entries.set(entry.id, { entry, revision });
    this.#views.set(thread, view);
  }

  follow(life: Life): void {
    this.#lives.add(life);
    for (const thread of this.#views.keys()) this.#resume(thread, life.machine);
    life.onEnd(() => {
      this.#lives.delete(life);
      for (const thread of this.#views.keys()) this.#resume(thread, life.machine);
    });
  }

  /** A commit of a gone process: nobody shows it, and whoever reads on comes to see it. */
  committed({ owner, thread }: Commit): void {
    if (![...this.#lives].some(({ name }) => name === owner)) this.#resume(thread.id, machineOf(owner));
  }

  accepted(thread: ThreadId, _: string, { id }: Message): void {
    const owner = lifeOf(id);
    if (![...this.#lives].some(({ name }) => name === owner)) this.#resume(thread, machineOf(owner));
  }

  #resume(thread: ThreadId, machine: string): void {
    const view = this.#views.get(thread);
    const timeline = view && this.#disk.changes(thread, view.revisions.get(machine) ?? 0);
    if (!view || !timeline) return;
    for (const entry of timeline.entries) this.#put(view, entry, timeline.revision);
    view.revisions.set(machine, timeline.revision);
  }

  show(life: Life, { thread, entries, revision, live }: ThreadUpdate): void {
    this.#findings.unless(!life.drained, () => `${life.name} shows ${thread} after it had drained`);
    const view = this.#views.get(thread);
    if (!view) return;
    const before = view.shown.get(life.name) ?? 0;
    this.#findings.unless(revision >= before, () => `${life.name} shows ${thread} at ${revision} after ${before}`);
    view.shown.set(life.name, revision);
    const last = view.revisions.get(life.machine) ?? 0;
    // A gap: something was written that this process did not show, so the reader reads what is durable.
    if (revision > last + (live ? 0 : 1)) this.#resume(thread, life.machine);
    view.revisions.set(life.machine, Math.max(view.revisions.get(life.machine) ?? 0, revision));
    for (const entry of entries) {
      const known = view.entries.get(entry.id);
      if (live) this.#mustBeLive(entry, known?.entry, known?.revision ?? 0, revision);
      this.#put(view, entry, revision);
    }
  }

  /** At the end every reader sees what is durable. */
  audit(): void {
    for (const [thread, view] of this.#views) {
      const durable = this.#disk.changes(thread, 0)?.entries ?? [];
      for (const entry of durable) {
        const shown = view.entries.get(entry.id)?.entry;
        const same = JSON.stringify(shown) === JSON.stringify(entry);
        this.#findings.unless(
          same,
          () => `${thread} shows ${JSON.stringify(shown)}, and durable is ${JSON.stringify(entry)}`,
        );
      }
      const extra = [...view.entries.keys()].filter((id) => !durable.some((entry) => entry.id === id));
      this.#findings.unless(extra.length === 0, () => `${thread} shows ${extra.join(', ')}, which is not durable`);
    }
  }

  #mustBeLive(entry: Entry, known: Entry | undefined, knownRevision: number, revision: number): void {
    this.#findings.unless(known !== undefined, () => `${entry.id} is shown live before a commit has begun it`);
    const ended = known?.kind === 'answer' && !known.streaming && knownRevision <= revision;
    this.#findings.unless(!ended, () => `${entry.id} is shown live at ${revision} over its end at ${knownRevision}`);
  }

  #put(view: View, entry: Entry, revision: number): void {
    const known = view.entries.get(entry.id);
    if (!known || known.revision <= revision) view.entries.set(entry.id, { entry, revision });
  }
}
