import type { VNode } from 'preact';
import type { RequestEntry } from '../api/wire.ts';
import { Icon } from './icon.tsx';

/** What a message does while a request is open: it answers a text question, and waits for any other (decision 14). */
export function WaitingNote({ request }: { readonly request: RequestEntry }): VNode {
  const toRequest = (): void => {
    const card = document.querySelector<HTMLElement>('.request.open');
    card?.scrollIntoView({ block: 'nearest' });
    card?.focus({ preventScroll: true });
  };
  if (request.type === 'text') return <>Your message answers the agent's question.</>;
  return (
    <>
      A message waits until the request is decided.
      <button type="button" class="quiet" onClick={toRequest}>
        <Icon name="up" />
        Go to the request
      </button>
    </>
  );
}
