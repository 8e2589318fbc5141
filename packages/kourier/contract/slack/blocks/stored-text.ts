const ENTITY = /&(?!(?:amp|lt|gt);)/g;
/** What Slack reads between angle brackets: a person, a channel, a command, a link. */
const CONTROL = /<(?:[@#!][^<>]+|(?:https?|mailto|tel|slack):[^<>]+)>/g;
const BARE_LINK = /\bhttps?:\/\/[^\s<>|]+[^\s<>|.,;:!?)'"\]]/g;

/** `text` as Slack keeps what an app sent: references and entities stay, other `& < >` are escaped, links are marked. */
export function storedFromApp(text: string): string {
  return outsideControls(text, (plain) =>
    plain.replace(ENTITY, '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replace(BARE_LINK, '<$&>'),
  );
}

/** `text` as Slack keeps what a person typed: every `& < >` is escaped, but for the references that the composer made. */
export function storedFromPerson(text: string): string {
  return outsideControls(text, (plain) =>
    plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replace(BARE_LINK, '<$&>'),
  );
}

export function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** Slack's markup as a person reads it: names, labels, and the characters that were escaped. */
export function readText(text: string, nameOf: (user: string) => string): string {
  return outsideControls(
    text,
    (plain) => unescaped(plain),
    (control) => {
      const [target = '', label] = control.slice(1, -1).split('|');
      if (target.startsWith('@')) return `@${label ?? nameOf(target.slice(1))}`;
      if (target.startsWith('!')) return `@${unescaped(label ?? target.slice(1))}`;
      return unescaped(label ?? target);
    },
  );
}

/** Who is called by a text: people's ids, and `channel`, `here`, `everyone`, `subteam^ID`. */
export function calledBy(text: string): readonly string[] {
  return [...text.matchAll(/<(?:@([A-Z0-9]+)|!(channel|here|everyone|subteam\^[A-Z0-9]+))(?:\|[^<>]*)?>/g)].map(
    ([, user, group]) => user ?? group ?? '',
  );
}

function outsideControls(
  text: string,
  plain: (text: string) => string,
  control: (text: string) => string = (found) => found,
): string {
  let out = '';
  let from = 0;
  for (const match of text.matchAll(CONTROL)) {
    out += plain(text.slice(from, match.index)) + control(match[0]);
    from = match.index + match[0].length;
  }
  return out + plain(text.slice(from));
}
