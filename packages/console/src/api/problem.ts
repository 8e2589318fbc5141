/** An answer of the server that is an error (RFC 9457). The message is its `detail`, for the person to read. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, detail: string) {
    super(detail);
    this.name = 'Problem';
    this.status = status;
    this.code = code;
  }

  /** Whether the same call may go better later: the server is starting, stopping or overloaded behind a proxy. */
  get passing(): boolean {
    return this.status === 408 || this.status >= 500;
  }
}

export async function problemOf(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => undefined);
  const member = (name: string): string | undefined => {
    const value = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const said = member('detail') ?? member('title') ?? `The server answered ${response.status}.`;
  return new Problem(response.status, member('code') ?? 'unknown', said);
}
