import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeLink } from './link.ts';

test('decision 17: only the web and mail can be linked to', () => {
  for (const href of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    '/api/v1/threads',
    '',
    'vbscript:x',
  ]) {
    assert.equal(judgeLink(href, 'click'), undefined, href);
  }
  assert.deepEqual(judgeLink('mailto:a@example.org', 'write'), { href: 'mailto:a@example.org' });
});

test('decision 17: words that lead where they say need no destination', () => {
  const honest = [
    ['https://example.org/a', 'the report'],
    ['https://example.org/a', 'https://example.org/a'],
    ['https://example.org/', 'example.org'],
    ['https://www.example.org/a/b?c', 'example.org/a'],
    ['https://example.org/a', 'see https://example.org.'],
  ] as const;
  for (const [href, text] of honest) assert.equal(judgeLink(href, text)?.destination, undefined, text);
});

test('decision 17: words that read like another place get the destination beside them', () => {
  const disguises = [
    ['https://evil.example/x', 'https://bank.example', 'evil.example/x'],
    ['https://evil.example/', 'bank.example/login', 'evil.example'],
    ['https://example.org.evil.example/', 'example.org', 'example.org.evil.example'],
    ['https://example.orgy.example/', 'https://example.org', 'example.orgy.example'],
    ['https://example.org/evil', 'example.org/good', 'example.org/evil'],
    ['https://bank.example@evil.example/', 'our bank', 'evil.example'],
    ['https://evil.example/', 'bank\u200B.ex\u00ADample', 'evil.example'],
    ['https://evil.example/', 'bank。example', 'evil.example'],
    ['https://xn--exmple-cua.org/', 'exämple.org', 'xn--exmple-cua.org'],
    ['mailto:evil@evil.example', 'help@bank.example', 'evil@evil.example'],
  ] as const;
  for (const [href, text, destination] of disguises)
    assert.equal(judgeLink(href, text)?.destination, destination, text);
});

test('a long destination keeps its beginning, where the host stands', () => {
  const destination = judgeLink(`https://evil.example/${'a'.repeat(500)}`, 'bank.example')?.destination ?? '';
  assert.ok(destination.startsWith('evil.example/') && destination.length <= 61);
});

test('a text too long to be judged gets the destination, at once', () => {
  for (const piece of ['a.', 'a@', '.', 'a', '://', 'a-']) {
    assert.equal(judgeLink('https://example.org/', piece.repeat(1_000_000))?.destination, 'example.org');
  }
});
