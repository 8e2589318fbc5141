import type { VNode } from 'preact';
import { useId, useRef } from 'preact/hooks';
import type { RequestEntry } from '../api/wire.ts';
import { whoAmI } from '../browser/who-am-i.ts';
import { isSame } from '../request/decision-words.ts';
import { visibleLine } from '../text/visible.ts';
import { ApprovalForm } from './approval-form.tsx';
import { Icon } from './icon.tsx';
import { QuestionForm } from './question-form.tsx';
import { RequestDecision } from './request-decision.tsx';
import { TimeLeft } from './time-left.tsx';
import { ToolView } from './tool-view.tsx';
import { useAnswer } from './use-answer.ts';
import { useRequestDraft } from './use-request-draft.ts';
import { useRequestFocus } from './use-request-focus.ts';

interface Props {
  readonly request: RequestEntry;
  /** When it was decided; absent where that is not known. */
  readonly decidedAt?: string | undefined;
}

/** A question or an approval: to be decided while it is open, and then what was decided. */
export function RequestView({ request, decidedAt }: Props): VNode {
  const card = useRef<HTMLElement>(null);
  const id = useId();
  const isOpen = request.state === 'open';
  const isApproval = request.type === 'tool-approval';
  const [draft, setDraft] = useRequestDraft(request);
  const answer = useAnswer(request);
  // A text question is answered in the box that has the focus already.
  useRequestFocus(card, isOpen, request.type !== 'text');
  const mayDecide = request.approvers?.includes(whoAmI().id) ?? true;
  const { sending } = answer;
  return (
    <section
      ref={card}
      class={`request ${isOpen ? 'open' : 'settled'}`}
      data-state={request.state}
      tabIndex={-1}
      aria-labelledby={`${id}-heading`}
    >
      <header>
        <Icon name={isApproval ? 'approval' : 'request'} />
        <h3 id={`${id}-heading`}>{visibleLine(request.heading, 1_000)}</h3>
        {isOpen && <TimeLeft until={request.until} />}
      </header>
      {!isOpen && <RequestDecision request={request} at={decidedAt} />}
      {!isOpen && sending.kind === 'late' && !isSame(sending.given, request) && (
        <p class="decision-more">What you sent came after that, so it did not count.</p>
      )}
      {isOpen && !mayDecide && <OnlyApprovers request={request} />}
      {isOpen && mayDecide && isApproval && (
        <ApprovalForm request={request} draft={draft} onDraft={setDraft} answer={answer} />
      )}
      {isOpen && mayDecide && !isApproval && (
        <QuestionForm request={request} draft={draft} onDraft={setDraft} answer={answer} />
      )}
    </section>
  );
}

/** Of a long list of approvers. */
const NAMED = 10;

/** What is asked, to somebody who may not decide it; whom to ask, and as whom this page counts. */
function OnlyApprovers({ request: { tools, approvers = [] } }: { readonly request: RequestEntry }): VNode {
  const more = approvers.length - NAMED;
  return (
    <>
      {tools.map((tool, at) => (
        <ToolView key={at} tool={tool} />
      ))}
      <p class="only-approvers">
        You cannot decide this: it takes one of its approvers,{' '}
        {approvers.slice(0, NAMED).map((approver, at) => (
          <>
            {at > 0 && ', '}
            <code>{visibleLine(approver, 60)}</code>
          </>
        ))}
        {more > 0 && ` and ${more} more`}. You are <code>{whoAmI().id}</code> here.
      </p>
    </>
  );
}
