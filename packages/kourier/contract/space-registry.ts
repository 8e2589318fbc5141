import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { SpaceConfiguration, SpaceRegistry } from '../src/ports/space/space-configuration.ts';

/** What an adapter brings for the contract: a registry over documents, and a way to change them. */
export interface SpaceRegistryUnderTest {
  readonly registry: SpaceRegistry;
  /** Makes these documents the whole configuration. */
  write(documents: readonly object[]): Promise<void>;
  /** Resolves when the adapter has refused a change since the last call. */
  refused(): Promise<void>;
}

const document = (kind: string, name: string, spec: object = {}): object => ({
  apiVersion: 'agentkourier.dev/v1alpha1',
  kind,
  metadata: { name },
  spec,
});

const secret = (values: object): object => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'held' },
  stringData: values,
});

const CARD = { url: 'http://127.0.0.1:9001/card' };
const SPACE = document('Space', 'demo');
const ECHO = document('SpaceAgent', 'echo', { space: 'demo', card: CARD });
const SIGNING = `whsec_${'a2V5'.repeat(8)}`;
const JWK = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
const sha256 = (digit: string): string => digit.repeat(64);
const key = (name: string, digit: string, spec: object = {}): object =>
  document('ApiKey', name, { sha256: sha256(digit), grants: [{ space: 'demo', role: 'caller' }], ...spec });

const nextChange = (registry: SpaceRegistry): Promise<SpaceConfiguration> =>
  new Promise((resolve) => {
    const end = registry.watch((configuration) => {
      end();
      resolve(configuration);
    });
  });

/** A Space with everything, and who may do what in it. */
const WHOLE: readonly object[] = [
  document('Gateway', 'gateway', {
    publicUrl: 'https://Agents.Example:443/kourier/',
    store: { postgres: { url: 'postgres://space@db/space' } },
    permits: { validFor: '5m' },
    health: { every: '1m', timeout: '2s', failures: 1 },
    cards: { sign: false },
  }),
  document('Space', 'demo', {
    tenant: 'acme',
    egress: { public: true, ports: [443, 8443], trustedHosts: ['localhost:8094', '[::1]:8094'] },
    signatures: { required: true, keys: [{ jwk: JWK, origins: ['https://A.example:443/'] }] },
    events: [{ name: 'tickets', url: 'http://tickets/', secretRef: { name: 'held', key: 'hook' } }],
  }),
  document('SpaceAgent', 'ledger', {
    id: 'Ledger_1',
    space: 'demo',
    card: { inline: { name: 'Ledger' } },
    reach: 'vpc',
    dialer: 'corp',
    credential: 'vendor',
    url: 'https://ledger.corp/a2a',
    runtime: { account: 'acme', agent: 'ledger', runtime: 'r-1' },
    disabled: true,
  }),
  document('Credential', 'vendor', {
    origins: ['https://LEDGER.corp:443'],
    headers: [
      { name: 'X-Team', value: 'ops' },
      { name: 'X-Key', valueFrom: { secretKeyRef: { name: 'held', key: 'key' } } },
    ],
  }),
  document('Dialer', 'corp', { proxy: 'http://proxy.corp:3128/', allow: { hosts: ['*.corp'], cidrs: ['fd00::/8'] } }),
  key('ci', 'a', { tenant: 'acme', kind: 'runtime', expiresAt: '2030-01-31' }),
  document('IdentityProvider', 'staff', {
    issuer: 'https://login.example',
    audience: 'space',
    jwksUrl: 'https://login.example/keys',
    kind: 'service',
    tenantClaim: 'org',
    grants: [
      { space: '*', role: 'caller' },
      { space: 'demo', role: 'operator', when: { claim: 'groups', has: 'platform' } },
    ],
  }),
  secret({ hook: SIGNING, key: 'k-1' }),
];

/** Every promise of the port `SpaceRegistry`, for one adapter. */
export function spaceRegistryContract(
  adapter: string,
  begin: (t: TestContext, documents: readonly object[]) => Promise<SpaceRegistryUnderTest>,
): void {
  describe(`space registry contract: ${adapter}`, () => {
    readingContract(begin);
    changingContract(begin);
  });
}

type Begin = Parameters<typeof spaceRegistryContract>[1];

