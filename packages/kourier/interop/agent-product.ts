import assert from 'node:assert/strict';
import { Product, type Timings } from '../e2e/stage/product.ts';

export interface Entry {
  readonly id: string;
  readonly kind: string;
  readonly turnId?: string;
  readonly text?: string;
  readonly streaming?: boolean;
  readonly code?: string;
  readonly category?: string;
  readonly name?: string;
  readonly args?: unknown;
  readonly result?: unknown;
  readonly state?: string;
  readonly heading?: string;
  readonly tools?: readonly { readonly id: string; readonly name: string; readonly args?: unknown }[];
}

const NAME = 'official';
/** A foreign agent may be slow: what waits for it is as long as it is for people. */
const TIMINGS: Timings = { streamDropDelay: '50ms', followBackoffInitial: '50ms', retryBackoffInitial: '50ms' };

/** The product in front of one agent. Anyone in the thread may answer and decide. */
export class AgentProduct extends Product {
  static async before(agentUrl: string): Promise<AgentProduct> {
    const product = new AgentProduct([{ name: NAME, url: agentUrl, userId: 'interop' }], TIMINGS);
    await product.start();
    return product;
  }

  /** Posts what is not to be refused. */
  async tell(path: string, body: object): Promise<Readonly<Record<string, unknown>>> {
    const { status, body: answer } = await this.post(path, body);
    assert.ok(status < 300, `${path}: HTTP ${status} ${JSON.stringify(answer)}`);
    return answer;
  }

  /** A new thread's id. */
  async open(text: string): Promise<string> {
    const { thread } = await this.tell('/api/v1/threads', { binding: NAME, text, actor: { id: 'u1' } });
    return String(thread);
  }

  async say(thread: string, text: string): Promise<void> {
    await this.tell(`/api/v1/threads/${thread}/messages`, { text, actor: { id: 'u1' } });
  }

  /** Reads the thread's events until it looks as wanted, then the thread itself. */
  async until(thread: string, wanted: (seen: { entries: readonly Entry[]; status: string }) => boolean): Promise<void> {
    const reader = await this.events(thread);
    const entries = new Map<string, Entry>();
    let status = '';
    await reader.until(({ event, data }) => {
      if (event === 'entry') entries.set(data.id, data);
      if (event === 'status') status = data.status;
      return wanted({ entries: [...entries.values()], status });
    });
    reader.close();
  }

  /** The entries of a thread once `turns` turns are settled. */
  async settled(thread: string, turns: number): Promise<readonly Entry[]> {
    await this.until(thread, ({ entries, status }) => status === 'idle' && turnsEnded(entries) === turns);
    const { entries } = (await this.get(`/api/v1/threads/${thread}`)) as { entries: readonly Entry[] };
    return entries;
  }
}

/** A turn has ended when nothing of it streams and it has an answer or a notice. */
function turnsEnded(entries: readonly Entry[]): number {
  if (entries.some(({ streaming }) => streaming === true)) return 0;
  return new Set(entries.filter(({ kind }) => kind !== 'message').map(({ turnId }) => turnId)).size;
}
