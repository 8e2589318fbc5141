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
  A2A_TUNNEL_REFUSED: {
    ...{ sent: false, retryable: true },
    text: 'the end of the tunnel did not pass the call on; look whether the agent listens where --to says',
  },
  A2A_TUNNEL_REQUEST_TOO_LARGE: {
    ...{ sent: false, retryable: false },
    text: 'the headers are larger than a tunnel carries; send fewer',
  },
  A2A_TUNNEL_LOST: {
    ...{ sent: true, retryable: true },
    text: 'the tunnel broke under the call; ask for the task before you repeat it',
  },
  A2A_TUNNEL_BROKEN_OFF: {
    ...{ sent: true, retryable: true },
    text: 'the agent broke its answer off; ask for the task before you repeat it',
  },
  A2A_TUNNEL_BAD_ANSWER: {
    ...{ sent: true, retryable: false },
    text: 'the answer is not one that a tunnel carries; look at what the agent sends',
  },
  A2A_TUNNEL_REDIRECT: {
    ...{ sent: true, retryable: false },
    text: 'the agent redirects, which is not followed; register the address that it names',
  },
  A2A_TUNNEL_CANCELLED: {
    ...{ sent: true, retryable: true },
    text: 'the answer was let go before its end',
  },
} as const satisfies Readonly<Record<string, Failure>>;

export function tunnelFailed(code: keyof typeof TUNNEL_CODES, detail?: string): UpstreamFailed {
  return new UpstreamFailed({ code, ...TUNNEL_CODES[code], detail });
}
