import type { TargetedSubmitEvent, VNode } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { RequestEntry } from '../api/wire.ts';
import {
  approvalsOf,
  fittingVerdicts,
  undecided,
  type Verdict,
  type Verdicts,
  verdictWords,
} from '../request/verdicts.ts';
import { AnswerFoot } from './answer-foot.tsx';
import { ToolField } from './tool-field.tsx';
import { ToolView } from './tool-view.tsx';
import type { AnswerInHand } from './use-answer.ts';

interface Props {
  readonly request: RequestEntry;
  readonly draft: unknown;
  readonly onDraft: (verdicts: Verdicts) => void;
  readonly answer: AnswerInHand;
}

/** Tools that wait for a decision. One is decided with one click; of several each has its own, and nothing is preset. */
export function ApprovalForm(props: Props): VNode {
  const [only, ...others] = props.request.tools;
  if (only === undefined || others.length > 0) return <SeveralTools {...props} />;
  const { answer } = props;
  const decide = (verdict: Verdict): void => answer.send({ approvals: approvalsOf([only], [verdict]) });
  return (
    <div aria-busy={answer.busy}>
      <ToolView tool={only} />
      <AnswerFoot sending={answer.sending} onWithdraw={answer.withdraw}>
        <button type="button" class="deny" aria-disabled={answer.busy} onClick={() => decide('deny')}>
          Deny
        </button>
        <button type="button" class="primary" aria-disabled={answer.busy} onClick={() => decide('approve')}>
          Approve
        </button>
      </AnswerFoot>
    </div>
  );
}

function SeveralTools({ request: { tools }, draft, onDraft, answer }: Props): VNode {
  const id = useId();
  const [tried, setTried] = useState(false);
  const verdicts = fittingVerdicts(tools, draft);
  const missing = undecided(verdicts);
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const [first] = missing;
    setTried(first !== undefined);
    if (first === undefined) answer.send({ approvals: approvalsOf(tools, verdicts) });
    else event.currentTarget.querySelectorAll('.tool').item(first).querySelector<HTMLElement>('input')?.focus();
  };
  const setAll = (verdict: Verdict): void => onDraft(tools.map(() => verdict));
  return (
    <form noValidate onSubmit={onSubmit} aria-busy={answer.busy}>
      <div class="tools" inert={answer.busy}>
        {tools.map((tool, at) => (
          <ToolField
            key={at}
            name={`${id}-${at}`}
            tool={tool}
            verdict={verdicts[at] ?? 'none'}
            isMissing={tried && missing.includes(at)}
            onVerdict={(verdict) => onDraft(verdicts.with(at, verdict))}
          />
        ))}
      </div>
      <AnswerFoot sending={answer.sending} onWithdraw={answer.withdraw}>
        <span class="all" inert={answer.busy}>
          <button type="button" class="quiet" onClick={() => setAll('approve')}>
            Approve all
          </button>
          <button type="button" class="quiet" onClick={() => setAll('deny')}>
            Deny all
          </button>
        </span>
        <button type="submit" class={missing.length === 0 ? 'primary' : ''} aria-disabled={answer.busy}>
          {verdictWords(verdicts)}
        </button>
      </AnswerFoot>
    </form>
  );
}
