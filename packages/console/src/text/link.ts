import { withoutUnseen } from './visible.ts';

export interface SafeLink {
  readonly href: string;
  /** Where it really leads, to be shown beside it, when its text could be taken for another place. */
  readonly destination?: string;
}

const SHOWN_CHARACTERS = 60;
/** A longer text is not searched for addresses: the destination is shown at once. */
const READ_CHARACTERS = 300;
/** Something that reads like a host or a mail address, with or without a scheme and a path. */
const ADDRESS =
  /(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^\s/@]+@)?(?:[\p{L}\p{N}_-]+\.)+\p{L}[\p{L}\p{N}-]+(?::\d+)?(?:[/?#]\S*)?/giu;

/** Judges a link of an agent (decision 17). `undefined`: it leads nowhere that a page may lead to, so it is text. */
export function judgeLink(href: string, text: string): SafeLink | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  if (url.protocol !== 'http:' && url.protocol !== 'https:' && url.protocol !== 'mailto:') return undefined;
  return isHonest(url, text) ? { href: url.href } : { href: url.href, destination: destinationOf(url) };
}

function isHonest(url: URL, text: string): boolean {
  if (text.length > READ_CHARACTERS) return false;
  const read = withoutUnseen(text).normalize('NFKC').replace(/。/g, '.');
  // A name before @ and a host in another script are the two ways to make an address itself a disguise.
  if (url.username !== '' || url.password !== '' || /(?:^|\.)xn--/.test(url.hostname)) return false;
  return Array.from(read.matchAll(ADDRESS)).every(([address]) => leadsTo(url, address));
}

/** `address` is the link's own, or the beginning of it: `host` for `https://host/path`, never `hos` for `host`. */
function leadsTo(url: URL, address: string): boolean {
  const real = plain(url.href);
  const said = plain(address);
  return real === said || (real.startsWith(said) && /^[/?#]/.test(real.slice(said.length)));
}

function plain(address: string): string {
  return address
    .toLowerCase()
    .replace(/^(?:https?:\/\/|mailto:)/, '')
    .replace(/^www\./, '')
    .replace(/[/.,;:!?)]+$/, '');
}

function destinationOf(url: URL): string {
  const whole = url.protocol === 'mailto:' ? url.pathname : `${url.host}${url.pathname === '/' ? '' : url.pathname}`;
  return whole.length <= SHOWN_CHARACTERS ? whole : `${whole.slice(0, SHOWN_CHARACTERS)}…`;
}
