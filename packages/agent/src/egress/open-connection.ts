import { connect, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { EGRESS_LIMITS } from '../limits.ts';
import type { Dial, DialTarget, Target } from './egress-policy.ts';
import { refusedBecause } from './egress-refused.ts';

export interface ConnectionOptions {
  readonly addresses: readonly string[];
  readonly dial: Dial;
  /** PEM certificates that are trusted in place of Node's own. */
  readonly ca?: string | undefined;
  readonly signal: AbortSignal;
}

/** TCP to one of `addresses`, and TLS in it under the host's own name. Rejects with the signal's reason once it aborts. */
export async function openConnection(target: Target, options: ConnectionOptions): Promise<Duplex> {
  const { addresses, dial, signal } = options;
  const { hostname, port, tls } = target;
  const socket = await dial({ hostname, port, addresses }, signal).catch((error: unknown) => {
    throw signal.aborted ? signal.reason : refusedBecause('A2A_EGRESS_CONNECT_FAILED', error);
  });
  holdWhile(signal, socket);
  if (!tls) return socket;
  return secure(socket, hostname, options);
}

/** Without a byte for so long, TCP asks whether the other side is still there. */
const PROBE_AFTER_MS = 60_000;

/** To the first of the addresses that answers. The name itself is not looked up again. */
export const dialAddresses: Dial = ({ hostname, port, addresses }: DialTarget, signal) =>
  new Promise((resolve, reject) => {
    const socket = connect({
      host: hostname,
      port,
      // So that a connection whose other side is gone is told of, however quiet it may be.
      keepAlive: true,
      keepAliveInitialDelay: PROBE_AFTER_MS,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: EGRESS_LIMITS.attemptMs,
      lookup: (_hostname, _options, found) =>
        found(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        ),
    });
    holdWhile(signal, socket);
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('closed before it was connected')));
  });

function secure(socket: Duplex, hostname: string, { ca, signal }: ConnectionOptions): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const secured = connectTls({
      socket,
      // The name that the certificate must have; a server name is for names only (RFC 6066).
      host: hostname,
      ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
      ...(ca === undefined ? {} : { ca }),
      ALPNProtocols: ['http/1.1'],
      // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
      rejectUnauthorized: true,
    });
    const failed = (error: unknown) =>
      reject(signal.aborted ? signal.reason : refusedBecause('A2A_EGRESS_TLS_FAILED', error));
    holdWhile(signal, secured);
    secured.once('secureConnect', () => resolve(secured));
    secured.once('error', failed);
    secured.once('close', () => failed(new Error('closed before it was secure')));
  });
}

/** An error of a socket that nobody waits for is told by its close, and must not end the process. */
function holdWhile(signal: AbortSignal, socket: Duplex): void {
  const drop = () => void socket.destroy();
  socket.on('error', () => undefined);
  socket.once('close', () => signal.removeEventListener('abort', drop));
  if (signal.aborted) drop();
  else signal.addEventListener('abort', drop, { once: true });
}
