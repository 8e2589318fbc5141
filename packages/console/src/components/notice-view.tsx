import type { VNode } from 'preact';
import type { NoticeEntry } from '../api/wire.ts';
import { visibleLine } from '../text/visible.ts';
import { Icon } from './icon.tsx';

/** These tell what happened; every other notice tells what went wrong. */
const CALM_CODES: ReadonlySet<string> = new Set(['no-output', 'busy', 'task-canceled']);

/** What the courier itself says. Its code stands beside it, to be looked up and reported. */
export function NoticeView({ notice }: { readonly notice: NoticeEntry }): VNode {
  const calm = CALM_CODES.has(notice.code);
  return (
    <div class={calm ? 'notice calm' : 'notice'} data-code={notice.code}>
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
