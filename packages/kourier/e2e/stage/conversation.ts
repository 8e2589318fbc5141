import assert from 'node:assert/strict';
import type { Actor, Entry, RequestEntry } from '../../src/core/thread/entry.ts';
import type { Answered, Product } from './product.ts';

export const DANA: Actor = { id: 'U0AAA111', name: 'Dana Cruz', email: 'dana@example.com' };

export interface Seen {
  readonly entries: readonly Entry[];
  readonly status: string;
}

/** What a person gives to a request. */
export interface Given {
  readonly actor?: Actor;
  readonly answers?: readonly (readonly string[])[];
  readonly approvals?: readonly { readonly id: string; readonly approved: boolean }[];
}

/** One thread, as somebody sees it who writes in it and follows its events. */
export class Conversation {
  readonly thread: string;
  readonly #product: Product;

  private constructor(product: Product, thread: string) {
    this.#product = product;
    this.thread = thread;
  }

  static async open(product: Product, binding: string, text: string): Promise<Conversation> {
    const { status, body } = await product.post('/api/v1/threads', { binding, text, actor: DANA });
    assert.equal(status, 201, JSON.stringify(body));
    return new Conversation(product, String(body['thread']));
  }

  async say(text: string): Promise<void> {
    const { status } = await this.#product.post(`/api/v1/threads/${this.thread}/messages`, { text, actor: DANA });
    assert.equal(status, 202);
  }

  async stop(): Promise<void> {
    const { status } = await this.#product.post(`/api/v1/threads/${this.thread}/stop`, { actor: DANA });
    assert.equal(status, 202);
  }

  /** Follows the thread's events until it looks as wanted. */
  async until(wanted: (seen: Seen) => boolean): Promise<Seen> {
    const reader = await this.#product.events(this.thread);
    const entries = new Map<string, Entry>();
    let status = '';
    const seen = (): Seen => ({ entries: [...entries.values()], status });
    await reader.until(({ event, data }) => {
      if (event === 'entry') entries.set(data.id, data);
      if (event === 'status') status = data.status;
      return wanted(seen());
    });
    reader.close();
    return seen();
  }

  /** The thread once `turns` turns are settled. */
  async settled(turns = 1): Promise<readonly object[]> {
    await this.until(({ entries, status }) => status === 'idle' && settledTurns(entries) === turns);
    return shapesOf(await this.#product.entries(this.thread));
  }

  /** The request that waits; with `wanted`, one of that kind. */
  async openRequest(wanted: (request: RequestEntry) => boolean = () => true): Promise<RequestEntry> {
    const isIt = (entry: Entry): entry is RequestEntry =>
      entry.kind === 'request' && entry.state === 'open' && wanted(entry);
    const { entries } = await this.until((seen) => seen.status === 'waiting' && seen.entries.some(isIt));
    const request = entries.find(isIt);
    assert.ok(request);
    return request;
  }

  answer({ id }: { readonly id: string }, given: Given): Promise<Answered> {
    return this.#product.post(`/api/v1/requests/${id}/answer`, { actor: DANA, ...given });
  }

  async entries(): Promise<readonly object[]> {
    return shapesOf(await this.#product.entries(this.thread));
  }

  /** The words of its first notice of this code. */
  async noticeText(code: string): Promise<string> {
    const entries = await this.#product.entries(this.thread);
    const found = entries.find((entry) => entry.kind === 'notice' && entry.code === code);
    return found?.kind === 'notice' ? found.text : '';
  }

  async audit(): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const page = (await this.#product.get(`/api/v1/audit?thread=${this.thread}`)) as { records: [] };
    return page.records;
  }
}

/** A turn is settled when nothing of it streams and it has more than its message. */
function settledTurns(entries: readonly Entry[]): number {
  if (entries.some((entry) => entry.kind === 'answer' && entry.streaming)) return 0;
  return new Set(entries.filter(({ kind }) => kind !== 'message').map(({ turnId }) => turnId)).size;
}

/** Entries without what differs at every run: ids and times. Notices go without their words. */
function shapesOf(entries: readonly Entry[]): readonly object[] {
  assert.equal(new Set(entries.map(({ id }) => id)).size, entries.length, 'each entry has an id of its own');
  return entries.map(shapeOf);
}

function shapeOf(entry: Entry): object {
  const { id: _, turnId: __, ...rest } = entry;
  if (rest.kind === 'message') return said(rest.text);
  if (rest.kind === 'notice')
    return { kind: 'notice', code: rest.code, ...(rest.category && { category: rest.category }) };
  if (rest.kind !== 'request') return rest;
  const { until: ___, ...request } = rest;
  return request;
}

export const said = (text: string): object => ({ kind: 'message', text });

export const answered = (text: string): object => ({ kind: 'answer', text, streaming: false });

export const notice = (code: string, category?: string): object => ({
  kind: 'notice',
  code,
  ...(category && { category }),
});

/** `[state, result]`: without a result it never came. */
export function step(
  name: string,
  callId: string,
  args: unknown,
  ended: readonly [state: string, result?: unknown],
): object {
  const [state, result] = ended;
  return {
    kind: 'step',
    callId,
    name,
    ...(args === undefined ? {} : { args }),
    state,
    ...(result === undefined ? {} : { result }),
  };
}

/** The entries of one kind, and how they stand. */
export const ofKind = (entries: readonly object[], kind: string): readonly Readonly<Record<string, unknown>>[] =>
  entries.map((entry) => entry as Readonly<Record<string, unknown>>).filter((entry) => entry['kind'] === kind);
