import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { ProblemCode } from './problem.ts';
import type { ANSWER_SCHEMAS } from './schemas/answers.ts';
import type { Bodies } from './schemas/requests.ts';
import type { Schema } from './schemas/schema.ts';

export type HttpContext = Context<{ Bindings: HttpBindings }>;
type Answered = Response | Promise<Response>;

/** What the OpenAPI document says of a call. */
export interface Operation {
  readonly summary: string;
  /** By status: the schema of a JSON answer, or another content type. */
  readonly answers: Readonly<Record<number, AnswerShape>>;
  /** The problems of this call, beside those that any call can have. */
  readonly problems?: readonly ProblemCode[];
  /** A parameter's schema, or the description of one that is any text. */
  readonly query?: Readonly<Record<string, string | Schema>>;
  readonly headers?: Readonly<Record<string, string | Schema>>;
}

export interface AnswerShape {
  readonly description: string;
  readonly schema?: keyof typeof ANSWER_SCHEMAS;
  /** `application/json` when absent. */
  readonly contentType?: string;
}

/** One call of the interface. A POST takes a JSON body, which fits its schema when `answer` sees it. */
export interface Route {
  readonly method: 'get' | 'post';
  /** As Hono takes it: `/api/v1/threads/:id`. */
  readonly path: string;
  readonly operation: Operation;
  readonly body?: keyof Bodies;
  /** Before the body is read, and then of its very bytes, before they are parsed: whether the caller may do this. */
  readonly admit?: (c: HttpContext) => Response | ((bytes: Uint8Array) => Response | undefined);
  /** `bytes`: the body as it came; empty where none is taken. */
  readonly answer: (c: HttpContext, body: unknown, bytes: Uint8Array) => Answered;
}

export function get(path: string, operation: Operation, answer: (c: HttpContext) => Answered): Route {
  return { method: 'get', path, operation, answer };
}

export function post<Name extends keyof Bodies>(
  path: string,
  body: Name,
  operation: Operation,
  answer: (c: HttpContext, body: Bodies[Name]) => Answered,
): Route {
  return { method: 'post', path, operation, body, answer: (c, read) => answer(c, read as Bodies[Name]) };
}

export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return jsonText(JSON.stringify(value), status, headers);
}

export function jsonText(text: string, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  const fixed = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  return new Response(text, { status, headers: { ...fixed, ...headers } });
}
