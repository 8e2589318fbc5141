import assert from 'node:assert/strict';
import type { SeenCall } from '../../contract/http-agent.ts';

type Json = Readonly<Record<string, unknown>>;

export interface SentMessage {
  readonly messageId: string;
  readonly contextId?: string;
  readonly taskId?: string;
  readonly parts: readonly { readonly text: string }[];
  readonly metadata?: Json;
  readonly extensions?: readonly string[];
}

/** The message of a send. */
export function messageOf(call: SeenCall | undefined): SentMessage {
  assert.ok(call, 'a send');
  return call.body.params?.['message'] as SentMessage;
}
