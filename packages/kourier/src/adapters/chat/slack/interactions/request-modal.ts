import type { KnownBlock, ModalView, PlainTextElement, PlainTextOption } from '@slack/types';
import type { Question, RequestEntry } from '../../../../core/thread/entry.ts';
import { inertPlain } from '../layout/inert.ts';
import { shortened } from '../layout/measure.ts';
import { plainSections } from '../layout/text-blocks.ts';
import { MODAL_ID } from './prompt-controls.ts';

/** What Slack takes of a modal (slack.md 1.7), in characters and pieces. */
const MODAL = {
  blocks: 100,
  title: 24,
  label: 2_000,
  option: 75,
  /** Options of radio buttons and check boxes; a menu takes as many as a question may have. */
  listOptions: 10,
  input: 3_000,
} as const;

/** `block_id` of what is decided or answered, by its place in the request, and `action_id` of the one field in it. */
export const fieldOf = (place: number): string => `field.${place}`;
/** Values of the two options of a tool. */
export const APPROVE = 'approve';
export const DENY = 'deny';

/**
 * A request with a field for each tool or question, all sent together (rules Q9, Q11). `undefined`: it does not fit in a
 * modal, so it cannot be decided here.
 */
export function requestModal(request: RequestEntry): ModalView | undefined {
  const { id, type } = request;
  const fields = type === 'tool-approval' ? toolFields(request) : request.questions.flatMap(questionField);
  const blocks = [...plainSections(inertPlain(request.heading) || 'The agent asks.'), ...fields];
  if (blocks.length > MODAL.blocks) return undefined;
  return {
    type: 'modal',
    callback_id: MODAL_ID,
    private_metadata: id,
    title: plain(type === 'tool-approval' ? 'Decide each' : 'Answer'),
    submit: plain('Send'),
    close: plain('Not now'),
    blocks,
  };
}

/** The modal once it has nothing to decide any more. */
export function closedModal(text: string): ModalView {
  return { type: 'modal', title: plain('Agent Kourier'), close: plain('Close'), blocks: plainSections(text) };
}

/** The arguments stand in the message, whole: here are the names, in the same order and with the same numbers. */
function toolFields({ tools }: RequestEntry): KnownBlock[] {
  return tools.map(({ name }, place) => ({
    type: 'input',
    block_id: fieldOf(place),
    label: plain(`${place + 1}. ${inertPlain(name)}`, MODAL.label),
    element: {
      type: 'radio_buttons',
      action_id: fieldOf(place),
      options: [
        { text: plain('Approve'), value: APPROVE },
        { text: plain('Deny'), value: DENY },
      ],
    },
  }));
}

function questionField(question: Question, place: number): KnownBlock[] {
  const said = inertPlain(question.question);
  const isLong = said.length > MODAL.label;
  const label = plain(isLong ? `Question ${place + 1}` : said, MODAL.label);
  const written = isLong ? plainSections(said) : [];
  const numbered = question.choices.some((choice) => inertPlain(choice).length > MODAL.option);
  const lines = numbered
    ? plainSections(question.choices.map((choice, at) => `${at + 1}. ${inertPlain(choice)}`).join('\n'))
    : [];
  const element = question.choices.length === 0 ? freeText(place) : choiceField(question, place, numbered);
  return [...written, ...lines, { type: 'input', block_id: fieldOf(place), label, element }];
}

function freeText(place: number) {
  return { type: 'plain_text_input', action_id: fieldOf(place), multiline: true, max_length: MODAL.input } as const;
}

/** The value of an option is its place: the words may be longer than Slack takes. */
function choiceField({ choices, multiple }: Question, place: number, numbered: boolean) {
  const options = choices.map((choice, at): PlainTextOption => {
    const said = inertPlain(choice);
    return { text: plain(numbered ? `${at + 1}. ${said}` : said, MODAL.option), value: String(at) };
  });
  const few = choices.length <= MODAL.listOptions;
  const field = { action_id: fieldOf(place), options };
  if (multiple)
    return few ? ({ type: 'checkboxes', ...field } as const) : ({ type: 'multi_static_select', ...field } as const);
  return few ? ({ type: 'radio_buttons', ...field } as const) : ({ type: 'static_select', ...field } as const);
}

function plain(text: string, most: number = MODAL.title): PlainTextElement {
  return { type: 'plain_text', text: shortened(text, most), emoji: false };
}
