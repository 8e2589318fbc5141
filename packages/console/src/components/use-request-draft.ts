import { useEffect, useState } from 'preact/hooks';
import type { RequestEntry } from '../api/wire.ts';
import { readJson, writeItem } from '../browser/storage.ts';

const isAnything = (_value: unknown): _value is unknown => true;

/**
 * What has been filled in for a request: in the browser's drawer over reloads while it is open, and on the page for as
 * long as that is there, so that a request that is open again has not lost it.
 */
export function useRequestDraft({ id, state }: RequestEntry): readonly [unknown, (draft: unknown) => void] {
  const item = `request.${id}`;
  const [draft, setDraft] = useState(() => readJson(item, isAnything));
  useEffect(() => {
    if (state !== 'open') writeItem(item, null);
  }, [item, state]);
  const write = (next: unknown): void => {
    writeItem(item, JSON.stringify(next));
    setDraft(next);
  };
  return [draft, write];
}
