import type { VNode } from 'preact';
import { myName } from '../browser/who-am-i.ts';
import type { Outgoing } from '../outbox/outgoing.ts';
import { MessageView } from './message-view.tsx';

/** A message that is not in the timeline yet. */
export function OutgoingView({ item, onEdit }: { readonly item: Outgoing; readonly onEdit: () => void }): VNode {
  return (
    <div class="turn outgoing">
      <MessageView who={myName() || 'You'} mine={true} text={item.text}>
        {item.state === 'waiting' ? (
          <>
            <span class="tag warn">Not sent yet, trying again…</span>
            <button type="button" class="quiet" onClick={onEdit}>
              Edit
            </button>
          </>
        ) : (
          <span class="tag">Sending…</span>
        )}
      </MessageView>
    </div>
  );
}
