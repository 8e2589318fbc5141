import assert from 'node:assert/strict';
import type { SeenCall } from '../../contract/http-agent.ts';
import { messageOf, type SentMessage } from './sent-message.ts';
import type { Item } from './transcript.ts';

/** HTTP headers that the contract fixes, of those that a transcript shows. `Accept` and the like are the protocol's own. */
const FIXED_HEADERS = ['a2a-version', 'a2a-extensions', 'x-user-id'];

/**
 * Compares a call with the one that a transcript expects, on what the contract fixes: method, headers, and every field
 * of the message but its id. The transcripts are a Slack thread's; this is a web thread, so the platform differs.
 */
export function assertSent(call: SeenCall | undefined, item: Item | undefined): void {
  assert.ok(call && item?.request, 'a call for each that the transcript shows');
  const { headers, body } = item.request;
  const fixed = Object.entries(headers).filter(([name]) => FIXED_HEADERS.includes(name.toLowerCase()));
  for (const [name, value] of fixed) assert.equal(call.headers[name.toLowerCase()], value, name);
  assert.equal(call.body.method, body.method);
  const params = call.body.params ?? {};
  const expected = body.params['message'] as SentMessage | undefined;
  if (expected === undefined) {
    assert.equal(params['id'], body.params['id']);
    assert.equal(params['contextId'], body.params['contextId']);
    return;
  }
  assert.deepEqual(neutral(messageOf(call)), neutral(expected));
}

/** Without its id, in words that hold on either platform. A turn's text begins with who wrote it (rule S6). */
function neutral({ messageId, parts, metadata, ...message }: SentMessage): object {
  assert.equal(typeof messageId, 'string');
  const words = parts.map((part) => ({ ...part, text: part.text.replace(/^\[(Web|Slack): .*\]\n/, '') }));
  return { ...message, parts: words, metadata: JSON.parse(JSON.stringify(metadata).replaceAll('"slack"', '"web"')) };
}

/** The prefix is the contract's, whatever a transcript shows. */
export function assertPrefixed(call: SeenCall | undefined): void {
  assert.match(messageOf(call).parts[0]?.text ?? '', /^\[Web: Dana Cruz \(U0AAA111\) <dana@example\.com>\]\n/);
}
