import { LIMITS } from '../../core/limits.ts';
import type { Opening } from '../courier-door.ts';
import type { HookEvent } from '../schemas/requests.ts';
import { digest } from './digest.ts';
import { shortLine } from './short-line.ts';

/** The message that an event becomes. The same `id`, or the same body where it has none, is the same message. */
export function hookOpening(binding: string, event: HookEvent, body: Uint8Array): Opening {
  const { title, thread, id } = event;
  const untrusted = untrustedLines(event);
  return {
    binding,
    text: shortLine(title, LIMITS.hookTitleCharacters) || 'unnamed',
    ...(untrusted === '' ? {} : { untrusted }),
    // Under a name of ours: an event gets into no thread but of events.
    ...(thread === undefined ? {} : { place: `generic/${digest(thread)}` }),
    key: id === undefined ? `generic/body/${digest(body)}` : `generic/id/${digest(id)}`,
  };
}

/** The text as it is, then one JSON object a line for each field while there is room, then what was left out. */
function untrustedLines({ text, fields = {} }: HookEvent): string {
  const lines = text === undefined ? [] : [text];
  let room = LIMITS.alertCharacters - (text?.length ?? 0);
  const all = Object.entries(fields);
  let kept = 0;
  for (const [name, value] of all) {
    const line = JSON.stringify({ [name]: value });
    room -= line.length + 1;
    if (room < 0) break;
    lines.push(line);
    kept += 1;
  }
  if (kept < all.length) lines.push(JSON.stringify({ fieldsLeftOut: all.length - kept }));
  return lines.join('\n');
}
