import { useCallback, useEffect, useState } from 'preact/hooks';
import { listBindings } from '../api/client.ts';
import { Problem } from '../api/problem.ts';
import type { Binding } from '../api/wire.ts';

const RETRY_MS = 2_000;

interface Known {
  /** Absent until they are read. */
  readonly list?: readonly Binding[];
  readonly error?: string;
}

export interface Bindings extends Known {
  /** Reads them again: an agent has a name once the server has read its card, which it does on the first turn. */
  readonly refresh: () => void;
}

/** Whom this server lets one write to. */
export function useBindings(): Bindings {
  const [known, setKnown] = useState<Known>({});
  const [round, setRound] = useState(0);
  useEffect(() => {
    let timer: number | undefined;
    let over = false;
    const read = async (): Promise<void> => {
      try {
        const list = await listBindings();
        if (!over) setKnown({ list });
      } catch (problem) {
        if (over) return;
        const error = problem instanceof Problem ? problem.message : 'The server cannot be reached. Trying again…';
        setKnown((old) => (old.list === undefined ? { error } : old));
        timer = window.setTimeout(() => void read(), RETRY_MS);
      }
    };
    void read();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [round]);
  const refresh = useCallback(() => setRound((count) => count + 1), []);
  return { ...known, refresh };
}
