import { durationMs } from './duration.ts';
import type { Format } from './schema/schema.ts';

/** What is wrong with a text of a format ("timeout IS no duration"), and what to write instead. */
export interface Fault {
  readonly is: string;
  readonly write: string;
}

type Check = (text: string) => Fault | undefined;

/** Sent by the calls themselves, or by the connection: a static header of that name would contradict them. */
const OWN_HEADERS = new Set([
  ...['accept', 'accept-encoding', 'content-type', 'content-encoding', 'content-length', 'host'],
  ...['connection', 'keep-alive', 'transfer-encoding', 'te', 'trailer', 'upgrade', 'expect', 'proxy-connection'],
  ...['a2a-version', 'a2a-extensions', 'x-a2a-extensions', 'last-event-id', 'traceparent', 'tracestate'],
]);

const RESOURCE_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LABEL_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const SECRET_KEY = /^(?!\.\.)[-._a-zA-Z0-9]+$/;
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const HEADER_VALUE = /^[\x21-\x7e]([\x20-\x7e\t]*[\x21-\x7e])?$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Bounded before a pattern sees it. */
const fits = (text: string, characters: number, pattern: RegExp): boolean =>
  text.length <= characters && pattern.test(text);

const otherwise =
  (holds: (text: string) => boolean, is: string, write: string): Check =>
  (text) =>
    holds(text) ? undefined : { is, write };

export const FORMATS: Readonly<Record<Format, Check>> = {
  duration: otherwise(
    (text) => durationMs(text) !== undefined,
    'no duration',
    'write a whole number and a unit (ms, s, m, h or d), as 30s, up to 365d',
  ),
  'resource-name': otherwise(
    (text) => fits(text, 253, RESOURCE_NAME),
    'no name',
    'write small letters, digits, - and . in at most 253 characters',
  ),
  'label-name': otherwise(
    (text) => fits(text, 63, LABEL_NAME),
    'no name',
    'write small letters, digits and - in at most 63 characters',
  ),
  'secret-key': otherwise(
    (text) => text !== '.' && fits(text, 253, SECRET_KEY),
    'no key of a secret',
    'write letters, digits, -, _ and .',
  ),
  'header-value': otherwise(
    isHeaderValue,
    'not fit for a header',
    'write visible ASCII in one line, at most 8192 characters',
  ),
  base64: otherwise(
    (text) => BASE64.test(text.replace(/\s/g, '')),
    'not base64',
    'write base64, or plain text under stringData',
  ),
  'header-name': headerNameFault,
  'http-url': urlFault,
};

export function isHeaderValue(text: string): boolean {
  return fits(text, 8_192, HEADER_VALUE);
}

function headerNameFault(text: string): Fault | undefined {
  if (!fits(text, 256, HEADER_NAME)) return { is: 'no header name', write: 'write letters, digits and -' };
  if (OWN_HEADERS.has(text.toLowerCase())) return { is: "a header of the call's own", write: 'leave it out' };
  return undefined;
}

function urlFault(text: string): Fault | undefined {
  const example = 'write http:// or https:// with a host, as http://127.0.0.1:9001';
  if (text.length > 4_096 || !/^https?:\/\//i.test(text) || /\s/.test(text) || !URL.canParse(text))
    return { is: 'no http or https URL', write: example };
  const { username, password, hash, search } = new URL(text);
  if (username !== '' || password !== '')
    return { is: 'a URL with credentials in it', write: 'leave them out: a secret belongs in a Secret' };
  if (hash !== '' || search !== '' || /[?#]/.test(text))
    return { is: 'a URL with a query or fragment', write: 'end it with its path: a key belongs in headers' };
  return undefined;
}
