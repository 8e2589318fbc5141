import type { VNode } from 'preact';
import type { Question } from '../api/wire.ts';
import { missingWords } from '../request/answers.ts';
import { ChoiceList } from './choice-list.tsx';
import { VisibleText } from './visible-text.tsx';

interface Props {
  /** Of the whole page its own. */
  readonly name: string;
  readonly question: Question;
  /** `2 of 5`; absent where it is the only one. */
  readonly place?: string | undefined;
  readonly given: readonly string[];
  /** It was to be sent, and this one has no answer. */
  readonly isMissing: boolean;
  readonly onText: (text: string) => void;
  readonly onPick: (choice: string, picked: boolean) => void;
}

/** One question and the way to answer it. What is wrong with it stands below it and is read with it. */
export function QuestionField({ name, question, place, given, isMissing, onText, onPick }: Props): VNode {
  const { choices, multiple } = question;
  const isText = choices.length === 0;
  const error = isMissing ? `${name}-error` : undefined;
  return (
    <fieldset class={isMissing ? 'question missing' : 'question'} aria-describedby={isText ? undefined : error}>
      <legend id={`${name}-words`} dir="auto">
        {place !== undefined && <span class="place">{place}</span>}
        <VisibleText text={question.question} />
        {multiple && !isText && <span class="hint"> Choose any number</span>}
      </legend>
      {isText ? (
        <textarea
          rows={2}
          value={given[0] ?? ''}
          aria-labelledby={`${name}-words`}
          aria-required={true}
          aria-invalid={isMissing}
          aria-describedby={error}
          dir="auto"
          placeholder="Your answer"
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
      ) : (
        <ChoiceList name={name} question={question} given={given} onPick={onPick} />
      )}
      {error !== undefined && (
        <p class="field-error" id={error}>
          {missingWords(question)}
        </p>
      )}
    </fieldset>
  );
}
