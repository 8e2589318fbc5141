import { postMessage, startThread } from '../api/client.ts';
import { Problem } from '../api/problem.ts';
import { itemNames, newId, readJson, writeItem } from '../browser/storage.ts';
import { whoAmI } from '../browser/who-am-i.ts';
import { isOutgoing, nextToSend, type Outgoing, withoutConfirmed } from './outgoing.ts';

const RETRY_FIRST_MS = 500;
const RETRY_MOST_MS = 8_000;

export interface OutboxListener {
  changed(items: readonly Outgoing[]): void;
  started(item: Outgoing, thread: string): void;
  /** The server does not take it. It has left the outbox: its text goes back into the box. */
  refused(item: Outgoing, why: string): void;
}

/** Sends what a person wrote until the server has it, over lost connections, reloads and restarts. */
export class Outbox {
  readonly #listener: OutboxListener;
  readonly #busy = new Set<string>();
  readonly #retry = (): void => this.#pump();
  #items: readonly Outgoing[];
  #failures = 0;
  #timer: number | undefined;

  constructor(listener: OutboxListener) {
    this.#listener = listener;
    this.#items = itemNames('outbox.')
      .toSorted()
      .flatMap((name) => readJson(name, isOutgoing) ?? [])
      .filter((item) => item.state !== 'sent' || this.#forget(item));
    addEventListener('online', this.#retry);
    this.#pump();
  }

  get items(): readonly Outgoing[] {
    return this.#items;
  }

  submit(message: Pick<Outgoing, 'text' | 'thread' | 'binding'>): void {
    // The time in front keeps them in order in the browser's drawer.
    const item: Outgoing = { ...message, key: `${Date.now().toString(36)}-${newId()}`, state: 'sending' };
    this.#set([...this.#items, item], item);
    this.#pump();
  }

  /** Takes back one that is not sent yet. */
  withdraw(key: string): void {
    this.#remove(key);
  }

  confirm(turnIds: ReadonlySet<string>): void {
    const left = withoutConfirmed(this.#items, turnIds);
    if (left === this.#items) return;
    for (const item of this.#items) if (!left.includes(item)) writeItem(`outbox.${item.key}`, null);
    this.#set(left);
  }

  #pump(): void {
    clearTimeout(this.#timer);
    for (const item of nextToSend(this.#items, this.#busy)) void this.#send(item);
  }

  async #send(item: Outgoing): Promise<void> {
    this.#busy.add(item.key);
    const message = { text: item.text, actor: whoAmI(), idempotencyKey: item.key };
    try {
      if (item.thread === undefined) {
        const { thread, turnId } = await startThread(item.binding ?? '', message);
        this.#sent({ ...item, thread }, turnId);
        this.#listener.started(item, thread);
      } else {
        this.#sent(item, (await postMessage(item.thread, message)).turnId);
      }
      this.#failures = 0;
    } catch (error) {
      if (error instanceof Problem && !error.passing) this.#refused(item, error.message);
      else this.#failed(item);
    }
    this.#busy.delete(item.key);
    if (this.#failures === 0) this.#pump();
  }

  #sent(item: Outgoing, turnId: string | undefined): void {
    if (turnId === undefined) this.#remove(item.key);
    else this.#replace({ ...item, state: 'sent', turnId });
  }

  #refused(item: Outgoing, why: string): void {
    this.#remove(item.key);
    this.#listener.refused(item, why);
  }

  #failed(item: Outgoing): void {
    this.#replace({ ...item, state: 'waiting' });
    const waitMs = Math.min(RETRY_MOST_MS, RETRY_FIRST_MS * 2 ** this.#failures++);
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(this.#retry, waitMs);
  }

  /** What was durable before a reload is the timeline's to show. */
  #forget({ key }: Outgoing): false {
    writeItem(`outbox.${key}`, null);
    return false;
  }

  #replace(item: Outgoing): void {
    // It may have been withdrawn meanwhile.
    if (!this.#items.some((old) => old.key === item.key)) return;
    this.#set(
      this.#items.map((old) => (old.key === item.key ? item : old)),
      item,
    );
  }

  #remove(key: string): void {
    writeItem(`outbox.${key}`, null);
    this.#set(this.#items.filter((item) => item.key !== key));
  }

  #set(items: readonly Outgoing[], changed?: Outgoing): void {
    this.#items = items;
    if (changed !== undefined) writeItem(`outbox.${changed.key}`, JSON.stringify(changed));
    this.#listener.changed(items);
  }
}
