import type { Entry } from '../src/core/thread/entry.ts';
import type { Post } from '../src/ports/poster.ts';

/** How much the simulated platform takes in one message: little, so that answers are split. */
const PIECE = 16;

/** One post an entry, more for a long answer. What a person wrote is on the platform already. */
export function simLayout(entries: readonly Entry[]): readonly Post[] {
  return entries.flatMap((entry): readonly Post[] => {
    if (entry.kind === 'message') return entry.actor ? [] : [{ ...bodyOf(entry.id, entry.text), live: false }];
    if (entry.kind !== 'answer') return [{ ...bodyOf(entry.id, JSON.stringify(entry)), live: false }];
    const pieces = entry.text.match(new RegExp(`.{1,${PIECE}}`, 'gs')) ?? [''];
    return pieces.map((text, at) => {
      // Each says how many there are, so that all of them change when one more is needed.
      const said = `${at + 1}/${pieces.length} ${text}`;
      return { ...bodyOf(at === 0 ? entry.id : `${entry.id}/${at}`, said), live: entry.streaming };
    });
  });
}

const bodyOf = (key: string, text: string) => ({ key, says: text, body: text });

/** The first post of an entry: later ones come and go with its text. */
export const isFirstOf = (key: string): boolean => !key.includes('/');
