import { setTimeout } from 'node:timers/promises';
import type { JsonObject } from '@agentkourier/a2a/json-value';
import { guardedFetch } from '../egress/guarded-fetch.ts';
import { AGENT_LIMITS } from '../limits.ts';
import { invalidParams, taskNotFound } from '../rpc-error.ts';
import type { ReportFailure } from '../run/task-runner.ts';
import type { TaskStore } from '../store/task-store.ts';
import type { LiveTask } from '../task/live-task.ts';
import type { TaskRecord } from '../task/task-record.ts';
import { isRunning } from '../task/wire.ts';
import { backOff } from './back-off.ts';
import { Deliveries } from './deliveries.ts';
import { type Notice, noticeOf } from './notice.ts';
import { codeOf, isFinal, type PushFetch, type Wait } from './post-notice.ts';
import { keepsWebhooks, type PushStore } from './push-store.ts';
import { type NewWebhook, readWebhook } from './read-webhook.ts';
import { type SigningKey, signerOf } from './signing-key.ts';
import { StatusWatch } from './status-watch.ts';
import type { Webhook } from './webhook.ts';

/** How a served agent sends push notifications (rule P8). */
export interface PushOptions {
  /**
   * How webhooks are posted to. Callers make their addresses up, so that unless given it is the guarded transport: https
   * to public addresses alone.
   */
  readonly fetch?: PushFetch;
  /** Each signs every notification, so that a new key may stand beside the old one for a while. None unless given. */
  readonly signingKeys?: readonly SigningKey[];
  /** From 0 to 1, for the spread of repeated attempts. */
  readonly random?: () => number;
  /** Milliseconds; rejects when the signal aborts. */
  readonly wait?: Wait;
}

export interface PushParts extends PushOptions {
  readonly store: TaskStore;
  readonly report: ReportFailure;
  readonly newId: () => string;
  readonly now: () => number;
}

/** The webhooks of tasks, and what they are owed: each status that a task comes to, once it is stored. */
export class PushDesk {
  readonly #store: TaskStore & PushStore;
  readonly #options: PushParts;
  readonly #fetch: PushFetch;
  readonly #deliveries: Deliveries;
  readonly #random: () => number;
  readonly #wait: Wait;
  readonly #stop = new AbortController();
  /** By task: the last that is being handed on, so that the next one waits for it. */
  readonly #handingOn = new Map<string, Promise<void>>();

  /** Throws a TypeError for a store that keeps no webhooks, and for a signing key that is none. */
  constructor(options: PushParts) {
    const { store, fetch = guardedFetch({ route: 'public', enabled: true }), signingKeys = [], now, report } = options;
    if (!keepsWebhooks(store)) throw new TypeError('push needs a store that keeps webhooks: give one with PushStore');
    this.#store = store;
    this.#options = options;
    this.#fetch = fetch;
    this.#random = options.random ?? Math.random;
    this.#wait = options.wait ?? ((ms, signal) => setTimeout(ms, undefined, { signal, ref: false }));
    const signers = signingKeys.map(signerOf);
    this.#deliveries = new Deliveries({ store, fetch, signers, now, wait: this.#wait, random: this.#random, report });
  }

  /** Takes up what an earlier process still owed: of each task the status that it is in. */
  async open(): Promise<void> {
    for (const taskId of await this.#store.owedTasks()) await this.#tellState(taskId);
  }

  /** Breaks deliveries off; what is owed is owed to the next process. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#deliveries.close();
    await Promise.all(this.#handingOn.values());
  }

  /** Follows a task that this process works on. */
  watch(task: LiveTask): void {
    task.watch(new StatusWatch(task, (notice) => this.#tell(notice)));
  }

  /** Reads a webhook that a caller wrote, and asks the transport whether it goes there at all. Throws -32602. */
  async admit(config: JsonObject, version: Webhook['version'], path = ''): Promise<NewWebhook> {
    const webhook = { ...readWebhook(config, path), ...(version === undefined ? {} : { version }) };
    try {
      await this.#fetch.check?.(webhook.url);
    } catch (error) {
      // What may go well later is found out then: each delivery is judged again (cases C118, C178).
      if (isFinal(error)) throw invalidParams(`${path}url is not one that this agent posts to: ${codeOf(error)}.`);
    }
    return webhook;
  }

  /**
   * Adds a webhook to a task, or changes the one that has its id. One that comes when the task has ended or paused is
   * told so: what happened between the task's answer and this call would be lost else. Throws -32602 and -32001.
   */
  async add(taskId: string, { id = this.#options.newId(), ...rest }: NewWebhook): Promise<Webhook> {
    const webhook = { ...rest, taskId, id };
    const saved = await this.#store.saveWebhook(webhook);
    if (saved === 'gone') throw taskNotFound();
    if (saved === 'full') {
      throw invalidParams(`A task has at most ${AGENT_LIMITS.taskWebhooks} webhooks: delete one, or reuse its id.`);
    }
    await this.#tellState(taskId);
    return webhook;
  }

  async list(taskId: string): Promise<readonly Webhook[]> {
    return await this.#store.webhooks(taskId);
  }

  async delete(taskId: string, id: string): Promise<void> {
    await this.#store.deleteWebhook(taskId, id);
    this.#deliveries.drop({ taskId, id });
  }

  async #tellState(taskId: string): Promise<void> {
    const task: TaskRecord | undefined = await this.#store.read(taskId);
    if (task !== undefined && !isRunning(task.status.state)) this.#tell(noticeOf(task));
  }

  /** Hands a notice on to the webhooks of its task, after those that came before it. */
  #tell(notice: Notice): void {
    if (this.#stop.signal.aborted) return;
    const { taskId } = notice;
    const before = this.#handingOn.get(taskId);
    const handed = (before ?? Promise.resolve())
      .then(() => this.#handOn(notice))
      // Stopped: what is owed is found in the store by the next process.
      .catch(() => undefined)
      .finally(() => {
        if (this.#handingOn.get(taskId) === handed) this.#handingOn.delete(taskId);
      });
    this.#handingOn.set(taskId, handed);
  }

  async #handOn(notice: Notice): Promise<void> {
    for (let attempts = 1; ; attempts += 1) {
      try {
        const webhooks = await this.#store.webhooks(notice.taskId);
        for (const webhook of webhooks) this.#deliveries.owe(webhook, notice);
        return;
      } catch (error) {
        if (attempts === 1) this.#options.report(error, notice);
        await this.#wait(backOff(attempts, this.#random()), this.#stop.signal);
      }
    }
  }
}
