import { AGENT_LIMITS, PUSH_LIMITS } from '../limits.ts';
import type { TaskStore } from '../store/task-store.ts';
import { backOff } from './back-off.ts';
import { type Notice, payloadOf } from './notice.ts';
import { Places } from './places.ts';
import { type Attempt, codeOf, type Posting, postNotice } from './post-notice.ts';
import type { KeptWebhook, PushStore } from './push-store.ts';
import type { Webhook } from './webhook.ts';

/** Says that a webhook did not get what it is owed. Its host is named, and no more of it. */
export class PushFailed extends Error {
  override readonly name = 'PushFailed';
}

export interface DeliveryOptions extends Posting {
  readonly store: TaskStore & PushStore;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly report: (error: Error, notice: Pick<Notice, 'taskId' | 'contextId'>) => void;
}

type WebhookKey = Pick<Webhook, 'taskId' | 'id'>;

/**
 * Brings notices to webhooks: those of one webhook one after the other, in their order, each until it is taken or given
 * up; those of others beside it. An attempt reads the webhook anew, so that one that was deleted, changed or served by
 * another process meanwhile is seen.
 */
export class Deliveries {
  readonly #options: DeliveryOptions;
  readonly #lines = new Map<string, Line>();
  readonly #working = new Set<Promise<void>>();
  readonly #places = new Places();
  #closed = false;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /** Owes a webhook a notice. One that it is settled up to by the time is not sent. */
  owe({ taskId, id }: WebhookKey, notice: Notice): void {
    if (this.#closed) return;
    const key = keyOf({ taskId, id });
    const line = this.#lines.get(key);
    if (line !== undefined) return line.add(notice);
    const begun = new Line({ taskId, id }, notice);
    this.#lines.set(key, begun);
    const work = this.#work(begun).finally(() => {
      this.#working.delete(work);
      if (this.#lines.get(key) === begun) this.#lines.delete(key);
    });
    this.#working.add(work);
  }

  /** Sends a webhook nothing more; what is under way to it is broken off. */
  drop(webhook: WebhookKey): void {
    const key = keyOf(webhook);
    this.#lines.get(key)?.stop.abort();
    this.#lines.delete(key);
  }

  /** Breaks off what is under way. What is owed stays so, for the next process. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { stop } of this.#lines.values()) stop.abort();
    await Promise.all(this.#working);
  }

  async #work(line: Line): Promise<void> {
    try {
      for (let notice = line.first; notice !== undefined; notice = line.first) {
        await this.#bring(line, notice);
        line.next();
      }
    } catch (error) {
      // Whoever stopped the line knows that it stopped.
      if (!line.stop.signal.aborted) throw error;
    }
  }

  /** Resolves when the notice needs no more attempt. Rejects only when the line is stopped. */
  async #bring(line: Line, notice: Notice): Promise<void> {
    const { store, now, random, wait } = this.#options;
    const { signal } = line.stop;
    const giveUpAt = now() + PUSH_LIMITS.giveUpAfterMs;
    for (let attempts = 1; ; attempts += 1) {
      const { attempt, webhook } = await this.#attempt(line, notice);
      if (webhook === undefined) return;
      if (attempt.kind === 'failed') {
        const pauseMs = Math.max(backOff(attempts, random()), attempt.retryAfterMs);
        if (now() + pauseMs <= giveUpAt) {
          await wait(pauseMs, signal);
          continue;
        }
      }
      if (attempt.kind !== 'taken') this.#report(webhook, notice, `${attempt.why}, attempts: ${attempts}`);
      const unsubscribes = attempt.kind === 'refused' && attempt.unsubscribes;
      await this.#record(notice, () =>
        unsubscribes
          ? store.deleteWebhook(webhook.taskId, webhook.id)
          : store.settleWebhook(webhook.taskId, webhook.id, notice.version),
      );
      return;
    }
  }

  /** `webhook` is absent when nothing is owed to it any more. A store that fails is tried again like a receiver. */
  async #attempt(line: Line, notice: Notice): Promise<{ readonly attempt: Attempt; readonly webhook?: KeptWebhook }> {
    const { store } = this.#options;
    const { signal } = line.stop;
    let leave = (): void => undefined;
    let webhook: KeptWebhook | undefined;
    try {
      webhook = (await store.webhooks(line.webhook.taskId)).find(({ id }) => id === line.webhook.id);
      if (webhook === undefined || webhook.settled >= notice.version) return { attempt: { kind: 'taken' } };
      leave = await this.#places.enter({ host: new URL(webhook.url).host, owner: notice.owner }, signal);
      const payload = payloadOf(notice, await store.read(notice.taskId), webhook);
      return { attempt: await postNotice({ webhook, notice, payload }, this.#options, signal), webhook };
    } catch (error) {
      signal.throwIfAborted();
      const unread = { ...line.webhook, url: 'https://unread.invalid', settled: 0 };
      const why = `the store failed: ${codeOf(error)}`;
      return { attempt: { kind: 'failed', why, retryAfterMs: 0 }, webhook: webhook ?? unread };
    } finally {
      leave();
    }
  }

  /** When it fails, the notice may go out once more after a restart, under the same id. */
  async #record(notice: Notice, write: () => void | Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      const why = `The store did not take that a notification was sent (${codeOf(error)}): it may be sent again.`;
      this.#options.report(new PushFailed(why), notice);
    }
  }

  #report({ url }: Webhook, notice: Notice, why: string): void {
    const host = new URL(url).host.slice(0, HOST_CHARACTERS);
    const what = `The webhook at ${host} did not take ${notice.status.state} (${why}).`;
    this.#options.report(new PushFailed(`${what} It is not sent again: ask whoever runs the receiver.`), notice);
  }
}

/** As long as a name may be. */
const HOST_CHARACTERS = 253;

/** What one webhook is owed. */
class Line {
  readonly webhook: WebhookKey;
  readonly stop = new AbortController();
  readonly #notices: Notice[];

  constructor(webhook: WebhookKey, notice: Notice) {
    this.webhook = webhook;
    this.#notices = [notice];
  }

  get first(): Notice | undefined {
    return this.#notices[0];
  }

  next(): void {
    this.#notices.shift();
  }

  /** A task that goes on while its webhook is out of reach is told of in fewer steps, the latest always among them. */
  add(notice: Notice): void {
    this.#notices.push(notice);
    if (this.#notices.length > AGENT_LIMITS.webhookBacklog) this.#notices.splice(1, this.#notices.length - 2);
  }
}

const keyOf = ({ taskId, id }: WebhookKey): string => JSON.stringify([taskId, id]);
