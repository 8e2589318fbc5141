import { UpstreamFailed } from '../../../ports/space/upstream.ts';

interface Failure {
  readonly sent: boolean;
  readonly retryable: boolean;
  readonly text: string;
}

/** Every way in which a call through a tunnel does not come to its end; each stands in docs/space-tunnel.md. */
export const TUNNEL_CODES = {
  A2A_TUNNEL_NOT_CONNECTED: {
    ...{ sent: false, retryable: true },
    text: 'the agent has no tunnel; start kourier space connect beside it',
  },
  A2A_TUNNEL_BUSY: {
    ...{ sent: false, retryable: true },
    text: 'as many calls run through the tunnel as it carries; repeat it when some have ended',
  },
  A2A_TUNNEL_REQUEST_REFUSED: {
    ...{ sent: false, retryable: false },
    text: 'the headers are larger than a tunnel carries; send fewer',
  },
  A2A_TUNNEL_CONNECT_FAILED: {
    ...{ sent: false, retryable: true },
    text: 'the end of the tunnel did not pass the call on; look whether the agent listens where --to says',
  },
  A2A_TUNNEL_LOST: {
    ...{ sent: true, retryable: true },
    text: 'the tunnel broke under the call; find out what became of it before it is repeated',
  },
  A2A_TUNNEL_CONNECTION_LOST: {
    ...{ sent: true, retryable: true },
    text: 'the agent broke its answer off; find out what became of the call before it is repeated',
  },
  A2A_TUNNEL_HEADERS_TIMEOUT: {
    ...{ sent: true, retryable: true },
    text: 'the headers of the answer did not come in time; find out what became of the call before it is repeated',
  },
  A2A_TUNNEL_IDLE_TIMEOUT: {
    ...{ sent: true, retryable: true },
    text: 'nothing came for too long; take the stream up again',
  },
  A2A_TUNNEL_RESPONSE_REFUSED: {
    ...{ sent: true, retryable: false },
    text: 'the answer is not one that a tunnel carries; look at what the agent sends',
  },
  A2A_TUNNEL_RESPONSE_TOO_LARGE: {
    ...{ sent: true, retryable: false },
    text: 'the answer is larger than a tunnel carries; ask for less',
  },
  A2A_TUNNEL_REDIRECT_REFUSED: {
    ...{ sent: true, retryable: false },
    text: 'the agent redirects, which is not followed; register the address that it names',
  },
  A2A_TUNNEL_ENCODING_REFUSED: {
    ...{ sent: true, retryable: false },
    text: 'the answer is compressed though none was asked for; turn that off at the agent',
  },
} as const satisfies Readonly<Record<string, Failure>>;

export function tunnelFailed(code: keyof typeof TUNNEL_CODES, detail?: string): UpstreamFailed {
  return new UpstreamFailed({ code, ...TUNNEL_CODES[code], detail });
}
