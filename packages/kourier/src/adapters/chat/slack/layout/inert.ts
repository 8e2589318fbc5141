import { honestLinks, JOINER } from './honest-links.ts';

/** What is read as a call of everybody where an app asks for it. */
const EVERYBODY = /(?<![\p{L}\p{N}_])@(?=(?:here|channel|everyone|all)(?![\p{L}\p{N}_]))/giu;
const AUTOLINK = /<((?:https?:\/\/|mailto:)[^\s<>|]+)>/gi;
/** An address stays as it is: Slack decodes nothing in a link's target. */
const CONTROLS = /\bhttps?:\/\/[^\s<>"`]*|&(?=(?:amp|lt|gt);)|</gi;
const UNSEEN = /\r\n?|(?![\t\n])\p{Cc}/gu;

/**
 * What an agent, an alert or a tool wrote, as Markdown for a `markdown` block: it reads as it was written and calls
 * nobody (decision 17). Slack reads its own `<…>` in Markdown too, and shows `&lt;` as the character, which it does not
 * read again; so `<` is escaped, once, and what already looks like an entity (case C167).
 */
export function inertMarkdown(text: string): string {
  const honest = honestLinks(cleaned(text).replace(AUTOLINK, '$1'));
  const escaped = honest.replace(CONTROLS, (found) => (found === '<' ? '&lt;' : found === '&' ? '&amp;' : found));
  return silent(escaped);
}

/** For elements that read no markup; should one of them be read after all, it calls nobody either. */
export function inertPlain(text: string): string {
  return silent(cleaned(text)).replace(/<(?=[@#!a-z/])/gi, `<${JOINER}`);
}

/** Text for `mrkdwn` and for `text`: every control character escaped, once. */
export function escapedMrkdwn(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * How much of a text that is still growing can be shown now: up to something whose meaning the next piece decides, a
 * link, a call, an entity. What was shown of it stays as it is, so it can be streamed.
 */
export function settledEnd(text: string): number {
  const tail = Math.max(0, text.length - OPEN_CHARACTERS);
  let end = text.length;
  // What is cut off may have stood in something that is open then.
  for (let open = OPEN.exec(text.slice(tail)); open !== null; open = OPEN.exec(text.slice(tail, end))) {
    if (open.index === 0 && tail > 0) return text.length;
    end = tail + open.index;
  }
  return end;
}

const OPEN_CHARACTERS = 1_000;
const OPEN = /(?:!?\[[^\]\n]*(?:\](?:\([^)\n]*)?)?|<[^>\s]*|&[a-z]{0,4}|@\p{L}*|\bhttps?:\S*|\bht?t?p?s?:?\/?|!)$/iu;

const silent = (text: string): string => text.replace(EVERYBODY, `@${JOINER}`);

const cleaned = (text: string): string =>
  text.toWellFormed().replace(UNSEEN, (found) => (found.startsWith('\r') ? '\n' : ''));
