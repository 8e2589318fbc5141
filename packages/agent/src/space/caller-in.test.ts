import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerIn } from './caller-in.ts';

const token = (claims: unknown, signature: string): string =>
  ['{}', JSON.stringify(claims), signature].map((part) => Buffer.from(part).toString('base64url')).join('.');

test('a credential says whom it is of, and the next one of the same caller says the same', () => {
  assert.equal(callerIn(`kourier_my_ci_${'a'.repeat(49)}`), 'my_ci');
  assert.equal(callerIn(`kourier_my_ci_${'_'.repeat(49)}`), 'my_ci');
  const claims = { iss: 'https://idp.example', sub: 'ada' };
  assert.equal(callerIn(token({ ...claims, exp: 1 }, 's')), callerIn(token({ ...claims, exp: 2 }, 'r')));
  assert.notEqual(callerIn(token(claims, 's')), callerIn(token({ ...claims, sub: 'bob' }, 's')));
});

test('one that says nothing is of nobody', () => {
  for (const credential of ['', 'x', 'a.b.c', `${token('x', 's')}`, 'kourier_x_short'])
    assert.equal(callerIn(credential), '');
});
