import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REDACTED, redact, redactText } from './redact.ts';

test('decision 18: a secret is redacted by its shape, and what stands around it stays', () => {
  const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${'s'.repeat(43)}`;
  for (const [text, shown] of [
    [`key ${jwt}.`, `key ${REDACTED}.`],
    [`key=a-${jwt} b`, `key=a-${REDACTED} b`],
    [`a.${jwt}`, `a.${REDACTED}`],
    [`see sk-${'A1'.repeat(12)}, and`, `see ${REDACTED}, and`],
    [`sk-proj-${'A1'.repeat(12)}`, REDACTED],
    [`sk-ant-api03-${'A1'.repeat(12)}`, REDACTED],
    ['https://user:p4ss:w0rd@host/path', `https://${REDACTED}@host/path`],
    ['https://host:8080/path', 'https://host:8080/path'],
    ['ask-a-question-about-the-eyJ', 'ask-a-question-about-the-eyJ'],
  ] as const) {
    assert.equal(redactText(text), shown, text);
  }
  assert.deepEqual(redact({ apiKey: 'x', list: [`Bearer ${'t'.repeat(20)}`], max_tokens: 3 }), {
    apiKey: REDACTED,
    list: [`Bearer ${REDACTED}`],
    max_tokens: 3,
  });
});

test('what looks like the beginning of a secret a thousand times over takes time that is linear in it', () => {
  const size = 1_024 * 1_024;
  for (const piece of [
    '://a:',
    'a:',
    'eyJ-',
    'eyJ',
    'sk-',
    'sk-a-',
    'token = ',
    'password',
    'bearer ',
    '-----BEGIN ',
  ]) {
    const text = `://eyJ${piece.repeat(size / piece.length)}`;
    const startedAt = performance.now();
    redactText(text);
    // Half a second at the most on a slow machine; with time that grows as the square it would be minutes.
    assert.ok(performance.now() - startedAt < 5_000, piece);
  }
});
