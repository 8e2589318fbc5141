import { agent, credential, DEMO, dialer, document, GRANTS, gateway, key, space } from '../fixtures/space-documents.ts';
import { type RefusedTable, testRefused } from '../fixtures/test-refused.ts';
import { readSpaceConfiguration } from './read-space-configuration.ts';

const CARD = 'card: { url: http://127.0.0.1:9001/card }';
const HEADERS = 'headers: [{ name: X-Key, value: x }]';
const SECRET = 'apiVersion: v1\nkind: Secret\nmetadata: { name: hooks }\n';
const KINDS = 'Gateway, Space, SpaceAgent, Credential, Dialer, ApiKey, IdentityProvider, Secret';

/** The halves of one key, of RFC 8037. */
const X = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
const D = 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A';

const UNSIGNED =
  'Space demo: the value of secret hooks, key a, does not sign events; write whsec_ and what openssl rand -base64 32 prints';

const DOCUMENTS: RefusedTable = {
  'a kind of the courier': [
    document('Binding', 'ops', '{}'),
    'f.yaml:2: kind Binding belongs to kourier up; move it to a file that is given to that',
  ],
  'a misspelt kind': [document('SpaceAgnt', 'echo', '{}'), 'f.yaml:2: kind SpaceAgnt is not known; write SpaceAgent'],
  'an unknown kind': [
    document('Deployment', 'echo', '{}'),
    `f.yaml:2: kind Deployment is not known; write one of ${KINDS}`,
  ],
  'two gateways': [
    `${gateway('{}')}${gateway('{}')}`,
    'f.yaml:6: Gateway stands at f.yaml:1 already; keep one for all',
  ],
  'a name twice': [`${DEMO}${DEMO}`, 'f.yaml:6: Space demo stands at f.yaml:1 already; rename or remove one of them'],

  // Gateway
  'a publicUrl that is not https': [
    `${gateway('{ publicUrl: http://agents.example }')}${DEMO}${key(GRANTS)}`,
    'f.yaml:4: Gateway gateway: publicUrl is not https; write https://: callers send their keys there',
  ],
  'a publicUrl with a query': [
    gateway('{ publicUrl: "https://agents.example/?key=hush" }'),
    'f.yaml:4: Gateway gateway: publicUrl is a URL with a query or fragment; end it with its path: a key belongs in headers',
  ],
  'a publicUrl that is open to all': [
    gateway('{ publicUrl: https://agents.example }'),
    'f.yaml:4: Gateway gateway: publicUrl is not loopback, and nothing says who may call; add an ApiKey (kourier space key makes one) or an IdentityProvider',
  ],
  'who may call, said in a document that is refused, is no local mode': [
    `${gateway('{ publicUrl: https://agents.example }')}${document('ApiKey', 'ci', '{ sha256: hush }')}`,
    'f.yaml:9: ApiKey ci: grants is missing; add grants',
    'f.yaml:9: ApiKey ci: sha256 is no SHA-256; write 64 small hex digits, as kourier space key prints them',
  ],
  'a permit that is good for too long': [
    gateway('{ permits: { validFor: 6m } }'),
    'f.yaml:4: Gateway gateway: permits.validFor is too long; write at most 5m',
  ],
  'a check that takes longer than its turn': [
    gateway('{ health: { every: 5s } }'),
    'f.yaml:4: Gateway gateway: health.timeout is longer than health.every; make it shorter',
  ],
  'a check that fails in words': [
    gateway('{ health: { failures: "3" } }'),
    'f.yaml:4: Gateway gateway: health.failures is no whole number; write a whole number without quotes',
  ],
  'a database that is none': [
    gateway('{ store: { postgres: { url: "mysql://user:hush@db/space" } } }'),
    'f.yaml:4: Gateway gateway: store.postgres.url is no address of a PostgreSQL database; write postgres://USER@HOST/DATABASE',
  ],
  'two stores': [
    gateway('{ store: { sqlite: {}, postgres: { url: "postgres://db/space" } } }'),
    'f.yaml:4: Gateway gateway: store needs exactly one of sqlite, postgres; write one',
  ],

  // Space
  'signatures without a key': [
    space('{ signatures: { required: true } }'),
    'f.yaml:4: Space demo: signatures are required, and signatures.keys names no key; add the keys that count',
  ],
  'a private key': [
    space(`{ signatures: { keys: [{ jwk: { kty: OKP, crv: Ed25519, x: ${X}, d: ${D} } }] } }`),
    'f.yaml:4: Space demo: signatures.keys[0].jwk is private; write its public half, and take the other away from here',
  ],
  'a shared key': [
    space('{ signatures: { keys: [{ jwk: { kty: oct, k: hush } }] } }'),
    'f.yaml:4: Space demo: signatures.keys[0].jwk is private; write its public half, and take the other away from here',
  ],
  'a key that verifies nothing': [
    space(`{ signatures: { keys: [{ jwk: { kty: OKP, crv: X25519, x: ${X} } }] } }`),
    'f.yaml:4: Space demo: signatures.keys[0].jwk is no key of a card: key 0: its kty, crv and alg are none that cards are signed with; write a public JWK',
  ],
  'a key for a place that is no origin': [
    space(`{ signatures: { keys: [{ jwk: { kty: OKP, crv: Ed25519, x: ${X} }, origins: [https://a.example/b] }] } }`),
    'f.yaml:4: Space demo: signatures.keys[0].origins[0] is no origin: it has a path; end it with the host, or its port',
  ],
  'a file of keys that is not there': [
    space('{ signatures: { keys: [{ jwkFile: no/keys.json }] } }'),
    'f.yaml:4: Space demo: signatures.keys[0].jwkFile: not there; check the path',
  ],
  'a trusted host without its port': [
    space('{ egress: { trustedHosts: [localhost] } }'),
    'f.yaml:4: Space demo: egress.trustedHosts[0] is no host with its port; write both, in small letters, as localhost:8094 or [::1]:8094',
  ],
  'a port that is none': [
    space('{ egress: { ports: [0] } }'),
    'f.yaml:4: Space demo: egress.ports[0] must be >= 1; correct it',
  ],
  'a tenant over two lines': [
    space('{ tenant: "a\\nb" }'),
    'f.yaml:4: Space demo: tenant is no name; write one line of at most 255 characters',
  ],
  'a name that is too long for an id': [
    document('Space', 'a'.repeat(129), '{}'),
    `f.yaml:3: Space ${'a'.repeat(63)}…: its name is no id; write letters, digits, ., _ and - in at most 128 characters`,
  ],
  'events of one name, of which one is not signed well': [
    `${space(
      '\n  events:\n    - { name: a, url: http://a/, secretRef: { name: hooks, key: a } }\n    - { name: a, url: http://b/, secretRef: { name: hooks, key: a } }',
    )}${SECRET}stringData: { a: whsec_hush }\n`,
    `f.yaml:6: ${UNSIGNED}`,
    'f.yaml:7: Space demo: events a stands here twice; rename one of them',
    `f.yaml:7: ${UNSIGNED}`,
  ],
};

