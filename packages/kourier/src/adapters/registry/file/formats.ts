import { isIP } from 'node:net';
import { ACCESS_LIMITS } from '../../../core/access/limits.ts';
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
const SPACE_ID = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const HOST_NAME = /^[a-z\d_]([-a-z\d_]*[a-z\d_])?(\.[a-z\d_]([-a-z\d_]*[a-z\d_])?)*$/i;
const POSTGRES_URL = /^postgres(ql)?:\/\/[\x21-\x7e]+$/;
const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?$/;
/** What would break a line or hide in one. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
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
  origin: originFault,
  'host-port': otherwise(
    isHostPort,
    'no host with its port',
    'write both, in small letters, as localhost:8094 or [::1]:8094',
  ),
  'host-pattern': otherwise(
    (text) => isHostName(text.replace(/^\*\./, '')),
    'no name of hosts',
    'write one, as agents.corp, or *.agents.corp for all below it; networks belong under cidrs',
  ),
  cidr: otherwise(isCidr, 'no network', 'write it as 10.20.0.0/16 or fd00:20::/32'),
  'postgres-url': otherwise(
    (text) => fits(text, 4_096, POSTGRES_URL) && URL.canParse(text),
    'no address of a PostgreSQL database',
    'write postgres://USER@HOST/DATABASE',
  ),
  'space-id': otherwise(isSpaceId, 'no id', 'write letters, digits, ., _ and - in at most 128 characters'),
  'space-or-all': otherwise(
    (text) => text === '*' || isSpaceId(text),
    'no id of a Space',
    'write the name of a Space, or "*" for all of the tenant',
  ),
  line: otherwise(
    (text) => text.trim() !== '' && text.length <= ACCESS_LIMITS.subjectCharacters && !UNPRINTABLE.test(text),
    'no name',
    `write one line of at most ${ACCESS_LIMITS.subjectCharacters} characters`,
  ),
  file: otherwise(
    (text) => text.trim() !== '' && text.length <= 4_096 && !text.includes('\0'),
    'no path of a file',
    'write one, from the folder of this document',
  ),
  sha256: otherwise(
    (text) => /^[0-9a-f]{64}$/.test(text),
    'no SHA-256',
    'write 64 small hex digits, as kourier space key prints them',
  ),
  time: otherwise(
    (text) => timeMs(text) !== undefined,
    'no time',
    'write a day, as 2030-01-31, or 2030-01-31T12:00:00Z',
  ),
};

function isSpaceId(text: string): boolean {
  return fits(text, 128, SPACE_ID);
}

/** Milliseconds since the epoch of a day or a time in UTC; undefined for anything else. */
export function timeMs(text: string): number | undefined {
  const ms = TIME.test(text) ? Date.parse(text) : Number.NaN;
  // A day that no month has would become another one.
  return Number.isFinite(ms) && new Date(ms).toISOString().startsWith(text.replace('Z', '')) ? ms : undefined;
}

function isHostName(text: string): boolean {
  // The last name of a host is no number: an address belongs elsewhere.
  return fits(text, 253, HOST_NAME) && !/(^|\.)\d+$/.test(text);
}

/** As a URL has it: in small letters, an IPv6 address in brackets. */
function isHostPort(text: string): boolean {
  const [, host = '', port] = (text.length <= 300 && /^(.+):([1-9]\d{0,4})$/.exec(text)) || [];
  const url = `http://${host}`;
  return Number(port) <= 65_535 && /^[^/?#@\s]+$/.test(host) && URL.canParse(url) && new URL(url).host === host;
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', more] = text.split('/');
  const most = { 4: 32, 6: 128 }[isIP(address)];
  return more === undefined && /^\d{1,3}$/.test(bits) && most !== undefined && Number(bits) <= most;
}

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

function originFault(text: string): Fault | undefined {
  const fault = urlFault(text);
  if (fault !== undefined) return fault;
  const { pathname } = new URL(text);
  return pathname === '/' ? undefined : { is: 'no origin: it has a path', write: 'end it with the host, or its port' };
}

/** Whether an http or https URL leads to this machine itself. */
export function isLoopbackUrl(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}
