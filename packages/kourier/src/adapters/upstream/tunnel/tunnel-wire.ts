import { TUNNEL_LIMITS } from './limits.ts';

/** What both ends say in the upgrade, so that a later form can be told apart. */
export const TUNNEL_PROTOCOL = 'kourier-tunnel-1';

/** In the GOAWAY of a gateway whose agent has a newer tunnel: its end does not dial again. */
export const REPLACED = 'replaced';

/** For either end of the WebSocket. Pings are answered by `keepPulse`; compression lets a peer blow up what it sends. */
export const WEB_SOCKET_OPTIONS = {
  maxPayload: TUNNEL_LIMITS.frameBytes,
  perMessageDeflate: false,
  autoPong: false,
} as const;

const MEBIBYTE = 1_048_576;

/** For either end of HTTP/2. */
export const SESSION_OPTIONS = {
  maxSessionMemory: TUNNEL_LIMITS.sessionBytes / MEBIBYTE,
  maxHeaderListPairs: TUNNEL_LIMITS.headers,
  maxSendHeaderBlockLength: TUNNEL_LIMITS.headerBytes,
} as const;

export const SESSION_SETTINGS = {
  enablePush: false,
  maxHeaderListSize: TUNNEL_LIMITS.headerBytes,
} as const;

/** Of one connection (RFC 9110, section 7.6.1), and what each end writes itself. */
const OF_ONE_HOP = new Set([
  'connection',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The headers that go on to the next hop; pseudo headers of HTTP/2 do not. */
export function passedOn<Value>(headers: Readonly<Record<string, Value>>): Record<string, Value> {
  const named = String(headers['connection'] ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const kept = Object.entries(headers).filter(
    ([name, value]) => value !== undefined && !(name.startsWith(':') || OF_ONE_HOP.has(name) || named.includes(name)),
  );
  return Object.fromEntries(kept);
}
