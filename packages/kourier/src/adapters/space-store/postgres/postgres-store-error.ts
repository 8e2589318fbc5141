/**
 * Why the store did not do what it was asked for. The message says what a person can do, and never holds what is stored,
 * nor a password; `code` is PostgreSQL's (SQLSTATE) or the system's own word. `mayBeDone`: the connection broke while the
 * transaction was ending, so it is open whether it was done; else nothing of it was written.
 */
export class PostgresStoreError extends Error {
  override readonly name = 'PostgresStoreError';
  readonly code: string;
  readonly mayBeDone: boolean;

  constructor(code: string, message: string, options?: ErrorOptions & { readonly mayBeDone?: boolean }) {
    super(message, options);
    this.code = code;
    this.mayBeDone = options?.mayBeDone ?? false;
  }
}

/** Makes a store's error of PostgreSQL's or the system's. Anything else is a mistake of the caller and stays as it is. */
export function explain(error: unknown, mayBeDone = false): Error {
  if (error instanceof PostgresStoreError) return error;
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error ? error : new Error('The store failed.');
  const [, remedy] = REMEDIES.find(([known]) => code.startsWith(known)) ?? [];
  const done = mayBeDone ? 'It is open whether this was written.' : 'Nothing of this was written.';
  return new PostgresStoreError(code, `The store in PostgreSQL failed (${code}). ${done}${remedy ?? ''}`, {
    mayBeDone,
  });
}

/** The driver says without a code that a connection is gone or was waited for too long; its words hold nothing of ours. */
const LOST =
  /^(Connection terminated|Query read timeout|timeout (expired|exceeded)|Client (was closed|has encountered))/;

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return LOST.test(error.message) ? 'connection-lost' : undefined;
}

const REMEDIES: readonly (readonly [code: string, remedy: string])[] = [
  ['ECONNREFUSED', ' Look whether PostgreSQL runs, and whether the url is right.'],
  ['ENOTFOUND', ' Look whether the host in the url is right.'],
  ['ENOENT', ' Look whether PostgreSQL runs, and whether the url is right.'],
  ['ETIMEDOUT', ' Look whether PostgreSQL can be reached from here.'],
  ['connection-lost', ' Look whether PostgreSQL runs and can be reached; the next call connects again.'],
  ['28', ' PostgreSQL refuses the user or the password: look at the url.'],
  ['3D000', ' There is no such database: create it, or name another in the url.'],
  ['42501', ' The user may not do this: let it own the tables that begin with space_.'],
  ['25006', ' It takes no writes: name the primary server in the url.'],
  ['53100', ' The disk of PostgreSQL is full: free some space; what was written before is safe.'],
  ['53300', ' PostgreSQL has too many connections: raise max_connections, or run fewer processes.'],
  ['57014', ' It took too long: look at what keeps PostgreSQL busy or locked.'],
  ['57P', ' PostgreSQL stops or starts: the next call connects again.'],
];
