import type { KnownBlock } from '@slack/types';
import type { Question, RequestEntry } from '../../../../core/thread/entry.ts';
import { SLACK } from '../slack-limits.ts';
import { inertPlain } from './inert.ts';
import { bytesOf, shortened } from './measure.ts';
import { outcomeOf } from './outcome.ts';
import { promptButton } from './prompt-button.ts';
import type { BlocksBody } from './slack-body.ts';
import { plainContext, plainSections } from './text-blocks.ts';
import { decisionButtons, toolBlocks } from './tool-blocks.ts';

const TOO_BIG =
  'This request cannot be shown here: it is too long for one message. So it cannot be decided here either.';
const HOW_TO_WRITE = 'Mention me with your answer, or write it here:';

/**
 * A prompt. It is shown whole, or with nothing to decide with (rule Q7). What is settled keeps its words, loses its
 * buttons, and says what was decided and by whom.
 */
export function requestBody(request: RequestEntry): BlocksBody {
  const isOpen = request.state === 'open';
  const heading = inertPlain(request.heading).trim() || 'The agent asks.';
  const said = request.type === 'tool-approval' ? toolBlocks(request.tools) : questionBlocks(request);
  const end = isOpen ? controls(request) : [plainContext(outcomeOf(request))];
  const whole = [...plainSections(heading), ...said, ...end];
  const plain = [heading, isOpen ? TOO_BIG : outcomeOf(request)].join('\n');
  const fits = whole.length <= SLACK.messageBlocks && writtenBytes(whole) <= SLACK.messageBytes;
  const blocks = fits ? whole : [...plainSections(heading), ...(isOpen ? plainSections(TOO_BIG) : end)];
  return { kind: 'blocks', blocks, plain, weight: 'prompt' };
}

function questionBlocks({ questions }: RequestEntry): KnownBlock[] {
  return questions.flatMap((question, index) => {
    const number = questions.length > 1 ? `${index + 1}. ` : '';
    const written = plainSections(`${number}${inertPlain(question.question)}`);
    return areWritten(question, questions.length) ? [...written, ...plainSections(choiceLines(question))] : written;
  });
}

/** Choices stand in the text where a button does not show the whole of them. */
function areWritten(question: Question, questions: number): boolean {
  return question.choices.length > 0 && (questions > 1 || !hasButtons(question) || isNumbered(question));
}

function choiceLines({ choices }: Question): string {
  return choices.map((choice, place) => `${place + 1}. ${inertPlain(choice)}`).join('\n');
}

const hasButtons = ({ choices, multiple }: Question): boolean =>
  !multiple && choices.length > 0 && choices.length <= SLACK.choiceButtons;

/** A choice does not fit on a button. */
const isNumbered = ({ choices }: Question): boolean =>
  choices.some((choice) => choice.trim() === '' || inertPlain(choice).length > SLACK.buttonText);

function controls(request: RequestEntry): KnownBlock[] {
  const { id, type, questions } = request;
  if (type === 'tool-approval') return decisionButtons(request);
  const [question] = questions;
  if (questions.length !== 1 || question === undefined || !hasButtons(question)) {
    const hint = type === 'text' ? [plainContext(HOW_TO_WRITE)] : [];
    return [...hint, { type: 'actions', elements: [promptButton('Answer', { kind: 'answer' }, id, 'primary')] }];
  }
  const numbered = isNumbered(question);
  const elements = question.choices.map((choice, place) => {
    const label = numbered ? shortened(`${place + 1}. ${inertPlain(choice)}`, SLACK.buttonText) : inertPlain(choice);
    return promptButton(label, { kind: 'choose', choice: place }, id);
  });
  return [{ type: 'actions', elements }];
}

/** UTF-8 of what is read in blocks. */
function writtenBytes(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + writtenBytes(each), 0);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [name, each]) =>
      sum + (typeof each === 'string' ? (name === 'text' ? bytesOf(each) : 0) : writtenBytes(each)),
    0,
  );
}
