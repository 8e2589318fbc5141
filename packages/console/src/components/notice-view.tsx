import type { VNode } from 'preact';
import type { NoticeEntry } from '../api/wire.ts';
import { visibleLine } from '../text/visible.ts';
import { Icon } from './icon.tsx';

/** `calm` tells what happened, `warn` what a person may want to do something about; every other code what went wrong. */
const TONES: ReadonlyMap<string, 'calm' | 'warn'> = new Map([
  ['no-output', 'calm'],
  ['busy', 'calm'],
  ['task-canceled', 'calm'],
  ['answer-the-prompt', 'calm'],
  ['request-expired', 'warn'],
  ['question-not-allowed', 'warn'],
  ['limit-exceeded', 'warn'],
]);

/** What the courier itself says. Its code stands beside it, to be looked up and reported. */
export function NoticeView({ notice }: { readonly notice: NoticeEntry }): VNode {
  return (
    <div class={`notice ${TONES.get(notice.code) ?? 'bad'}`} data-code={notice.code}>
      <Icon name="notice" />
      <div>
        <div class="notice-text">{visibleLine(notice.text, 2_000)}</div>
        <div class="label">
          {visibleLine(notice.code, 60)}
          {notice.category !== undefined && ` · ${visibleLine(notice.category, 60)}`}
        </div>
      </div>
    </div>
  );
}