function readingContract(begin: Begin): void {
  test('what is absent has its default, and without a document that says who may call it is local', async (t) => {
    const { registry } = await begin(t, [SPACE, ECHO]);
    assert.deepEqual(registry.current(), {
      store: { kind: 'sqlite' },
      permitValidMs: 120_000,
      health: { everyMs: 30_000, timeoutMs: 10_000, failures: 3 },
      signCards: true,
      spaces: new Map([
        [
          'demo',
          {
            id: 'demo',
            tenant: 'default',
            egress: { public: false, ports: [443], trustedHosts: [] },
            signatures: { required: false, keys: [] },
            sinks: [],
          },
        ],
      ]),
      agents: [{ space: 'demo', id: 'echo', card: { kind: 'url', url: CARD.url }, reach: 'inside', disabled: false }],
      credentials: new Map(),
      dialers: new Map(),
    });
  });

  test('what is written is there, with the values of secrets, and origins as a URL has them', async (t) => {
    const { registry } = await begin(t, WHOLE);
    const { spaces, agents, credentials, dialers, access, ...gateway } = registry.current();
    assert.deepEqual(gateway, {
      publicUrl: 'https://agents.example/kourier',
      store: { kind: 'postgres', url: 'postgres://space@db/space' },
      permitValidMs: 300_000,
      health: { everyMs: 60_000, timeoutMs: 2_000, failures: 1 },
      signCards: false,
    });
    assert.deepEqual(spaces.get('demo'), {
      id: 'demo',
      tenant: 'acme',
      egress: { public: true, ports: [443, 8443], trustedHosts: ['localhost:8094', '[::1]:8094'] },
      signatures: { required: true, keys: [{ jwk: JWK, origins: ['https://a.example'] }] },
      sinks: [{ name: 'tickets', url: 'http://tickets/', secret: SIGNING }],
    });
    assert.deepEqual(agents, [
      {
        space: 'demo',
        id: 'Ledger_1',
        card: { kind: 'given', card: { name: 'Ledger' } },
        reach: 'vpc',
        dialer: 'corp',
        credential: 'vendor',
        url: 'https://ledger.corp/a2a',
        runtime: { account: 'acme', tenant: '', agent: 'ledger', runtime: 'r-1' },
        disabled: true,
      },
    ]);
    const headers = [
      { name: 'X-Team', value: 'ops' },
      { name: 'X-Key', value: 'k-1' },
    ];
    assert.deepEqual([...credentials.values()], [{ name: 'vendor', origins: ['https://ledger.corp'], headers }]);
    const allow = { hosts: ['*.corp'], cidrs: ['fd00::/8'] };
    assert.deepEqual([...dialers.values()], [{ name: 'corp', proxy: 'http://proxy.corp:3128', allow, ports: [443] }]);
    assert.deepEqual(access, {
      apiKeys: [
        {
          name: 'ci',
          sha256: sha256('a'),
          tenant: 'acme',
          kind: 'runtime',
          grants: new Map([['demo', 'caller']]),
          expiresAt: Date.UTC(2030, 0, 31),
        },
      ],
      issuers: [
        {
          name: 'staff',
          issuer: 'https://login.example',
          audience: 'space',
          jwksUrl: 'https://login.example/keys',
          kind: 'service',
          tenant: { claim: 'org' },
          grants: [
            { space: '*', role: 'caller' },
            { space: 'demo', role: 'operator', when: { claim: 'groups', has: 'platform' } },
          ],
        },
      ],
    });
  });

  test('keys of one name stand beside each other, and an agent has its id in each Space', async (t) => {
    const there = document('SpaceAgent', 'echo-there', { id: 'echo', space: 'other', card: CARD });
    const { registry } = await begin(t, [
      SPACE,
      document('Space', 'other'),
      ECHO,
      there,
      key('ci', 'a'),
      key('ci', 'b'),
    ]);
    const { access, agents } = registry.current();
    assert.deepEqual(
      access?.apiKeys.map(({ name, sha256: kept }) => [name, kept[0]]),
      [
        ['ci', 'a'],
        ['ci', 'b'],
      ],
    );
    assert.deepEqual(
      agents.map(({ space, id }) => `${space}/${id}`),
      ['demo/echo', 'other/echo'],
    );
  });

  test('a public agent where none may be called is no mistake: it is listed as blocked', async (t) => {
    const card = { url: 'https://a.example/card' };
    const { registry } = await begin(t, [SPACE, document('SpaceAgent', 'a', { space: 'demo', reach: 'public', card })]);
    assert.deepEqual(
      registry.current().agents.map(({ reach }) => reach),
      ['public'],
    );
  });
}

function changingContract(begin: Begin): void {
  test('a change is taken up, and every watcher is told what is then current', async (t) => {
    const { registry, write } = await begin(t, [SPACE, ECHO]);
    const before = registry.current();
    const told = [nextChange(registry), nextChange(registry)];
    await write([SPACE, ECHO, key('ci', 'a')]);
    const [one, other] = await Promise.all(told);
    assert.equal(one, other);
    assert.equal(one, registry.current());
    assert.equal(one?.access?.apiKeys.length, 1);
    assert.equal(before.access, undefined, 'a configuration is immutable');
  });

  test('a secret that alone has changed reaches what refers to it', async (t) => {
    const { registry, write } = await begin(t, WHOLE);
    const change = nextChange(registry);
    await write([...WHOLE.slice(0, -1), secret({ hook: SIGNING, key: 'k-2' })]);
    const { headers } = (await change).credentials.get('vendor') ?? {};
    assert.deepEqual(headers?.at(-1), { name: 'X-Key', value: 'k-2' });
  });

  test('who takes the last key away lets nobody in, and does not open the door', async (t) => {
    const gateway = document('Gateway', 'gateway', { publicUrl: 'https://agents.example' });
    const { registry, write } = await begin(t, [gateway, SPACE, key('ci', 'a')]);
    const change = nextChange(registry);
    await write([gateway, SPACE]);
    assert.deepEqual((await change).access, { apiKeys: [], issuers: [] });
    const again = nextChange(registry);
    await write([gateway, SPACE, ECHO]);
    assert.deepEqual((await again).access, { apiKeys: [], issuers: [] });
  });

  test('a bad change is refused with its reasons, the last good one stays, and the next good one is taken up', async (t) => {
    const { registry, write, refused } = await begin(t, [SPACE, ECHO]);
    const good = registry.current();
    await write([SPACE, document('SpaceAgent', 'echo', { space: 'dmo', card: CARD })]);
    await refused();
    assert.equal(registry.current(), good);
    assert.match(registry.problems().join('\n'), /SpaceAgent echo: Space dmo is not known; write demo$/);
    const change = nextChange(registry);
    await write([SPACE]);
    assert.deepEqual((await change).agents, []);
    assert.deepEqual(registry.problems(), []);
  });
}
