import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { a2aAgents } from '../packages/kourier/src/adapters/agent/a2a-agents.ts';
import { webChat } from '../packages/kourier/src/adapters/chat/web/web-chat.ts';
import { machineClock } from '../packages/kourier/src/adapters/machine/clock.ts';
import { machineIds } from '../packages/kourier/src/adapters/machine/ids.ts';
import { machineLog } from '../packages/kourier/src/adapters/machine/log.ts';
import { machineObserver } from '../packages/kourier/src/adapters/machine/observer.ts';
import { sqliteStore } from '../packages/kourier/src/adapters/store/sqlite/sqlite-store.ts';
import type { Entry } from '../packages/kourier/src/core/thread/entry.ts';
import type { ThreadId } from '../packages/kourier/src/core/thread/ids.ts';
import { DEFAULT_TIMINGS } from '../packages/kourier/src/core/timings.ts';
import { Courier } from '../packages/kourier/src/courier/courier.ts';
import type { Agents } from '../packages/kourier/src/ports/agent.ts';
import type { Chat, ThreadUpdate } from '../packages/kourier/src/ports/chat.ts';
import type { Registry } from '../packages/kourier/src/ports/registry.ts';
import type { Store } from '../packages/kourier/src/ports/store.ts';

/** One binding, `bench`, to an agent at this URL. */
export function registryFor(url: string): Registry {
  const backend = { name: 'bench', dialect: 'a2a', url, headers: [], egress: 'direct' } as const;
  const chat = { platform: 'web', channels: [], directMessages: false } as const;
  const binding = { name: 'bench', backend, identity: { userId: 'bench' }, chat, interactions: {} } as const;
  const configuration = {
    bindings: new Map([['bench', binding]]),
    platforms: new Map(),
    timings: DEFAULT_TIMINGS,
    store: { kind: 'sqlite' },
  } as const;
  return { current: () => configuration, watch: () => () => undefined, problems: () => [] };
}

export const agentsFor = (registry: Registry) => a2aAgents({ registry, spanId: () => randomBytes(8).toString('hex') });

export interface Carried {
  readonly thread: ThreadId;
  /** Of the turn's answer entries, as shown last. */
  readonly characters: number;
  readonly steps: number;
}

/** The real courier on the real adapters in this process, as main.ts composes it. */
export class Carrying {
  readonly store: Store;
  readonly #courier: Courier;
  readonly #agents: Agents & { close(): Promise<void> };
  readonly #folder: string;
  readonly #owner: string;
  readonly #waiting = new Map<string, (update: ThreadUpdate) => void>();

  private constructor(folder: string, store: Store, registry: Registry) {
    this.#folder = folder;
    this.store = store;
    this.#agents = agentsFor(registry);
    const web = webChat();
    const chat: Chat = {
      ...web,
      show: (update) => {
        web.show(update);
        this.#waiting.get(update.thread)?.(update);
      },
    };
    const ids = machineIds();
    this.#owner = ids.owner();
    const { observe } = machineObserver({ log: machineLog({ level: 'warn' }) });
    this.#courier = new Courier({
      ...{ store, agents: this.#agents, registry, observe },
      ...{ chats: new Map([['web', chat]]), clock: machineClock(), ids: { ...ids, owner: () => this.#owner } },
    });
  }

  static async to(url: string): Promise<Carrying> {
    const folder = mkdtempSync(join(tmpdir(), 'kourier-bench-'));
    const carrying = new Carrying(folder, await sqliteStore({ path: join(folder, 'kourier.db') }), registryFor(url));
    await carrying.#courier.start();
    return carrying;
  }

  /** A turn in a thread, or in a new one; resolves when its final entry is shown. */
  async carry(thread?: ThreadId): Promise<Carried> {
    const saying = { text: 'Go on', actor: { id: 'u1' } };
    const opened = thread ?? (await this.#open());
    const shown = this.#shown(opened);
    if (thread !== undefined) await this.#courier.say(thread, { ...saying, mention: true });
    return shown;
  }

  /** Writes entries into a thread at rest, as if its past turns had. */
  async write(thread: ThreadId, entries: readonly Entry[]): Promise<void> {
    // The courier holds the thread; between its turns a commit under its name is one of its own.
    const claim = await this.store.claim(thread, { owner: this.#owner, untilMs: Date.now() + 1_000 }, Date.now());
    if (claim.kind !== 'claimed') throw new Error(claim.kind);
    const commit = {
      owner: this.#owner,
      thread: claim.thread,
      status: 'idle',
      owes: false,
      entries,
      taken: [],
    } as const;
    await this.store.commit(commit);
  }

  async #open(): Promise<ThreadId> {
    const taken = await this.#courier.open({ binding: 'bench', text: 'Begin', actor: { id: 'u1' } });
    if (!('thread' in taken)) throw new Error(taken.kind);
    return taken.thread;
  }

  /** Opens a thread whose agent goes on; resolves when its task is recorded. */
  async openUntilRunning(): Promise<void> {
    const thread = await this.#open();
    return new Promise((resolve) => {
      this.#waiting.set(thread, ({ status, revision }) => {
        // The message, the turn that was taken, and the task's name.
        if (status !== 'running' || revision < 3) return;
        this.#waiting.delete(thread);
        resolve();
      });
    });
  }

  #shown(thread: ThreadId): Promise<Carried> {
    const answers = new Map<string, number>();
    const steps = new Set<string>();
    return new Promise((resolve) => {
      this.#waiting.set(thread, ({ entries, status, live }) => {
        for (const entry of entries) {
          if (entry.kind === 'answer') answers.set(entry.id, entry.text.length);
          if (entry.kind === 'step') steps.add(entry.id);
        }
        if (live || status !== 'idle' || answers.size === 0) return;
        this.#waiting.delete(thread);
        resolve({ thread, characters: [...answers.values()].reduce((sum, one) => sum + one, 0), steps: steps.size });
      });
    });
  }

  async end(): Promise<void> {
    await this.#courier.drain();
    await this.#agents.close();
    await this.store.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
