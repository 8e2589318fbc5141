/** One HTTP request to an agent's address at the gateway. */
export interface GatewayRequest {
  readonly method: string;
  /** Below the agent's base, without the query: empty, or begins with a slash. Not decoded. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** By its name in lower case; several of one name joined with a comma. */
  header(name: string): string | undefined;
  /** `undefined` past the limit. Rejects when the connection breaks. */
  body(maxBytes: number): Promise<Uint8Array | undefined>;
  /** Aborts when the caller has left. */
  readonly signal: AbortSignal;
}

/** Where its answer goes. */
export interface GatewayReply {
  /** Once, and first. */
  head(status: number, headers: Readonly<Record<string, string>>): void;
  /** What it returns is awaited before more is written: the reader has not taken all of it. */
  write(piece: Uint8Array | string): void | Promise<void>;
  end(last?: Uint8Array | string): void;
  /** Whether `head` was called. */
  readonly begun: boolean;
  /** Breaks the connection, so that nobody takes what was sent for the whole. */
  destroy(): void;
}
