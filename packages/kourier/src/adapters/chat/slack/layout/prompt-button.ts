import type { Button } from '@slack/types';
import { actionIdOf, type PromptControl } from '../interactions/prompt-controls.ts';
import { SLACK } from '../slack-limits.ts';
import { shortened } from './measure.ts';

/** Only the request's id rides in a button: what is decided is read from the request itself, and who may, at the click. */
export function promptButton(
  label: string,
  control: PromptControl,
  request: string,
  style?: 'primary' | 'danger',
): Button {
  return {
    type: 'button',
    text: { type: 'plain_text', text: shortened(label, SLACK.buttonText), emoji: false },
    action_id: actionIdOf(control),
    value: request,
    ...(style && { style }),
  };
}
