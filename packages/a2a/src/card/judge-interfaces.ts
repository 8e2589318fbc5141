import { arrayOf, isObject, type JsonObject, textOf } from '../json-value.ts';
import { type WireVersion, wireVersionOf } from '../wire-version.ts';
import { type Findings, quoted, told } from './findings.ts';
import { isWebAddress } from './judge-members.ts';

/** The transports that A2A names (rule C3). */
const TRANSPORTS = ['JSONRPC', 'GRPC', 'HTTP+JSON'];
const NAMED = 'JSONRPC, GRPC or HTTP+JSON, or the URI of a binding of your own';

export interface WrittenInterface {
  readonly url: unknown;
  readonly urlPath: string;
  readonly transport: unknown;
  readonly transportPath: string;
  readonly protocolVersion: unknown;
}

/** The interfaces of a card as its version writes them, with their paths; what is no object is left out. */
export function interfacesOf(card: JsonObject, version: WireVersion): readonly WrittenInterface[] {
  const isOld = version === '0.3';
  const preferred = { url: card['url'], urlPath: '$.url', transport: card['preferredTransport'] ?? 'JSONRPC' };
  const root = isOld ? [{ ...preferred, transportPath: '$.preferredTransport', protocolVersion: '0.3' }] : [];
  const [list, binding] = isOld ? ['additionalInterfaces', 'transport'] : ['supportedInterfaces', 'protocolBinding'];
  // Of an array with holes, which a program can make, each place is looked at.
  const listed = Array.from(arrayOf(card[list ?? '']), (entry, index) => {
    const path = `$.${list}[${index}]`;
    const { url, [binding ?? '']: transport, protocolVersion } = isObject(entry) ? entry : {};
    return { url, urlPath: `${path}.url`, transport, transportPath: `${path}.${binding}`, protocolVersion };
  });
  return [...root, ...listed];
}

/** Where the agent speaks and how, beyond the types of the fields (rule C3). */
export function judgeInterfaces(card: JsonObject, into: Findings): void {
  if (into.version === '0.3' && card['preferredTransport'] === undefined)
    into.note('$.preferredTransport', 'advice', 'JSONRPC by default; name the transport of url explicitly');
  for (const { url, urlPath, transport, transportPath, protocolVersion } of interfacesOf(card, into.version)) {
    judgeInterface(url, transport, [urlPath, transportPath], into);
    const version = textOf(protocolVersion);
    if (into.version === '1.0' && version && wireVersionOf(version) === undefined)
      into.note(urlPath.replace(/url$/, 'protocolVersion'), 'advice', `${quoted(version)} is neither A2A 1.0 nor 0.3`);
  }
}

function judgeInterface(url: unknown, transport: unknown, paths: readonly [string, string], into: Findings): void {
  const [urlPath, transportPath] = paths;
  if (typeof transport === 'string' && transport !== '' && !TRANSPORTS.includes(transport)) {
    if (!isWebAddress(transport) && !/^urn:/i.test(transport))
      into.fault(transportPath, 'not-allowed', told(transport), NAMED);
    else into.note(transportPath, 'advice', 'a binding of your own; the courier speaks JSONRPC');
  }
  if (typeof url !== 'string' || url === '') return;
  if (!isWebAddress(url)) {
    const isOwn = typeof transport === 'string' && isWebAddress(transport) && URL.canParse(url);
    if (!isOwn) into.fault(urlPath, 'not-allowed', told(url), 'an absolute URL, https in production');
    return;
  }
  judgeAddress(new URL(url), urlPath, into);
}

/** An address that only the agent's own machine can reach was copied from what it listens on (case C008). */
function judgeAddress({ protocol, hostname }: URL, path: string, into: Findings): void {
  if (hostname === '0.0.0.0' || hostname === '[::]')
    into.note(path, 'advice', 'this is where a server listens; no client can call it');
  else if (hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.'))
    into.note(path, 'advice', 'only the machine of the agent can call it');
  else if (protocol === 'http:') into.note(path, 'advice', 'in production this is an https URL');
}
