import assert from 'node:assert/strict';
import type { Entry, ThreadStatus } from '../../src/core/thread/entry.ts';
import { EventReader } from '../../src/http/fixtures/event-reader.ts';

export interface Timeline {
  readonly id: string;
  readonly status: ThreadStatus;
  readonly entries: readonly Entry[];
}

/** What a page does with threads, over the product's HTTP interface at `url`. */
export class ThreadClient {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** A new thread's id. */
  async open(binding: string, text: string): Promise<string> {
    const { thread } = await this.post('/api/v1/threads', { binding, text, actor: { id: 'u1' } });
    return String(thread);
  }

  async say(thread: string, text: string): Promise<void> {
    await this.post(`/api/v1/threads/${thread}/messages`, { text, actor: { id: 'u1' } });
  }

  async post(path: string, body: object): Promise<Record<string, unknown>> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(this.#url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const answer = (await response.json()) as Record<string, unknown>;
    assert.ok(response.ok, `${path}: HTTP ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  }

  async timeline(thread: string): Promise<Timeline> {
    const response = await fetch(`${this.#url}/api/v1/threads/${thread}`);
    assert.equal(response.status, 200);
    return (await response.json()) as Timeline;
  }

  /** Whether `/readyz` says that it is. */
  async ready(): Promise<boolean> {
    return (await fetch(`${this.#url}/readyz`)).status === 200;
  }

  events(thread: string): Promise<EventReader> {
    return EventReader.open(`${this.#url}/api/v1/threads/${thread}/events`);
  }

  /** Reads the thread's events until it owes nothing more: its timeline, which is what the events said. */
  async settled(thread: string): Promise<Timeline> {
    const reader = await this.events(thread);
    const seen = new Map<string, Entry>();
    await reader.until(({ event, data }) => {
      if (event === 'entry') seen.set(data.id, data);
      return event === 'status' && data.status === 'idle';
    });
    reader.close();
    const timeline = await this.timeline(thread);
    assert.deepEqual(timeline.entries, [...seen.values()]);
    return timeline;
  }
}

/** The text of the answers, one for each turn in their order. */
export function answersOf({ entries }: Pick<Timeline, 'entries'>): readonly string[] {
  const texts = new Map<string, string>();
  for (const entry of entries) {
    if (entry.kind === 'answer') texts.set(entry.turnId, (texts.get(entry.turnId) ?? '') + entry.text);
  }
  return [...texts.values()];
}

export function noticesOf({ entries }: Pick<Timeline, 'entries'>): readonly string[] {
  return entries.flatMap((entry) => (entry.kind === 'notice' ? [entry.code] : []));
}
