/** Where the answer to one request goes, whatever carries it. */
export interface Sink {
  /** Once, and first. */
  head(status: number, headers: Readonly<Record<string, string>>): void;
  write(chunk: string): void;
  end(chunk?: string): void;
  /** Breaks the connection, so that nobody takes what was sent for the whole. */
  destroy(): void;
  /** Whether nobody reads any more, or all is said. */
  readonly over: boolean;
  /** Bytes that were written and that the reader has not taken yet. */
  readonly waiting: number;
  /** Called whenever everything that waited was taken. */
  onDrain(listener: () => void): void;
  /** Called once, when the reader has left or has everything; at once when that is so already. */
  onClose(listener: () => void): void;
}

/** One request, whatever carried it. */
export interface Asked {
  readonly method: string;
  /** Below the base path, without the query: begins with a slash, or is empty. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Path and query as they came, base path included. */
  readonly target: string;
  /** By its name in small letters; several of one name joined with a comma. */
  header(name: string): string | undefined;
  /** At most `limit` bytes; `undefined` when there are more. Rejects only when the connection breaks. */
  body(limit: number): Promise<Uint8Array | undefined>;
}
