import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageSha256 } from './message-sha256.ts';

test('a message has one hash, however it is written and to whichever task it goes', () => {
  const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'é' }] };
  // printf '{"messageId":"m","parts":[{"text":"é"}],"role":"ROLE_USER"}' | sha256sum
  const expected = 'e781d012c72e647f534497006cd4a6173a05517cb6083215ba2856d1da452d24';
  assert.equal(messageSha256(message), expected);
  assert.equal(
    messageSha256({ parts: [{ text: '\u00e9' }], taskId: 't', role: 'ROLE_USER', contextId: 'c', messageId: 'm' }),
    expected,
  );
  assert.notEqual(messageSha256({ ...message, extra: { taskId: 't' } }), messageSha256({ ...message, extra: {} }));
});

test('a message that has no canonical form has no hash', () => {
  assert.equal(messageSha256({ messageId: 'half \ud800' }), undefined);
});
