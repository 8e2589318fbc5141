/** One HTTP request to an agent, as it is to be sent. */
export interface UpstreamRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Absolute. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

export interface UpstreamAnswer {
  readonly status: number;
  /** Of one header, by its name in lower case; several of one name joined by `, `. */
  header(name: string): string | undefined;
  /**
   * Calls `take` with each piece of the body in its order; what `take` returns is awaited before the next is read, so a
   * slow reader costs one piece. Resolves at the end of the body; rejects with `UpstreamFailed` when it was not reached.
   */
  read(take: (piece: Uint8Array) => void | Promise<void>): Promise<void>;
  /** Lets go of the connection. Safe to repeat, and after the end. */
  cancel(): void;
}

/**
 * Calls to one agent, whatever way they go. Resolves with every answer that has a status, except a redirect, which is
 * never followed. Rejects with `UpstreamFailed`, and with the reason of `signal` once it aborts, which also ends a body
 * that is being read.
 */
export interface Upstream {
  call(request: UpstreamRequest, signal: AbortSignal): Promise<UpstreamAnswer>;
}

/** A call that did not come to its end. `message` says what to do, in constant words; nothing of the other side is in it. */
export class UpstreamFailed extends Error {
  override readonly name = 'UpstreamFailed';
  /** Stable: of the guarded transport its own code (`A2A_EGRESS_…`), of a tunnel `A2A_TUNNEL_…`, else `A2A_UPSTREAM_…`. */
  readonly code: string;
  /** Whether the agent may have got the request; `false` is certain. */
  readonly sent: boolean;
  /** Whether the same may go well later with nothing changed on this side. */
  readonly retryable: boolean;
  /** For the log. */
  readonly detail: string | undefined;

  constructor(
    {
      code,
      text,
      sent,
      retryable,
      detail,
    }: {
      readonly code: string;
      readonly text: string;
      readonly sent: boolean;
      readonly retryable: boolean;
      readonly detail?: string | undefined;
    },
    options?: ErrorOptions,
  ) {
    super(`${code}: ${text}`, options);
    this.code = code;
    this.sent = sent;
    this.retryable = retryable;
    this.detail = detail;
  }
}
