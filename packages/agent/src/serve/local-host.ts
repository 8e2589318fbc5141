import type { IncomingMessage } from 'node:http';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

export const isLoopback = (host: string): boolean => LOOPBACK.test(host.toLowerCase());

/**
 * Whether a request names this machine, or `publicUrl`. Who listens on loopback and asks nobody who calls must know that no
 * web page does: one whose name was rebound to 127.0.0.1 sends its own name as Host, and no Origin where it only reads.
 */
export function namesThisMachine(
  { headers }: Pick<IncomingMessage, 'headers'>,
  publicUrl: string | undefined,
): boolean {
  const host = hostOf(headers.host ?? '');
  return isLoopback(host) || (publicUrl !== undefined && host === hostOf(new URL(publicUrl).host));
}

/** Without the port, the brackets and the dot of a complete name; empty when it is no host. */
function hostOf(host: string): string {
  const found = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(host);
  return (found?.[1] ?? found?.[2] ?? '').toLowerCase().replace(/\.$/, '');
}
