import type { SlackIdentity } from '../slack-identity.ts';

export interface Names {
  readonly self: Pick<SlackIdentity, 'user' | 'name'>;
  /** A person's name, where it is known already. */
  readonly nameOf?: (user: string) => string | undefined;
}

const MARKUP = /<([^<>\n]*)>|&(amp|lt|gt);/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' };

/**
 * A message as its author sees it (slack.md 1.9): people, channels and links written out, `&lt;` taken back once. The
 * app's own name is left out at the ends, where it only addresses; within a sentence it is a word like any other.
 */
export function plainText(text: string, names: Names): string {
  const address = `(?:<@${names.self.user}(?:\\|[^<>]*)?>[\\s,:]*)`;
  const said = text.replace(new RegExp(`^\\s*${address}+`), '').replace(new RegExp(`${address}+$`), '');
  return said.replace(MARKUP, (_whole, inner?: string, entity = '') => {
    return inner === undefined ? (ENTITIES[entity] ?? '') : written(inner, names);
  });
}

/** Whether a message names the app. */
export function mentions(text: string, user: string): boolean {
  return text.includes(`<@${user}>`) || text.includes(`<@${user}|`);
}

function written(inner: string, names: Names): string {
  const bar = inner.indexOf('|');
  const target = unescaped(bar < 0 ? inner : inner.slice(0, bar));
  const label = bar < 0 ? '' : unescaped(inner.slice(bar + 1)).trim();
  const rest = target.slice(1);
  switch (target[0]) {
    case '@':
      return `@${(rest === names.self.user ? names.self.name : undefined) ?? (label || (names.nameOf?.(rest) ?? rest))}`;
    case '#':
      return `#${label || rest}`;
    case '!':
      return special(rest, label);
    default:
      return linked(target, label);
  }
}

/** `<!here>`, `<!subteam^S1|@ops>`, `<!date^…|fallback>`. */
function special(rest: string, label: string): string {
  if (rest.startsWith('date^')) return label || rest;
  const name = label || rest.replace(/^subteam\^/, '');
  return name.startsWith('@') ? name : `@${name}`;
}

function linked(url: string, label: string): string {
  const shown = url.replace(/^mailto:/, '');
  if (label === '' || label === url || label === shown || label === shown.replace(/^https?:\/\//, '')) return shown;
  return `${label} (${shown})`;
}

function unescaped(text: string): string {
  return text.replace(/&(amp|lt|gt);/g, (_whole, entity: string) => ENTITIES[entity] ?? '');
}
