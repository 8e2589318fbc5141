import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { CARD, runCard as run } from '../../../test/card-command.ts';

const PAIR = generateKeyPairSync('ed25519');
const KEY = JSON.stringify({ ...PAIR.privateKey.export({ format: 'jwk' }), kid: 'k1' });
const JWKS = JSON.stringify({ keys: [{ ...PAIR.publicKey.export({ format: 'jwk' }), kid: 'k1' }] });

describe('card sign and verify', () => {
  const files = { card: CARD, key: KEY, jwks: JWKS };

  test('what is signed is verified, from a file and from an agent; the key set may be of the web', async () => {
    const signed = await run('sign card --key key', { files });
    assert.deepEqual([signed.held, signed.complaints], [true, ['kourier: signed with key k1, EdDSA']]);
    const line = 'ok    key "k1" signed this card, in the form presence, with EdDSA';
    const file = await run('verify - --jwks jwks', { files: { ...files, '-': signed.out } });
    assert.deepEqual([file.held, file.out], [true, `${line}\nstandard input is verified\n`]);
    const web = {
      'GET http://h:1/.well-known/agent-card.json': JSON.parse(signed.out) as unknown,
      'GET https://keys/jwks': JSON.parse(JWKS) as unknown,
    };
    const agent = await run('verify http://h:1 --jwks https://keys/jwks', { web });
    assert.deepEqual([agent.held, agent.out.split('\n')[0]], [true, line]);
  });

  test('C5 a card that was tampered with fails, with the key id', async () => {
    const { out } = await run('sign card --key key', { files });
    const ran = await run('verify - --jwks jwks', { files: { ...files, '-': out.replace('Talks.', 'Pays.') } });
    assert.equal(ran.held, false);
    assert.equal(
      ran.out,
      'FAIL  tampered: key "k1" did not sign this: the card or the signature was changed\nstandard input is not verified\n',
    );
    const json = await run('verify - --jwks jwks --json', { files: { ...files, '-': out.replace('Talks.', 'Pays.') } });
    const { ok, signatures } = JSON.parse(json.out) as { ok: boolean; signatures: Record<string, unknown>[] };
    assert.deepEqual([ok, signatures[0]?.['verdict'], signatures[0]?.['keyId']], [false, 'tampered', 'k1']);
  });

  test('a card that says two things is neither signed nor verified', async () => {
    const twice = (text: string): string => text.replace('"url":', '"url":"https://evil.example/","url":');
    const signing = await run('sign card --key key', { files: { ...files, card: twice(JSON.stringify(CARD)) } });
    assert.deepEqual([signing.held, signing.out], [false, '']);
    const { out } = await run('sign card --key key', { files });
    const verifying = await run('verify - --jwks jwks', { files: { ...files, '-': twice(out) } });
    assert.deepEqual([verifying.held, /found the member twice/.test(verifying.out)], [false, true]);
  });

  test('a card with faults is not signed, and they are told beside', async () => {
    const ran = await run('sign card --key key', { files: { ...files, card: { ...CARD, name: '' } } });
    assert.deepEqual([ran.held, ran.out], [false, '']);
    assert.deepEqual(ran.complaints, [
      'kourier: FAIL  $.name: found an empty text; A2A 1.0 allows a text with characters',
      'kourier: card is not signed: a card with faults is not signed',
    ]);
  });

  test('what verifiers disagree about is told', async () => {
    const ran = await run('sign card --key key', { files: { ...files, card: { ...CARD, description: '' } } });
    assert.match(ran.complaints[1] ?? '', /drop empty values, .*: \$\.description$/);
  });

  test('an unusable key is wrong usage; a key set that no server has is exit code 1', async () => {
    await assert.rejects(run('sign card --key jwks', { files }), /a private JWK/);
    const ran = await run('verify card --jwks https://keys/jwks', { files });
    assert.deepEqual(
      [ran.held, ran.complaints],
      [false, ['kourier: no key set at https://keys/jwks: HTTP 404; write the address of an agent, or of its card']],
    );
  });
});
