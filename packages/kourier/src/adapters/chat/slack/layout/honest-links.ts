/** Keeps two characters apart and shows as nothing. */
export const JOINER = '\u2060';

/** Looks like an address, a person or a channel. */
const ADDRESS = /:\/\/|(?:^|[^\p{L}\p{N}])[@#]\p{L}|[\p{L}\p{N}-]\.\p{L}{2,}/u;
/** What is longer is no link. */
const LABEL_CHARACTERS = 2_000;
const TARGET_CHARACTERS = 4_000;
const SHOWN_SCHEMES = /^(?:https?:\/\/|mailto:)/i;
const DEFINITION = /^([ \t>]*)\[([^\]\n]*)\]:(?=[ \t]*<?(?:[a-z][a-z0-9+.-]*:|\/|www\.))/gim;

/**
 * No link says that it leads where it does not (decision 17): one whose label looks like an address of another place
 * becomes label and target, both as text. Links by reference are written out as they are. Linear in the text.
 */
export function honestLinks(text: string): string {
  return inlineLinks(text).replace(DEFINITION, '$1[$2]');
}

function inlineLinks(text: string): string {
  const opened: number[] = [];
  let out = '';
  let from = 0;
  let lastTick = -1;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === '`') lastTick = at;
    else if (character === '[') opened.push(at);
    else if (character === ']') {
      const outer = opened[0];
      const start = opened.pop();
      if (text[at + 1] !== '(') continue;
      const target = targetAt(text, at + 2);
      // What binds closer than a bracket could move where the label begins: then all that may be label counts.
      const suspect = outer !== undefined && lastTick > outer ? outer : start;
      const isLong = suspect === undefined || at - suspect > LABEL_CHARACTERS;
      const label = isLong ? undefined : text.slice(suspect + 1, at);
      if (target !== undefined && label !== undefined && isHonest(label, target.url)) continue;
      if (target === undefined || label === undefined || start === undefined || start < from) {
        out += `${text.slice(from, at + 1)}${JOINER}`;
        from = at + 1;
        continue;
      }
      const before = text[start - 1] === '!' && start > from ? start - 1 : start;
      out += `${text.slice(from, before)}${text.slice(start + 1, at)} (${target.url})`;
      from = target.end;
      at = target.end - 1;
    } else if (character === '\n' && text[at + 1] === '\n') opened.length = 0;
  }
  return out + text.slice(from);
}

/** The URL between parentheses, and where they end. Absent where it is no link target. */
function targetAt(text: string, start: number): { readonly url: string; readonly end: number } | undefined {
  let depth = 0;
  let end = start;
  for (; end < text.length && end - start < TARGET_CHARACTERS; end++) {
    if (text[end] === '(') depth++;
    else if (text[end] === ')' && depth-- === 0) break;
    else if (text[end] === '\n' && text[end + 1] === '\n') return undefined;
    else if (text[end] === ']' && text[end + 1] === '(') return undefined;
  }
  if (text[end] !== ')') return undefined;
  const url = /^\s*<?([^\s<>]*)/.exec(text.slice(start, end))?.[1] ?? '';
  return { url, end: end + 1 };
}

function isHonest(label: string, url: string): boolean {
  if (url !== '' && !SHOWN_SCHEMES.test(url)) return false;
  const said = label.normalize('NFKC').replace(/[\p{Cf}\\*_`~]/gu, '');
  if (!ADDRESS.test(said)) return true;
  const words = said.trim().replace(SHOWN_SCHEMES, '').replace(/\/$/, '').toLowerCase();
  return url.replace(SHOWN_SCHEMES, '').replace(/\/$/, '').toLowerCase() === words;
}