const AGENTS: RefusedTable = {
  'an agent of an unknown Space': [
    `${document('Space', 'support', '{}')}${agent(CARD)}`,
    'f.yaml:9: SpaceAgent echo: Space demo is not known; write support, or add a Space demo',
  ],
  'an agent without any Space': [agent(CARD), 'f.yaml:4: SpaceAgent echo: Space demo is not known; add a Space demo'],
  'a Space that is refused is no second mistake': [
    `${space('{ tenant: 7 }')}${agent(CARD)}`,
    'f.yaml:4: Space demo: tenant is no text; put it in quotes',
  ],
  'an id twice in a Space': [
    `${DEMO}${agent(CARD)}${document('SpaceAgent', 'other', `{ id: echo, space: demo, ${CARD} }`)}`,
    'f.yaml:14: SpaceAgent other: Space demo has an agent echo at f.yaml:6 already; write another id',
  ],
  'no card': [
    `${DEMO}${document('SpaceAgent', 'echo', '{ space: demo, card: {} }')}`,
    'f.yaml:9: SpaceAgent echo: card needs exactly one of url, file, inline; write one',
  ],
  'a card file that is not there': [
    `${DEMO}${agent('card: { file: no/card.json }')}`,
    'f.yaml:9: SpaceAgent echo: card.file: not there; check the path',
  ],
  'a card that JSON does not know': [
    `${DEMO}${agent('card: { inline: { version: .inf } }')}`,
    'f.yaml:9: SpaceAgent echo: card.inline holds what JSON does not know; write it as it would stand in JSON',
  ],
  'a reach that is none': [
    `${DEMO}${agent(`${CARD}, reach: publik`)}`,
    'f.yaml:9: SpaceAgent echo: reach is not known; write public',
  ],
  'reach public over plain HTTP': [
    `${DEMO}${agent(`${CARD}, reach: public, url: http://a.example`)}`,
    'f.yaml:9: SpaceAgent echo: url is not https, which its reach needs; write https://, or reach: inside',
    'f.yaml:9: SpaceAgent echo: card.url is not https, which its reach needs; write https://, or reach: inside',
  ],
  'reach public on a port that the Space does not have': [
    `${DEMO}${agent('card: { url: "https://a.example:8443/card" }, reach: public')}`,
    'f.yaml:9: SpaceAgent echo: card.url has port 8443, which is not among the egress.ports of Space demo; add it there',
  ],
  'reach vpc on a port that the dialer does not have': [
    `${DEMO}${dialer('{ proxy: http://proxy:3128, allow: { hosts: [a.corp] } }')}${agent('card: { url: "https://a.corp:8443/card" }, reach: vpc, dialer: corp')}`,
    'f.yaml:14: SpaceAgent echo: card.url has port 8443, which is not among the ports of Dialer corp; add it there',
  ],
  'reach vpc without a dialer': [
    `${DEMO}${agent('card: { url: "https://a.corp/card" }, reach: vpc')}`,
    'f.yaml:9: SpaceAgent echo: dialer is missing: reach vpc needs it; add dialer',
  ],
  'an unknown dialer': [
    `${DEMO}${agent('card: { url: "https://a.corp:8443/card" }, reach: vpc, dialer: crop')}${dialer('{ proxy: http://proxy:3128, allow: { hosts: [a.corp] } }')}`,
    'f.yaml:9: SpaceAgent echo: Dialer crop is not known; write corp',
  ],
  'a dialer for an agent inside': [
    `${DEMO}${dialer('{ proxy: http://proxy:3128, allow: { hosts: [a.corp] } }')}${agent(`${CARD}, dialer: corp`)}`,
    'f.yaml:14: SpaceAgent echo: dialer is for reach vpc; leave it out, or write reach: vpc',
  ],
  'an unknown credential': [
    `${DEMO}${agent(`${CARD}, credential: vendr`)}${credential(`{ origins: [http://127.0.0.1:9001], ${HEADERS} }`)}`,
    'f.yaml:9: SpaceAgent echo: Credential vendr is not known; write vendor',
  ],
  'a credential for somewhere else': [
    `${DEMO}${credential(`{ origins: [http://127.0.0.1:9002], ${HEADERS} }`)}${agent(`${CARD}, credential: vendor`)}`,
    'f.yaml:14: SpaceAgent echo: Credential vendor is not for http://127.0.0.1:9001, where the agent is; add it to its origins, or write the url that calls go to',
  ],
  'a credential for the card, and not for the calls': [
    `${DEMO}${credential(`{ origins: [http://127.0.0.1:9001], ${HEADERS} }`)}${agent(`${CARD}, url: https://a.example/x, credential: vendor`)}`,
    'f.yaml:14: SpaceAgent echo: Credential vendor is not for https://a.example, where the agent is; add it to its origins',
  ],
  'a runtime without its account': [
    `${DEMO}${agent(`${CARD}, runtime: { agent: a, runtime: r }`)}`,
    'f.yaml:9: SpaceAgent echo: runtime.account is missing; add account',
  ],

  // Credential
  'a credential for nowhere': [
    credential(`{ origins: [], ${HEADERS} }`),
    'f.yaml:4: Credential vendor: origins names nothing; write at least one',
  ],
  'a credential that is the identity of a caller': [
    credential('{ origins: [https://a.example], headers: [{ name: A2A-Forwarded-Identity, value: hush }] }'),
    "f.yaml:4: Credential vendor: header A2A-Forwarded-Identity is the gateway's own; leave it out",
  ],
  'a header twice': [
    credential('{ origins: [https://a.example], headers: [{ name: X-Key, value: a }, { name: x-key, value: b }] }'),
    'f.yaml:4: Credential vendor: header x-key stands here twice; keep one of them',
  ],
  'a secret that is not there': [
    `${credential('{ origins: [https://a.example], headers: [{ name: X-Key, valueFrom: { secretKeyRef: { name: hook, key: a } } }] }')}${SECRET}stringData: { a: hush }\n`,
    'f.yaml:4: Credential vendor: secret hook is not known; write hooks',
  ],

  // Dialer
  'a proxy over TLS': [
    dialer('{ proxy: https://proxy:3128, allow: { hosts: [a.corp] } }'),
    'f.yaml:4: Dialer corp: proxy is not http; write it as http://proxy.inside:3128: what goes through it is TLS',
  ],
  'a dialer that may be asked for nothing': [
    dialer('{ proxy: http://proxy:3128, allow: {} }'),
    'f.yaml:4: Dialer corp: allow names nothing; write hosts or cidrs',
  ],
  'what a dialer cannot be asked for': [
    dialer('{ proxy: http://proxy:3128, allow: { hosts: ["*", 10.0.0.1, "*.corp"], cidrs: [10.0.0.1, 10.0.0.0/33] } }'),
    'f.yaml:4: Dialer corp: allow.hosts[0] is no name of hosts; write one, as agents.corp, or *.agents.corp for all below it; networks belong under cidrs',
    'f.yaml:4: Dialer corp: allow.hosts[1] is no name of hosts; write one, as agents.corp, or *.agents.corp for all below it; networks belong under cidrs',
    'f.yaml:4: Dialer corp: allow.cidrs[0] is no network; write it as 10.20.0.0/16 or fd00:20::/32',
    'f.yaml:4: Dialer corp: allow.cidrs[1] is no network; write it as 10.20.0.0/16 or fd00:20::/32',
  ],
};

for (const table of [DOCUMENTS, AGENTS]) testRefused(table, readSpaceConfiguration);
