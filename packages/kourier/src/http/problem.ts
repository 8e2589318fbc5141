import type { ServerResponse } from 'node:http';

/** Every way in which a call fails: its stable code, its status and its title (RFC 9457). */
export const PROBLEMS = {
  'malformed-request': { status: 400, title: 'The request could not be read' },
  'host-refused': { status: 403, title: 'The Host of the request is not this server' },
  'origin-refused': { status: 403, title: 'Another web site may not call this server' },
  'signature-refused': { status: 403, title: 'The signature of the request does not hold' },
  'not-an-approver': { status: 403, title: 'The actor may not decide this request' },
  'not-found': { status: 404, title: 'There is nothing at this address' },
  'thread-not-found': { status: 404, title: 'No such thread' },
  'binding-not-found': { status: 404, title: 'No such binding' },
  'request-not-found': { status: 404, title: 'No such request' },
  'method-not-allowed': { status: 405, title: 'The method does not fit this address' },
  'request-timeout': { status: 408, title: 'The request took too long to arrive' },
  'already-settled': { status: 409, title: 'The request is settled' },
  'binding-not-web': { status: 409, title: 'The binding belongs to another chat platform' },
  'binding-without-channel': { status: 409, title: 'The binding has no channel for a new thread' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'message-too-large': { status: 413, title: 'The message is too large' },
  'unsupported-media-type': { status: 415, title: 'The body is not JSON' },
  'invalid-request': { status: 422, title: 'The request does not fit its schema' },
  'answer-incomplete': { status: 422, title: 'The answer does not answer the request' },
  'thread-full': { status: 429, title: 'Too many messages wait in this thread' },
  'head-too-large': { status: 431, title: 'The header fields are too large' },
  'internal-error': { status: 500, title: 'The courier failed' },
  stopping: { status: 503, title: 'The courier is stopping' },
  'too-many-streams': { status: 503, title: 'Too many event streams are open' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** Where a request does not fit: `at` is a JSON pointer into its body. */
export interface Fault {
  readonly at: string;
  readonly problem: string;
}

export interface ProblemOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly faults?: readonly Fault[];
}

const PROBLEM_HEADERS = {
  'content-type': 'application/problem+json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/** `detail` says what to do about it, and never repeats more of the request than a name. */
export function problem(code: ProblemCode, detail: string, { headers, faults }: ProblemOptions = {}): Response {
  const { status } = PROBLEMS[code];
  return new Response(problemBody(code, detail, faults), { status, headers: { ...PROBLEM_HEADERS, ...headers } });
}

/** The same on Node's own response, for what is refused before it is routed; the connection is closed. */
export function sendProblem(outgoing: ServerResponse, code: ProblemCode, detail: string): void {
  const body = problemBody(code, detail);
  const length = { 'content-length': Buffer.byteLength(body), connection: 'close' };
  outgoing.writeHead(PROBLEMS[code].status, { ...PROBLEM_HEADERS, ...length }).end(body);
}

export function problemBody(code: ProblemCode, detail: string, faults?: readonly Fault[]): string {
  const { status, title } = PROBLEMS[code];
  const type = `https://agentkourier.dev/problems/${code}`;
  return JSON.stringify({ type, code, title, status, detail, ...(faults === undefined ? {} : { faults }) });
}
