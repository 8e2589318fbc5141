import { type Shape, shapesIn, textIn } from '../shape.ts';
import { invalid, SlackError } from '../slack-error.ts';
import { checkBlocks } from './check-blocks.ts';
import { checkText } from './check-elements.ts';
import { LIMITS } from './limits.ts';

/** Throws what Slack answers to a modal that it does not take. */
export function checkView(view: Shape): void {
  if (view['type'] !== 'modal') throw invalid('invalid_arguments', 'type: must be modal');
  if (Buffer.byteLength(JSON.stringify(view)) > 250_000) throw new SlackError('view_too_large');
  const blocks = shapesIn(view, 'blocks');
  try {
    checkText(view['title'], LIMITS.viewTitle, 'title', ['plain_text']);
    for (const name of ['submit', 'close']) {
      if (view[name] !== undefined) checkText(view[name], LIMITS.viewButton, name, ['plain_text']);
    }
    if (blocks.some(({ type }) => type === 'input') && view['submit'] === undefined) {
      throw invalid('invalid_arguments', 'missing required field: submit');
    }
    if ((textIn(view, 'private_metadata')?.length ?? 0) > LIMITS.viewMetadata) {
      throw invalid('invalid_arguments', 'private_metadata: must be less than 3001 characters');
    }
    if ((textIn(view, 'callback_id')?.length ?? 0) > LIMITS.id) {
      throw invalid('invalid_arguments', 'callback_id: must be less than 256 characters');
    }
    checkBlocks(blocks, LIMITS.blocksInView);
  } catch (error) {
    // What a message calls invalid blocks, a view calls invalid arguments.
    throw error instanceof SlackError ? new SlackError('invalid_arguments', error.more) : error;
  }
}
