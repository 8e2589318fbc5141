import { useState } from 'preact/hooks';
import { readItem, writeItem } from '../browser/storage.ts';

/** What stands in a thread's box, and why it was not sent. */
export interface Drafts {
  text(place: string): string;
  error(place: string): string | undefined;
  write(place: string, text: string, error?: string): void;
  /** Puts text back in front of what was written since. */
  giveBack(place: string, text: string, error?: string): void;
  move(from: string, to: string): void;
}

/** Unsent text is kept in the browser, for each thread. `place` is a thread's id, or `new`. */
export function useDrafts(): Drafts {
  const [, redraw] = useState(0);
  const [errors] = useState(() => new Map<string, string>());
  const text = (place: string): string => readItem(`draft.${place}`) ?? memory.get(place) ?? '';
  const write = (place: string, words: string, error?: string): void => {
    writeItem(`draft.${place}`, words === '' ? null : words);
    memory.set(place, words);
    if (error === undefined) errors.delete(place);
    else errors.set(place, error);
    redraw((count) => count + 1);
  };
  return {
    text,
    error: (place) => errors.get(place),
    write,
    giveBack: (place, words, error) =>
      write(place, [words, text(place)].filter((part) => part !== '').join('\n\n'), error),
    move: (from, to) => {
      const words = text(from);
      if (words === '') return;
      write(from, '');
      write(to, words);
    },
  };
}

/** For browsers whose drawer is locked. */
const memory = new Map<string, string>();
