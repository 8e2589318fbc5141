import { type Json, listIn, textIn } from '../json.ts';

const NAMED = 10;
const NAME_CHARACTERS = 100;

/**
 * A line about what came with a message: the agent gets text alone (rule S1), and who wrote must not believe that it got
 * more (slack.md 5.23). Empty where nothing did.
 */
export function attachedLine(message: Json): string {
  const files = listIn(message, 'files');
  const names = files.slice(0, NAMED).map((file) => named(textIn(file, 'name') ?? textIn(file, 'title')));
  const more = files.length > names.length ? [`and ${files.length - names.length} more`] : [];
  const shared = listIn(message, 'attachments').filter((each) => each['is_share'] === true).length;
  return [
    ...(files.length === 0 ? [] : [`[Attached, but not forwarded to you: ${[...names, ...more].join(', ')}]`]),
    ...(shared === 0 ? [] : [`[Shared with it, but not forwarded to you: ${shared === 1 ? 'a message' : 'messages'}]`]),
  ].join('\n');
}

function named(name: string | undefined): string {
  const clean = (name ?? '').replace(/[\p{C}\p{Z}[\]]+/gu, ' ').trim();
  if (clean === '') return 'a file';
  return clean.length > NAME_CHARACTERS ? `${[...clean].slice(0, NAME_CHARACTERS).join('')}…` : clean;
}
