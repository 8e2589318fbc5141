import { type Shape, shapeIn, shapesIn, textIn } from '../shape.ts';
import { SlackError } from '../slack-error.ts';

/** What a person put into a field: written text, or the value or label of each option that is chosen. */
export type Input = string | readonly string[];

/** A field's state as Slack sends it; throws where a person could not do that. */
export function filled(element: Shape, input: Input | undefined): Shape {
  const type = textIn(element, 'type') ?? '';
  switch (type) {
    case 'static_select':
    case 'radio_buttons':
      return { type, selected_option: input === undefined ? null : optionOf(element, String(input)) };
    case 'multi_static_select':
    case 'checkboxes': {
      const chosen = (input === undefined ? [] : [input].flat()).map((each) => optionOf(element, each));
      const max = element['max_selected_items'];
      if (typeof max === 'number' && chosen.length > max) throw new SlackError('too_many_selected');
      return { type, selected_options: chosen };
    }
    case 'users_select':
      return { type, selected_user: input ?? null };
    case 'plain_text_input':
    case 'number_input':
    case 'email_text_input':
    case 'url_text_input':
      return { type, value: input === undefined || input === '' ? null : written(element, String(input)) };
    default:
      throw new SlackError(`cannot_fill_${type}`);
  }
}

function written(element: Shape, text: string): string {
  const { max_length: max = 3_000, min_length: min = 0 } = element as { max_length?: number; min_length?: number };
  if (text.length > max || text.length < min) throw new SlackError('input_length');
  return text;
}

/** What a field holds before anybody touched it. */
export function initial(element: Shape): Input | undefined {
  const one = shapeIn(element, 'initial_option');
  if (one !== undefined) return textIn(one, 'value');
  const many = shapesIn(element, 'initial_options');
  if (many.length > 0) return many.map((option) => textIn(option, 'value') ?? '');
  return textIn(element, 'initial_value') ?? textIn(element, 'initial_user');
}

export function optionsOf(element: Shape): readonly Shape[] {
  const grouped = shapesIn(element, 'option_groups').flatMap((group) => shapesIn(group, 'options'));
  return [...shapesIn(element, 'options'), ...grouped];
}

function optionOf(element: Shape, wanted: string): Shape {
  const options = optionsOf(element);
  const found =
    options.find(({ value }) => value === wanted) ??
    options.find((option) => textIn(shapeIn(option, 'text') ?? {}, 'text') === wanted);
  if (found === undefined) throw new SlackError('no_such_option', { wanted });
  return found;
}
