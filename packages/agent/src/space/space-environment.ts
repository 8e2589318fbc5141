import type { SpaceAddress } from './space-api.ts';
import { SpaceError } from './space-error.ts';

/** The environment of a process, as far as it names a Space. */
export interface SpaceEnvironment {
  /** Where the gateway is: `https://space.example`. */
  readonly KOURIER_SPACE_URL?: string | undefined;
  /** The id of the Space, or a JSON array with one. */
  readonly KOURIER_SPACE_ID?: string | undefined;
  /** An API key or a token; none in the local mode of a Space. */
  readonly KOURIER_SPACE_KEY?: string | undefined;
}

/** The Space that the environment names; throws the `SpaceError` `A2A_SPACE_NOT_CONFIGURED` (rule A7), naming what is missing. */
export function spaceOf(environment: SpaceEnvironment): Pick<SpaceAddress, 'url' | 'space' | 'key'> {
  const [url = '', key = ''] = [environment.KOURIER_SPACE_URL?.trim(), environment.KOURIER_SPACE_KEY?.trim()];
  const ids = idsIn(environment.KOURIER_SPACE_ID?.trim() ?? '');
  const missing = [...(url === '' ? ['KOURIER_SPACE_URL'] : []), ...(ids.length === 0 ? ['KOURIER_SPACE_ID'] : [])];
  if (missing.length > 0)
    throw notConfigured(
      `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not set: no Space is configured.`,
    );
  const { protocol, username } = URL.canParse(url) ? new URL(url) : { protocol: '', username: '' };
  if (!/^https?:$/.test(protocol) || username !== '')
    throw notConfigured('KOURIER_SPACE_URL is no address of a Space: write https://HOST.');
  const [space = '', another] = ids;
  if (another !== undefined) throw notConfigured('KOURIER_SPACE_ID names several Spaces: choose one of them.');
  if (!/^[\x21-\x7e]*$/.test(key))
    throw notConfigured('KOURIER_SPACE_KEY holds no key: set it to the key, and nothing else.');
  return { url, space, ...(key === '' ? {} : { key }) };
}

const notConfigured = (detail: string): SpaceError =>
  new SpaceError('not-configured', 'A2A_SPACE_NOT_CONFIGURED', detail);

/** One id, or a JSON array of ids. */
function idsIn(text: string): readonly string[] {
  if (!text.startsWith('[')) return text === '' ? [] : [text];
  let ids: unknown;
  try {
    ids = JSON.parse(text);
  } catch {
    ids = undefined;
  }
  if (Array.isArray(ids) && ids.every((id) => typeof id === 'string' && id !== '')) return ids as string[];
  throw notConfigured('KOURIER_SPACE_ID is no list of ids: write one id, or a JSON array with it.');
}
