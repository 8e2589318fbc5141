import type { VNode } from 'preact';
import type { RequestEntry } from '../api/wire.ts';
import { visibleLine } from '../text/visible.ts';
import { Icon } from './icon.tsx';

const STATE_WORDS: Readonly<Record<string, string>> = {
  open: 'waiting for a person',
  answered: 'answered',
  expired: 'expired',
  canceled: 'canceled',
  failed: 'failed',
};

/** A question or an approval that waits for a person. */
export function RequestView({ request }: { readonly request: RequestEntry }): VNode {
  return (
    <div class={`request ${request.state === 'open' ? 'open' : 'settled'}`}>
      <Icon name="request" />
      <div>
        <div>{visibleLine(request.heading, 1_000)}</div>
        <div class="label">
          {request.type === 'tool-approval' ? 'Approval' : 'Question'} · {STATE_WORDS[request.state] ?? 'unknown'}
        </div>
      </div>
    </div>
  );
}
