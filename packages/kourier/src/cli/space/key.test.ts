import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from '../parse.ts';
import { apiKeyDocument, keyOptions } from './key.ts';

const options = (line: string) => {
  const parsed = parse(['space', 'key', ...line.split(' ').filter((word) => word !== '')]);
  assert.ok(parsed.kind === 'command');
  return keyOptions(parsed.values);
};

describe('space key', () => {
  test('what it is for, a service unless it is said', () => {
    assert.deepEqual(options('--name ci --tenant acme --space-id space-demo:caller --space-id=*:operator'), {
      ...{ name: 'ci', tenant: 'acme', kind: 'service' },
      grants: [
        { space: 'space-demo', role: 'caller' },
        { space: '*', role: 'operator' },
      ],
    });
    const more = '--name a --tenant t --space-id s:publisher --kind user --expires';
    assert.equal(options(`${more} 2030-01-31`).kind, 'user');
    assert.equal(options(`${more} 2030-01-31`).expiresAt, '2030-01-31T00:00:00Z');
    assert.equal(options(`${more} 2030-01-31T12:30:00Z`).expiresAt, '2030-01-31T12:30:00Z');
  });

  test('the document holds the hash, and all that was said', () => {
    const said = options('--name ci --tenant acme --space-id s:caller --expires 2030-01-31');
    assert.deepEqual(apiKeyDocument(said, 'ab'), {
      ...{ apiVersion: 'agentkourier.dev/v1alpha1', kind: 'ApiKey', metadata: { name: 'ci' } },
      spec: {
        ...{ tenant: 'acme', kind: 'service', sha256: 'ab', expiresAt: '2030-01-31T00:00:00Z' },
        grants: [{ space: 's', role: 'caller' }],
      },
    });
  });

  const good = '--name ci --tenant acme --space-id s:caller';
  for (const [line, expected] of Object.entries({
    '': 'space key needs --name; write --name NAME',
    '--name ci': 'space key needs --tenant; write --tenant TENANT',
    '--name ci --tenant acme': 'space key needs --space-id; write --space-id ID:ROLE',
    '--name Ci_1 --tenant acme': '--name Ci_1 is no name; write small letters, digits and - in at most 63 characters',
    '--name ci --tenant=': '--tenant is no name of a tenant; write the tenant of its Spaces, in one line',
    '--name ci --tenant t --space-id s':
      '--space-id s is no Space with a role; write ID:ROLE, as space-demo:caller, or *:ROLE for all Spaces of the tenant',
    '--name ci --tenant t --space-id s:caller:x':
      '--space-id s:caller:x is no Space with a role; write ID:ROLE, as space-demo:caller, or *:ROLE for all Spaces of the tenant',
    '--name ci --tenant t --space-id -s:caller': 'option --space-id has no value; write --space-id ID',
    '--name ci --tenant t --space-id s:calller': '--space-id s:calller: role calller is not known; write caller',
    [`${good} --space-id s:operator`]: '--space-id names s twice; leave one out: each role may do what the lesser may',
    [`${good} --kind admin`]: '--kind admin is not known; write one of user, service, runtime',
    [`${good} --expires 2030-02-30`]:
      '--expires 2030-02-30 is no time; write a day, as 2030-01-31, or 2030-01-31T12:00:00Z',
    [`${good} --expires soon`]: '--expires soon is no time; write a day, as 2030-01-31, or 2030-01-31T12:00:00Z',
  })) {
    test(`space key ${line}: ${expected}`, () => {
      assert.throws(() => options(line), { message: expected });
    });
  }

  test('prints the key alone, and what to configure beside it, where its hash stands and the key does not', () => {
    const bin = fileURLToPath(new URL('../../../bin/kourier.mjs', import.meta.url));
    const shell = `"$0" "$1" space key ${good} 2>&1 >&3 | sed 's/^/err /'`;
    const printed = execFileSync('sh', ['-c', `{ ${shell}; } 3>&1`, process.execPath, bin], { encoding: 'utf8' });
    const lines = printed.trimEnd().split('\n');
    const key = lines.find((line) => !line.startsWith('err ')) ?? '';
    assert.match(key, /^kourier_ci_[\w-]{49}$/);
    const document = lines.filter((line) => line !== key).map((line) => line.slice('err '.length));
    assert.deepEqual(document, [
      ...['---', 'apiVersion: agentkourier.dev/v1alpha1', 'kind: ApiKey', 'metadata:', '  name: ci', 'spec:'],
      ...['  tenant: acme', '  kind: service', `  sha256: ${createHash('sha256').update(key).digest('hex')}`],
      ...['  grants:', '    - space: s', '      role: caller'],
    ]);
  });
});
