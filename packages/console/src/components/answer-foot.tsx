import type { ComponentChildren, VNode } from 'preact';
import type { Sending } from '../request/answer-sender.ts';

interface Props {
  readonly sending: Sending;
  readonly onWithdraw: () => void;
  /** The buttons. */
  readonly children: ComponentChildren;
}

/** Where an answer stands and what came of it, beside its buttons. */
export function AnswerFoot({ sending, onWithdraw, children }: Props): VNode {
  return (
    <div class="answer-foot">
      {(sending.kind === 'refused' || sending.kind === 'late') && (
        <p class="problem" role="alert">
          {sending.why}
        </p>
      )}
      <div class="buttons">
        <span class="sending" role="status">
          {(sending.kind === 'sending' || sending.kind === 'taken') && 'Sending…'}
          {sending.kind === 'retrying' && 'Not sent yet, trying again…'}
        </span>
        {sending.kind === 'retrying' && (
          <button type="button" class="quiet" onClick={onWithdraw}>
            Change
          </button>
        )}
        {children}
      </div>
    </div>
  );
}
