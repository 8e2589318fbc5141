import { createHmac, createPublicKey } from 'node:crypto';
import { authenticateContract } from '../../../../contract/authenticate.ts';
import { ManualClock } from '../../../../test/manual-clock.ts';
import { issuerKey, part, startTestIssuer, token } from '../../../../test/token-issuer.ts';
import type { TokenIssuer } from '../../../ports/space/space-configuration.ts';
import { authenticateToken } from './authenticate-token.ts';

const NOW = 1_900_000_000;

authenticateContract('oidc', async (t) => {
  const issuer = await startTestIssuer(t);
  const [ours, stranger] = [issuer.key, issuerKey(issuer.key.kid)];
  const rsa = issuerKey('rsa', 'RS256');
  issuer.keys = [ours, rsa];
  const configured: TokenIssuer = {
    ...{ name: 'acme', issuer: issuer.url, audience: 'space', kind: 'user', tenant: { claim: 'org' } },
    grants: [{ when: { claim: 'groups', has: 'ops' }, space: 'space-demo', role: 'operator' }],
  };
  const claims = { iss: issuer.url, aud: 'space', sub: 'alice', org: 'acme', exp: NOW + 60, groups: ['dev', 'ops'] };
  const other = { ...claims, sub: 'bob', groups: 'dev' };
  const symmetric = (secret: string | Buffer): string => {
    const input = `${part({ alg: 'HS256', kid: rsa.kid, typ: 'JWT' })}.${part(claims)}`;
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
  };
  const unsigned = `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`;
  const [header, body, signature] = token(ours, claims).split('.');
  return {
    authenticate: authenticateToken({
      ...{ issuers: () => [configured], fetch, clock: new ManualClock(NOW * 1_000), failed: () => undefined },
    }),
    good: [
      {
        token: token(ours, claims),
        principal: { tenant: 'acme', kind: 'user', id: 'acme:alice', grants: new Map([['space-demo', 'operator']]) },
      },
      { token: token(ours, other), principal: { tenant: 'acme', kind: 'user', id: 'acme:bob', grants: new Map() } },
    ],
    bad: {
      expired: token(ours, { ...claims, exp: NOW - 31 }),
      unknown: token(stranger, claims),
      'not yet': token(ours, { ...claims, nbf: NOW + 31 }),
      'never expires': token(ours, { ...claims, exp: undefined }),
      'expires as text': token(ours, { ...claims, exp: String(NOW + 60) }),
      'of another issuer': token(ours, { ...claims, iss: `${issuer.url}/` }),
      'of several issuers': token(ours, { ...claims, iss: [issuer.url] }),
      'for another audience': token(ours, { ...claims, aud: 'other' }),
      'for no audience': token(ours, { ...claims, aud: undefined }),
      'for no audience of many': token(ours, { ...claims, aud: ['other', 'spaces'] }),
      'of nobody': token(ours, { ...claims, sub: undefined }),
      'of an empty subject': token(ours, { ...claims, sub: ' ' }),
      'of a subject that is no text': token(ours, { ...claims, sub: 7 }),
      'of a subject in two lines': token(ours, { ...claims, sub: 'alice\nbob' }),
      'of a long subject': token(ours, { ...claims, sub: 'a'.repeat(256) }),
      'of no tenant': token(ours, { ...claims, org: undefined }),
      'of several tenants': token(ours, { ...claims, org: ['acme'] }),
      unsigned,
      'unsigned, with a signature': `${unsigned}${signature}`,
      'unsigned in capitals': `${part({ alg: 'None' })}.${part(claims)}.${signature}`,
      'signed with the public key as a secret': symmetric(JSON.stringify(rsa.jwk)),
      'signed with the public key in PEM': symmetric(
        createPublicKey(rsa.privateKey).export({ type: 'spki', format: 'pem' }),
      ),
      'signed with nothing': symmetric(''),
      'by a key of its own': token(stranger, claims, { jwk: stranger.jwk }),
      'by a key elsewhere': token(stranger, claims, { jku: 'http://127.0.0.1:1/jwks', x5u: 'http://127.0.0.1:1/x' }),
      'with a key id that is a path': token(stranger, claims, { kid: '../../../../dev/null' }),
      'with a key id that is a statement': token(stranger, claims, { kid: "' UNION SELECT 'secret" }),
      'with a key id that is an object': token(ours, claims, { kid: { toString: 'k-1' } }),
      'without a key id, by a stranger': token(stranger, claims, { kid: undefined }),
      'under an algorithm that does not fit its key': token(ours, claims, { alg: 'EdDSA' }),
      'with the key of another algorithm': token(ours, claims, { kid: 'rsa' }),
      'of another type': token(ours, claims, { typ: 'logout+jwt' }),
      'with a type that is none': token(ours, claims, { typ: null }),
      'with what it says is critical': token(ours, claims, { crit: ['exp'] }),
      'with an unencoded body': token(ours, claims, { crit: ['b64'], b64: false }),
      'another body': `${header}.${part({ ...claims, sub: 'root' })}.${signature}`,
      'a body that is no object': token(ours, '[]'),
      'a body that is no JSON': token(ours, '{"iss":'),
      'deep claims': token(ours, JSON.stringify(claims).replace('}', `,"x":${'['.repeat(17)}${']'.repeat(17)}}`)),
      'deeper claims': token(ours, `{"iss":"${issuer.url}","x":${'['.repeat(2_000)}`),
      'many claims': token(ours, JSON.stringify(claims).replace('}', `,"x":[${'[],'.repeat(1_000)}0]}`)),
      'two parts': `${header}.${body}`,
      'four parts': `${header}.${body}.${signature}.${signature}`,
      'encrypted, in five parts': `${header}.${body}.${signature}.${body}.${signature}`,
    },
  };
});
