import type { Entry, ThreadStatus } from '../../core/thread/entry.ts';

/** Entries are frozen by use: one that changed is another object, so its text is made once for all its readers. */
const made = new WeakMap<Entry, string>();

/** `id` is the revision from which a reader that has seen this frame goes on without a gap. */
export function entryFrame(entry: Entry, id: number): string {
  let text = made.get(entry);
  if (text === undefined) {
    text = `event: entry\ndata: ${JSON.stringify(entry)}\n`;
    made.set(entry, text);
  }
  return `${text}id: ${id}\n\n`;
}

export function statusFrame(status: ThreadStatus, id: number): string {
  return `event: status\ndata: ${JSON.stringify({ status })}\nid: ${id}\n\n`;
}

/** How soon a browser comes back after a lost stream. */
export const FIRST_FRAME = 'retry: 1000\n\n';

export const HEARTBEAT = ': still here\n\n';
