import type { VNode } from 'preact';

/** A moment, as short as can be: of today only the time. `at` is RFC 3339. */
export function Time({ at }: { readonly at: string }): VNode | null {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return null;
  const today = date.toDateString() === new Date().toDateString();
  const short = date.toLocaleString(
    undefined,
    today ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' },
  );
  return (
    <time dateTime={at} title={date.toLocaleString()}>
      {short}
    </time>
  );
}
