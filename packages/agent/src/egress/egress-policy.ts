import type { Duplex } from 'node:stream';
import { EgressRefused } from './egress-refused.ts';

/** Where calls may go. `undefined` in its place refuses every one (`A2A_EGRESS_TRANSPORT_REQUIRED`). */
export type EgressPolicy = PublicEgress | VpcEgress;

/** To public addresses, over this machine's own network. */
export interface PublicEgress {
  readonly route: 'public';
  /** The effective value of whoever decides; anything but `true` refuses every call (`A2A_PUBLIC_EGRESS_DISABLED`). */
  readonly enabled: boolean;
  /** 443 alone unless given. */
  readonly ports?: readonly number[];
  /**
   * Hosts with their port (`localhost:8094`, `[::1]:8094`) that are reached at whatever address they have, over plain
   * HTTP too: for tests and for what runs beside. All other rules hold for them.
   */
  readonly trustedHosts?: readonly string[];
}

/** To a private network, through a dialer that knows its names and addresses; the public way is never taken instead. */
export interface VpcEgress {
  readonly route: 'vpc';
  /** Without one every call is refused (`A2A_VPC_EGRESS_DIALER_REQUIRED`). TLS, HTTP and the limits stay on this side. */
  readonly dial?: Dial;
  /**
   * Whether the dialer may be asked for this host; one that it may not is refused before credentials are read
   * (`A2A_VPC_EGRESS_HOST_REFUSED`). Any unless given.
   */
  readonly admits?: (to: Pick<DialTarget, 'hostname' | 'port'>) => boolean;
  /** 443 alone unless given. */
  readonly ports?: readonly number[];
}

export interface DialTarget {
  /** Normalised: lower case, ASCII, without a trailing dot, an IPv6 address without brackets. */
  readonly hostname: string;
  readonly port: number;
  /** What the name was just found to be, all of it admitted: the connection must go to one of these. Empty on the route `vpc`. */
  readonly addresses: readonly string[];
}

/** Opens a connection, as of TCP. Rejects when it cannot (an error's `code` becomes the detail of the refusal); when `signal` aborts, what it opened is destroyed. */
export type Dial = (to: DialTarget, signal: AbortSignal) => Promise<Duplex>;

/** A URL that the policy lets out, before its name is looked up. */
export interface Target {
  readonly url: URL;
  readonly hostname: string;
  readonly port: number;
  readonly tls: boolean;
  /** Named by the policy, so that its addresses are not judged. */
  readonly trusted: boolean;
}

/** Refuses what the policy refuses whatever the URL is. First of all checks, before any credential is read (rule A4). */
export function requireWayOut(policy: EgressPolicy | undefined): EgressPolicy {
  if (policy === undefined) throw new EgressRefused('A2A_EGRESS_TRANSPORT_REQUIRED');
  if (policy.route === 'public') {
    if (policy.enabled !== true) throw new EgressRefused('A2A_PUBLIC_EGRESS_DISABLED');
    return policy;
  }
  if (policy.route !== 'vpc') throw new EgressRefused('A2A_EGRESS_TRANSPORT_REQUIRED');
  if (policy.dial === undefined) throw new EgressRefused('A2A_VPC_EGRESS_DIALER_REQUIRED');
  return policy;
}

/**
 * Judges an absolute URL by the policy. The URL parser has already made one spelling of many: numbers of IPv4 in octal,
 * hexadecimal or short are the four decimal ones, international names are Punycode.
 */
export function admitUrl(text: string, policy: EgressPolicy): Target {
  if (!URL.canParse(text)) throw new EgressRefused('A2A_EGRESS_URL_REFUSED');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new EgressRefused('A2A_EGRESS_SCHEME_REFUSED');
  if (url.username !== '' || url.password !== '') throw new EgressRefused('A2A_EGRESS_USERINFO_REFUSED');
  const hostname = plainHostname(url.hostname);
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const trusted = policy.route === 'public' && isTrusted(policy.trustedHosts ?? [], hostname, port);
  const target = { url, hostname, port, tls: url.protocol === 'https:', trusted };
  if (trusted) return target;
  if (!target.tls) throw new EgressRefused('A2A_EGRESS_SCHEME_REFUSED');
  if (!(policy.ports ?? [443]).includes(port)) throw new EgressRefused('A2A_EGRESS_PORT_REFUSED', String(port));
  if (policy.route === 'vpc' && policy.admits?.({ hostname, port }) === false)
    throw new EgressRefused('A2A_VPC_EGRESS_HOST_REFUSED');
  return target;
}

function isTrusted(hosts: readonly string[], hostname: string, port: number): boolean {
  return hosts.some((entry) => {
    const [, host = '', number] = /^(.+):(\d+)$/.exec(entry) ?? [];
    return (
      Number(number) === port &&
      URL.canParse(`http://${host}`) &&
      new URL(`http://${host}`).hostname === bracketed(hostname)
    );
  });
}

const NAME = /^(?=.{1,253}$)[a-z\d_-]{1,63}(\.[a-z\d_-]{1,63})*$/;

function plainHostname(hostname: string): string {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  // A trailing dot says that the name is complete; the certificate and the Host header know it without.
  const plain = hostname.replace(/\.$/, '');
  if (!NAME.test(plain)) throw new EgressRefused('A2A_EGRESS_HOST_REFUSED');
  return plain;
}

/** As a URL and a Host header write it. */
export function bracketed(hostname: string): string {
  return hostname.includes(':') ? `[${hostname}]` : hostname;
}
