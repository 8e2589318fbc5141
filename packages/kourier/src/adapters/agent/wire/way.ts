import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Headers } from './headers.ts';

/** How the calls of one binding leave this machine. */
export interface Way {
  /**
   * One HTTP call up to its response headers, with the standing headers added. Follows no redirect, repeats nothing and
   * has no limit of its own on the time that an answer takes. Rejects when there is no answer; `thrownFailure` reads why.
   */
  call(request: WayRequest): Promise<WayAnswer>;
}

export interface WayRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  /** The call's own. */
  readonly headers: Headers;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface WayAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Must be read to its end or destroyed. */
  readonly body: Readable;
}

/** A connection attempt of its own, so that "nothing was sent" can be told from "no headers came". */
export const CONNECT_MS = 10_000;
