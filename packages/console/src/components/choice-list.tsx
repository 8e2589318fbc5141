import type { TargetedKeyboardEvent, VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Question } from '../api/wire.ts';
import { matchingChoices } from '../request/answers.ts';
import { VisibleText } from './visible-text.tsx';

/** From here on a list is searched, not read. */
const MANY = 12;

interface Props {
  readonly name: string;
  readonly question: Question;
  readonly given: readonly string[];
  readonly onPick: (choice: string, picked: boolean) => void;
}

/** The choices of a question: all of them as cards, or many in a box that scrolls and can be searched. */
export function ChoiceList({ name, question, given, onPick }: Props): VNode {
  const { choices, multiple } = question;
  const [filter, setFilter] = useState('');
  const shown = matchingChoices(choices, filter);
  const isLong = choices.length > MANY;
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Escape') setFilter('');
    if (event.key !== 'Enter' || event.isComposing) return;
    // Not the form's: it would send what is not chosen yet.
    event.preventDefault();
    const [only] = shown;
    if (shown.length === 1 && only !== undefined) onPick(only, true);
  };
  return (
    <>
      {isLong && (
        <div class="choice-filter">
          <input
            type="search"
            value={filter}
            placeholder={`Filter ${choices.length} choices`}
            aria-label={`Filter ${choices.length} choices`}
            autoComplete="off"
            onInput={({ currentTarget }) => setFilter(currentTarget.value)}
            onKeyDown={onKeyDown}
          />
          <span class="hint" role="status">
            {filter !== '' && `${shown.length} of ${choices.length}`}
          </span>
        </div>
      )}
      <div class={isLong ? 'choices many' : 'choices'}>
        {shown.map((choice) => (
          <label key={choice} class="choice">
            <input
              type={multiple ? 'checkbox' : 'radio'}
              name={name}
              checked={given.includes(choice)}
              onChange={({ currentTarget }) => onPick(choice, currentTarget.checked)}
            />
            <span class="choice-words" dir="auto">
              <VisibleText text={choice} />
            </span>
          </label>
        ))}
        {shown.length === 0 && <p class="none">No choice has these words.</p>}
      </div>
      {isLong && given.length > 0 && (
        <p class="chosen">
          <span class="label">{multiple ? `${given.length} chosen` : 'Chosen'}</span> {given.join(', ')}
        </p>
      )}
    </>
  );
}
