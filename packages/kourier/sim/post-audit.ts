import type { Delivery } from '../src/core/delivery/delivery.ts';
import type { EntryId } from '../src/core/thread/ids.ts';
import type { Post, PostRef } from '../src/ports/poster.ts';
import type { Disk } from './disk.ts';
import type { Findings } from './findings.ts';
import type { Life } from './machine.ts';
import type { Mark } from './marks.ts';
import type { Platform, PlatformMessage, PlatformWatcher } from './platform.ts';
import { isFirstOf, simLayout } from './sim-layout.ts';
import { isRefused, type PostWatcher } from './sim-poster.ts';
import type { PlatformFaults } from './swarm.ts';

type Row = NonNullable<ReturnType<Disk['look']>>;

/** Holds what the platform shows against what is durable: each post once, in its place, with its last text. */
export class PostAudit implements PostWatcher, PlatformWatcher {
  readonly #disk: Disk;
  readonly #platform: Platform;
  readonly #findings: Findings;
  /** Known to be posted when somebody deleted them: they stay deleted. */
  readonly #deleted = new Set<string>();

  readonly #posted = new Set<string>();
  readonly #mark: (mark: Mark) => void;

  constructor(disk: Disk, platform: Platform, findings: Findings, mark: (mark: Mark) => void) {
    this.#mark = mark;
    this.#disk = disk;
    this.#platform = platform;
    this.#findings = findings;
    platform.watcher = this;
  }

  posting(life: Life, key: string): void {
    this.#mustLive(life, `posts ${key}`);
    if (this.#posted.has(key)) this.#mark('post-made-again');
    this.#posted.add(key);
    const row = this.#rowOf(key);
    // One that has just lost the thread has had its intent durable; what stands there now is another's.
    if (row?.lease?.owner !== life.name) return;
    const step = stateOf(row, key)?.step;
    this.#findings.unless(step === 'posting', () => `${life.name} posts ${key}, and the disk says ${step}`);
  }

  editing(life: Life, ref: PostRef): void {
    this.#mustLive(life, `edits ${ref}`);
  }

  deleted({ key, ref }: PlatformMessage): void {
    const row = this.#rowOf(key);
    const state = row && stateOf(row, key);
    // While its own removal is under way nobody can tell who did it.
    const isKnown = state?.step === 'posted' && state.ref === ref && state.removals === undefined;
    if (isKnown) this.#deleted.add(key);
  }

  /** At the end. */
  audit(faults: PlatformFaults): void {
    const byKey = new Map<string, PlatformMessage[]>();
    for (const message of this.#platform.messages) {
      if (message.deletedBy) continue;
      const same = byKey.get(message.key);
      if (same) same.push(message);
      else byKey.set(message.key, [message]);
    }
    for (const row of this.#disk.threads()) {
      const shown: PlatformMessage[] = [];
      for (const post of simLayout(row.timeline.map(({ entry }) => entry))) {
        const there = byKey.get(post.key) ?? [];
        byKey.delete(post.key);
        this.#auditPost(post, there, isRefused(post.key, faults));
        const [first] = there;
        if (first && isFirstOf(post.key)) shown.push(first);
      }
      this.#auditOrder(row, shown);
    }
    const extra = [...byKey.values()].flat();
    this.#findings.unless(extra.length === 0, () => `shown, and of no entry: ${extra.map(words).join(', ')}`);
  }

  #auditPost(post: Post, there: readonly PlatformMessage[], isUnwanted: boolean): void {
    const row = this.#rowOf(post.key);
    const told = () =>
      `${post.key} is shown ${there.length} times: ${there.map(words)} (${JSON.stringify(row && stateOf(row, post.key))})`;
    // A piece that the answer had lost, and has again, may be one that we removed.
    const staysDeleted = this.#deleted.has(post.key) && isFirstOf(post.key);
    if (isUnwanted || staysDeleted) return this.#findings.unless(there.length === 0, told);
    const wasDeleted = this.#platform.messages.some((it) => it.key === post.key && it.deletedBy === 'people');
    this.#findings.unless(there.length === 1 || (there.length === 0 && wasDeleted), told);
    for (const message of there) {
      this.#findings.unless(message.says === post.says, () => `${words(message)}, and its entry says "${post.says}"`);
    }
  }

  #auditOrder({ id }: Row, shown: readonly PlatformMessage[]): void {
    const isInOrder = shown.every(({ number }, at) => number > (shown[at - 1]?.number ?? -1));
    this.#findings.unless(isInOrder, () => `${id} is shown out of order: ${shown.map(words).join(', ')}`);
  }

  #rowOf(key: string): Row | undefined {
    const thread = this.#disk.threadOf(key.split('/', 1)[0] as EntryId);
    return thread && this.#disk.look(thread);
  }

  #mustLive(life: Life, what: string): void {
    this.#findings.unless(!life.drained, () => `${life.name} ${what} after it had drained`);
  }
}

const stateOf = ({ delivery }: Row, key: string) =>
  (delivery?.state as Delivery | undefined)?.posts.find((state) => state.key === key);

const words = ({ ref, key, said }: PlatformMessage): string => `${ref} of ${key} "${said.join('" then "')}"`;
