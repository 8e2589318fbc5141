import { authenticateContract } from '../../../../contract/authenticate.ts';
import type { ApiKey } from '../../../ports/space/space-configuration.ts';
import { apiKeySha256, apiKeyText } from './api-key.ts';
import { authenticateApiKey } from './authenticate-api-key.ts';

const NOW = 1_900_000_000_000;
const text = (name: string, fill: number): string => apiKeyText(name, new Uint8Array(32).fill(fill));

authenticateContract('api-key', async () => {
  const named = (name: string, key: string, more: Partial<ApiKey> = {}): ApiKey => ({
    ...{ name, sha256: apiKeySha256(key), tenant: 'acme', kind: 'service' },
    grants: new Map([['space-demo', 'caller']]),
    ...more,
  });
  const [ci, alice, old] = [text('ci', 1), text('alice', 2), text('old', 3)];
  const keys = [
    named('ci', ci),
    named('alice', alice, { kind: 'user', tenant: 'other', expiresAt: NOW + 1 }),
    named('old', old, { expiresAt: NOW }),
  ];
  const grants = new Map([['space-demo', 'caller']] as const);
  return {
    authenticate: authenticateApiKey({ keys: () => keys, clock: { now: () => NOW } }),
    good: [
      { token: ci, principal: { tenant: 'acme', kind: 'service', id: 'ci', grants } },
      { token: alice, principal: { tenant: 'other', kind: 'user', id: 'alice', grants } },
    ],
    bad: {
      expired: old,
      unknown: text('ci', 4),
      'the name of another': `kourier_alice${ci.slice('kourier_ci'.length)}`,
      'its hash': apiKeySha256(ci),
    },
  };
});
