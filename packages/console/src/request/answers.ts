import type { Answers, Question } from '../api/wire.ts';

/**
 * What has been filled in so far: for each question, in their order, the choices or one text as it was typed. Anything
 * that does not fit the questions, such as a draft of another time, counts as not given.
 */
export function fittingAnswers(questions: readonly Question[], draft: unknown): Answers {
  const lists: readonly unknown[] = Array.isArray(draft) ? draft : [];
  return questions.map(({ choices, multiple }, at) => {
    const list = lists[at];
    if (!Array.isArray(list)) return [];
    const given = list.filter((item): item is string => typeof item === 'string');
    if (choices.length === 0) return given.slice(0, 1);
    const known = choices.filter((choice) => given.includes(choice));
    return multiple ? known : known.slice(0, 1);
  });
}

export function withText(answers: Answers, at: number, text: string): Answers {
  return answers.with(at, text === '' ? [] : [text]);
}

/** Several stand in the order of the choices, in whatever order they were picked. */
export function withChoice(
  answers: Answers,
  at: number,
  { choices, multiple }: Question,
  choice: string,
  picked: boolean,
): Answers {
  if (!multiple) return answers.with(at, picked ? [choice] : []);
  const now = new Set(answers[at]);
  if (picked) now.add(choice);
  else now.delete(choice);
  return answers.with(
    at,
    choices.filter((one) => now.has(one)),
  );
}

/** The places of the questions that have no answer yet. Blank text is none (rule Q11). */
export function unanswered(answers: Answers): readonly number[] {
  return answers.flatMap((given, at) => (given.some((text) => text.trim() !== '') ? [] : [at]));
}

/** What a question without an answer asks of a person. */
export function missingWords({ choices, multiple }: Question): string {
  if (choices.length === 0) return 'Write an answer.';
  return multiple ? 'Choose at least one.' : 'Choose one.';
}

/** Places that are named one by one; of more only the number is told. */
const NAMED = 3;

/** The words on the button: what it does, or what it still needs. */
export function answerWords(questions: readonly Question[], missing: readonly number[]): string {
  const [only] = questions;
  if (missing.length === 0) return questions.length === 1 ? 'Send answer' : `Send ${questions.length} answers`;
  if (questions.length === 1 && only !== undefined) {
    if (only.choices.length === 0) return 'Write an answer to send';
    return only.multiple ? 'Choose at least one to send' : 'Choose one to send';
  }
  if (missing.length === questions.length) return `Answer ${questions.length} questions to send`;
  if (missing.length > NAMED) return `${missing.length} questions left to answer`;
  const places = missing.map((at) => at + 1);
  const last = places.pop();
  return places.length === 0
    ? `Answer question ${last} to send`
    : `Answer questions ${places.join(', ')} and ${last} to send`;
}

/** The choices that hold every word of `filter`, in any order and case. */
export function matchingChoices(choices: readonly string[], filter: string): readonly string[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return choices;
  return choices.filter((choice) => {
    const text = choice.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
