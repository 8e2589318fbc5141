import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly args?: { readonly name?: string };
  /** Time of the processor, in microseconds. */
  readonly tdur?: number;
}

/**
 * For how long a page's own thread was busy with any one thing at most, in milliseconds, while `work` was done: it answered
 * nobody for so long. Time of the processor, to which what else the machine does adds nothing.
 */
export async function busiestMs(browser: Browser, page: Page, work: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await work();
  const trace: { readonly traceEvents: readonly TraceEvent[] } = JSON.parse(`${await browser.stopTracing()}`);
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const named = trace.traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const mains = new Set(named.map(threadOf));
  const tasks = trace.traceEvents.filter((event) => event.name.endsWith('RunTask') && mains.has(threadOf(event)));
  const times = tasks.flatMap(({ tdur }) => tdur ?? []);
  assert.ok(times.length > 0, 'the browser says what its threads do');
  return Math.max(...times) / 1_000;
}
