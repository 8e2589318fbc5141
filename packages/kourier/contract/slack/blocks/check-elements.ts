import { isShape, type Shape, shapeIn, shapesIn, textIn } from '../shape.ts';
import { invalid, type SlackError } from '../slack-error.ts';
import { LIMITS } from './limits.ts';

export function wrong(why: string): SlackError {
  return invalid('invalid_blocks', why);
}

/** A text object of at least one character. */
export function checkText(value: unknown, max: number, what: string, kinds = ['plain_text', 'mrkdwn']): void {
  if (!isShape(value)) throw wrong(`missing required field: ${what}`);
  if (!kinds.includes(textIn(value, 'type') ?? '')) throw wrong(`${what}: must be ${kinds.join(' or ')}`);
  const text = textIn(value, 'text') ?? '';
  if (text.length < 1) throw wrong(`${what}: must be more than 0 characters`);
  if (text.length > max) throw wrong(`${what}: must be less than ${max + 1} characters`);
}

export function checkLength(value: unknown, max: number, what: string): void {
  if (value === undefined) return;
  if (typeof value !== 'string' || value.length > max) throw wrong(`${what}: must be less than ${max + 1} characters`);
}

const SELECTS = ['static_select', 'multi_static_select'];
const LISTS = ['radio_buttons', 'checkboxes', 'overflow'];
const PEOPLE = ['users_select', 'conversations_select', 'channels_select', 'multi_users_select'];
const PLAIN = ['datepicker', 'timepicker', 'datetimepicker', 'number_input', 'email_text_input', 'url_text_input'];

/** An element that a person can act on. */
export function checkElement(element: Shape, seenIds: Set<string>): void {
  const type = textIn(element, 'type') ?? '';
  const actionId = textIn(element, 'action_id');
  checkLength(actionId, LIMITS.id, 'action_id');
  if (actionId !== undefined && seenIds.has(actionId)) throw wrong(`\`action_id\` "${actionId}" already exists`);
  if (actionId !== undefined) seenIds.add(actionId);
  if (type === 'button') checkButton(element);
  else if (SELECTS.includes(type)) checkSelect(element);
  else if (LISTS.includes(type)) {
    const max = type === 'overflow' ? LIMITS.overflowOptions : LIMITS.radioOptions;
    checkOptions(shapesIn(element, 'options'), max, type === 'overflow' ? ['plain_text'] : undefined);
  } else if (type === 'plain_text_input') {
    const max = element['max_length'];
    if (typeof max === 'number' && max > LIMITS.inputText) throw wrong('max_length: must be at most 3000');
  } else if (![...PEOPLE, ...PLAIN, 'image', 'rich_text_input', 'feedback_buttons', 'icon_button'].includes(type)) {
    throw wrong(`unsupported type: ${type}`);
  }
  if (element['placeholder'] !== undefined) {
    checkText(element['placeholder'], LIMITS.placeholder, 'placeholder', ['plain_text']);
  }
  checkConfirm(shapeIn(element, 'confirm'));
}

function checkButton(button: Shape): void {
  checkText(button['text'], LIMITS.buttonText, 'button text', ['plain_text']);
  checkLength(button['value'], LIMITS.buttonValue, 'button value');
  checkLength(button['url'], LIMITS.buttonUrl, 'button url');
  const style = button['style'];
  if (style !== undefined && style !== 'primary' && style !== 'danger') throw wrong('button style: invalid value');
}

function checkSelect(select: Shape): void {
  const groups = shapesIn(select, 'option_groups');
  if (groups.length > LIMITS.selectOptions) throw wrong('option_groups: no more than 100 items allowed');
  for (const group of groups) {
    checkText(group['label'], LIMITS.optionText, 'option group label', ['plain_text']);
    checkOptions(shapesIn(group, 'options'), LIMITS.selectOptions, ['plain_text']);
  }
  if (groups.length === 0) checkOptions(shapesIn(select, 'options'), LIMITS.selectOptions, ['plain_text']);
}

function checkOptions(options: readonly Shape[], max: number, kinds?: string[]): void {
  if (options.length < 1) throw wrong('options: no less than 1 items allowed');
  if (options.length > max) throw wrong(`options: no more than ${max} items allowed`);
  const values = new Set<unknown>();
  for (const option of options) {
    checkText(option['text'], LIMITS.optionText, 'option text', kinds);
    checkLength(option['value'] ?? null, LIMITS.optionValue, 'option value');
    if (option['description'] !== undefined) checkText(option['description'], LIMITS.optionText, 'option description');
    if (values.has(option['value'])) throw wrong('options: values must be unique');
    values.add(option['value']);
  }
}

function checkConfirm(confirm: Shape | undefined): void {
  if (confirm === undefined) return;
  checkText(confirm['title'], LIMITS.confirmTitle, 'confirm title', ['plain_text']);
  checkText(confirm['text'], LIMITS.confirmText, 'confirm text');
  for (const name of ['confirm', 'deny']) {
    if (confirm[name] !== undefined) checkText(confirm[name], LIMITS.confirmButton, `confirm ${name}`, ['plain_text']);
  }
}
