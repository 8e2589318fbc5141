import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import {
  type Upstream,
  type UpstreamAnswer,
  UpstreamFailed,
  type UpstreamRequest,
} from '../src/ports/space/upstream.ts';
import type { UpstreamHost } from './upstream-host.ts';

/** An implementation of the port, and the host that it reaches. */
export interface UpstreamUnderTest {
  readonly upstream: Upstream;
  readonly host: UpstreamHost;
  /** Of the host, without a path. */
  readonly origin: string;
}

/** What a test sets of the limits that all implementations have. */
export interface UpstreamTestLimits {
  readonly responseBytes?: number;
  readonly eventStreamBytes?: number;
}

export type OpenUpstream = (t: TestContext, limits?: UpstreamTestLimits) => Promise<UpstreamUnderTest>;

export interface UpstreamTraits {
  /** Of its codes: `A2A_UPSTREAM` or `A2A_EGRESS`. */
  readonly family: string;
}

export const EVENTS = { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' };
export const never = (): AbortSignal => new AbortController().signal;
export const get = (origin: string): UpstreamRequest => ({ method: 'GET', url: `${origin}/a`, headers: {} });

/** Of a call that fails: its code, whether it may have been sent, whether the same may go well later. */
export async function failureOf(work: Promise<unknown>): Promise<readonly [string, boolean, boolean]> {
  const error = await work.then(
    () => assert.fail('it did not fail'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof UpstreamFailed, String(error));
  assert.ok(error.message.startsWith(`${error.code}: `));
  return [error.code, error.sent, error.retryable];
}

export async function bodyOf(answer: UpstreamAnswer): Promise<string> {
  const pieces: Uint8Array[] = [];
  await answer.read((piece) => void pieces.push(piece));
  return Buffer.concat(pieces).toString('latin1');
}
