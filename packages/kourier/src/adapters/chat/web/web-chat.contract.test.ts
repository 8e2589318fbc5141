import { chatContract } from '../../../../contract/chat.ts';
import type { Entry } from '../../../core/thread/entry.ts';
import type { EntryId, ThreadId } from '../../../core/thread/ids.ts';
import { webChat } from './web-chat.ts';

/** A reader of the hub, who puts each entry over its id as the page does. */
chatContract('web', async () => {
  const chat = webChat();
  const threads = new Map<ThreadId, Map<EntryId, Entry>>();
  const stops = ['t_1', 't_2'].map((id) => {
    const entries = new Map<EntryId, Entry>();
    threads.set(id as ThreadId, entries);
    return chat.subscribe(id as ThreadId, (update) => {
      for (const entry of update.entries) entries.set(entry.id, entry);
    });
  });
  return {
    chat,
    seen: async (thread) => [...(threads.get(thread)?.values() ?? [])],
    close: async () => {
      for (const stop of stops) stop();
    },
  };
});
