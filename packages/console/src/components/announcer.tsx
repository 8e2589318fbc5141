import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Timeline } from '../api/wire.ts';
import { announcements } from '../timeline/announce.ts';

/** Says what is new, once. The timeline itself is not live: a growing answer would be read out word by word. */
export function Announcer({ timeline }: { readonly timeline: Timeline | undefined }): VNode {
  const before = useRef<Timeline | undefined>(undefined);
  const [words, setWords] = useState('');
  useEffect(() => {
    if (timeline === undefined) return;
    const said = announcements(before.current, timeline);
    before.current = timeline;
    if (said.length > 0) setWords(said.join(' '));
  }, [timeline]);
  return (
    <div class="unseen" aria-live="polite" aria-atomic="true" id="announcer">
      {words}
    </div>
  );
}
