import { useEffect, useState } from 'preact/hooks';
import { listBindings } from '../api/client.ts';
import { Problem } from '../api/problem.ts';
import type { Binding } from '../api/wire.ts';

const RETRY_MS = 2_000;

export interface Bindings {
  /** Absent until they are read. */
  readonly list?: readonly Binding[];
  readonly error?: string;
}

/** Whom this server lets one write to; read again until it is known. */
export function useBindings(): Bindings {
  const [bindings, setBindings] = useState<Bindings>({});
  useEffect(() => {
    let timer: number | undefined;
    let over = false;
    const read = (): void => {
      listBindings().then(
        (list) => {
          if (!over) setBindings({ list });
        },
        (error: unknown) => {
          if (over) return;
          setBindings({
            error: error instanceof Problem ? error.message : 'The server cannot be reached. Trying again…',
          });
          timer = window.setTimeout(read, RETRY_MS);
        },
      );
    };
    read();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, []);
  return bindings;
}
