import type { TargetedKeyboardEvent, TargetedSubmitEvent, VNode } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Answers, RequestEntry } from '../api/wire.ts';
import { answerWords, fittingAnswers, unanswered, withChoice, withText } from '../request/answers.ts';
import { AnswerFoot } from './answer-foot.tsx';
import { QuestionField } from './question-field.tsx';
import type { AnswerInHand } from './use-answer.ts';

interface Props {
  readonly request: RequestEntry;
  readonly draft: unknown;
  readonly onDraft: (answers: Answers) => void;
  readonly answer: AnswerInHand;
}

/** The questions of a request as one form. Its button always works: while something is missing, it leads there. */
export function QuestionForm({ request: { questions }, draft, onDraft, answer }: Props): VNode {
  const id = useId();
  const [tried, setTried] = useState(false);
  const answers = fittingAnswers(questions, draft);
  const missing = unanswered(answers);
  const submit = (form: HTMLFormElement): void => {
    const [first] = missing;
    setTried(first !== undefined);
    if (first !== undefined) {
      form.querySelectorAll('.question').item(first).querySelector<HTMLElement>('textarea, input')?.focus();
      return;
    }
    form.querySelector<HTMLElement>('button[type=submit]')?.focus();
    answer.send({ answers });
  };
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    submit(event.currentTarget);
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLFormElement>): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    submit(event.currentTarget);
  };
  return (
    <form noValidate onSubmit={onSubmit} onKeyDown={onKeyDown} aria-busy={answer.busy}>
      <div class="questions" inert={answer.busy}>
        {questions.map((question, at) => (
          <QuestionField
            key={at}
            name={`${id}-${at}`}
            question={question}
            place={questions.length === 1 ? undefined : `${at + 1} of ${questions.length}`}
            given={answers[at] ?? []}
            isMissing={tried && missing.includes(at)}
            onText={(text) => onDraft(withText(answers, at, text))}
            onPick={(choice, picked) => onDraft(withChoice(answers, at, question, choice, picked))}
          />
        ))}
      </div>
      <AnswerFoot sending={answer.sending} onWithdraw={answer.withdraw}>
        <button type="submit" class={missing.length === 0 ? 'primary' : ''} aria-disabled={answer.busy}>
          {answerWords(questions, missing)}
        </button>
      </AnswerFoot>
    </form>
  );
}
