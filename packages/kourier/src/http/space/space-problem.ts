/** Every way in which a call of the Space's interface fails: its stable code, its status and its title (RFC 9457). */
export const SPACE_PROBLEMS = {
  'malformed-request': { status: 400, title: 'The request could not be read' },
  'bad-cursor': { status: 400, title: 'The cursor is none that a page ended with' },
  unauthenticated: { status: 401, title: 'Nobody known asks' },
  forbidden: { status: 403, title: 'The role does not allow it' },
  'origin-refused': { status: 403, title: 'A web site may not call this server' },
  'host-refused': { status: 403, title: 'The Host of the request is not this server' },
  'not-found': { status: 404, title: 'There is nothing at this address, or it is not for the caller' },
  'method-not-allowed': { status: 405, title: 'The method does not fit this address' },
  'agent-blocked': { status: 409, title: 'The agent cannot be called' },
  A2A_TARGET_VERSION_CHANGED: { status: 409, title: 'The agent has another revision' },
  A2A_REMOTE_TASK_NOT_BOUND: { status: 409, title: 'The agent has not named its task' },
  'idempotency-conflict': { status: 409, title: 'The key was used for something else' },
  'not-pending': { status: 409, title: 'The revision does not wait for a decision' },
  'configured-agent': { status: 409, title: 'The agent stands in the configuration' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'The body is not JSON' },
  'invalid-request': { status: 422, title: 'The request does not fit its schema' },
  'card-refused': { status: 422, title: 'The card is not taken' },
  'card-unavailable': { status: 422, title: 'The card could not be read' },
  'too-many-calls': { status: 429, title: 'Too many calls are under way' },
  'internal-error': { status: 500, title: 'The Space failed' },
  'agent-awaited': { status: 503, title: 'The agent has not been looked at yet' },
  'authentication-unavailable': { status: 503, title: 'It cannot be told now who asks' },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly title: string }>>;

export type SpaceProblemCode = keyof typeof SPACE_PROBLEMS;

const HEADERS = {
  'content-type': 'application/problem+json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/** `detail` says what to do about it, and repeats nothing of the request. `members` are beside those of every problem. */
export function problemText(
  code: SpaceProblemCode,
  detail: string,
  members: Readonly<Record<string, unknown>> = {},
): { readonly status: number; readonly headers: typeof HEADERS; readonly body: string } {
  const { status, title } = SPACE_PROBLEMS[code];
  const type = `https://agentkourier.dev/problems/${code}`;
  return { status, headers: HEADERS, body: JSON.stringify({ type, code, title, status, detail, ...members }) };
}

/** The same as an answer. */
export function spaceProblem(
  code: SpaceProblemCode,
  detail: string,
  members: Readonly<Record<string, unknown>> = {},
  more: Readonly<Record<string, string>> = {},
): Response {
  const { status, headers, body } = problemText(code, detail, members);
  return new Response(body, { status, headers: { ...headers, ...more } });
}

/** Thrown where it is found out, answered where the call came in. */
export class SpaceRefusal extends Error {
  override readonly name = 'SpaceRefusal';
  readonly code: SpaceProblemCode;
  readonly answer: Response;

  constructor(...problem: Parameters<typeof spaceProblem>) {
    super(problem[0]);
    this.code = problem[0];
    this.answer = spaceProblem(...problem);
  }
}
