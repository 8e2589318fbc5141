import { type RefusedTable, testRefused } from './fixtures/test-refused.ts';

/** Each bad text of `f.yaml`, and every line that it is answered with. `head` stands before: the document's first lines. */
const BACKEND = 'apiVersion: agentkourier.dev/v1alpha1\nkind: AgentBackend\nmetadata: { name: research }\n';
const BINDING = 'apiVersion: agentkourier.dev/v1alpha1\nkind: Binding\nmetadata: { name: ops }\n';
const SETTINGS = 'apiVersion: agentkourier.dev/v1alpha1\nkind: Settings\nmetadata: { name: settings }\n';
const SECRET = 'apiVersion: v1\nkind: Secret\nmetadata: { name: agent }\n';
const A2A = `${BACKEND}spec: { dialect: a2a, url: http://127.0.0.1:9001 }\n`;
const KAGENT = `${BACKEND}spec: { dialect: kagent-v1, url: http://127.0.0.1:9001 }\n`;
const OPS = 'backend: research, identity: { userId: alice }, chat: { platform: web }';
const WHOLE_OPS = `${BINDING}spec: { ${OPS} }\n`;
const a2a = (more: string): string => `${BACKEND}spec:\n  dialect: a2a\n  url: http://127.0.0.1:9001\n${more}\n`;
const ops = (more: string): string =>
  `${A2A}---\n${BINDING}spec:\n  ${OPS.replaceAll(/, (identity|chat)/g, '\n  $1')}\n${more}\n`;

const TABLE: RefusedTable = {
  // YAML itself
  'not YAML': [
    'kind: "Binding\n',
    'f.yaml:2: not YAML; look for a missing quote, bracket, colon or space here or just above',
  ],
  'a tab': ['a:\n\tb: 1\n', 'f.yaml:2: a tab as indentation; indent with spaces'],
  'a NUL byte': ['kind: Binding\nmeta\0data: 1\n', 'f.yaml:2: a NUL byte; write YAML as plain UTF-8 text'],
  'an alias without anchor': [
    'kind: *hush\n',
    'f.yaml:1: an alias without its anchor; write the value itself, in quotes if it begins with *',
  ],
  'a tag': ['kind: !hush x\n', 'f.yaml:1: a tag that is not known; leave it out, or quote a value that begins with !'],
  'a key twice': [`${A2A}kind: AgentBackend\n`, 'f.yaml:5: this key stands here twice; keep one of them'],
  'a depth bomb, in brackets': [`a: ${'['.repeat(400_000)}`, 'f.yaml:1: nested too deeply; keep it within 32 levels'],
  'a depth bomb, closed': [
    `a: ${'['.repeat(500)}${']'.repeat(500)}`,
    'f.yaml:1: nested too deeply; keep it within 32 levels',
  ],
  'a depth bomb, in dashes': [
    `a:\n  ${'- '.repeat(100_000)}b`,
    'f.yaml:2: nested too deeply; keep it within 32 levels',
  ],
  'an alias bomb': [
    `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'.replaceAll(/./g, (letter) => `${letter}: &${letter} [${Array(9).fill(`*${String.fromCharCode(letter.charCodeAt(0) - 1)}`)}]\n`)}`,
    'f.yaml:1: too many aliases, or one without an end; write out what it stands for: at most 100 aliases, none within itself',
  ],
  'too many documents': [
    '---\n{}\n'.repeat(10_001),
    /^f\.yaml: more than 10000 documents; split it into several files$/.source,
  ],

  // Documents
  'no document of ours': [
    '- hush\n',
    'f.yaml:1: no document of ours; write one with apiVersion, kind and metadata (kinds: AgentBackend, SpaceConnection, Binding, ChatPlatform, Settings, Secret)',
  ],
  'no kind': [
    'metadata: { name: x }\n',
    'f.yaml:1: kind is missing; write one of AgentBackend, SpaceConnection, Binding, ChatPlatform, Settings, Secret',
  ],
  'an unknown kind': [`${A2A}---\nkind: Bindings\n`, 'f.yaml:6: kind Bindings is not known; write Binding'],
  'a kind of another world': [
    'kind: Deployment\n',
    'f.yaml:1: kind Deployment is not known; write one of AgentBackend, SpaceConnection, Binding, ChatPlatform, Settings, Secret',
  ],
  'another version': [
    A2A.replace('v1alpha1', 'v1'),
    'f.yaml:1: AgentBackend: apiVersion is not known; write apiVersion: agentkourier.dev/v1alpha1',
  ],
  'no version': [
    'kind: Secret\nmetadata: { name: x }\n',
    'f.yaml:1: Secret: apiVersion is missing; write apiVersion: v1',
  ],
  'no name': [A2A.replace('name: research', ''), 'f.yaml:3: AgentBackend: metadata.name is missing; add name'],
  'a bad name': [
    A2A.replace('research', 'Re search'),
    'f.yaml:3: AgentBackend Re search: metadata.name is no name; write small letters, digits, - and . in at most 253 characters',
  ],
  'a name twice': [
    `${A2A}---\n${A2A}`,
    'f.yaml:6: AgentBackend research stands at f.yaml:1 already; rename or remove one of them',
  ],
  'two Settings': [
    `${SETTINGS}spec: {}\n---\n${SETTINGS.replace('name: s', 'name: other-s')}spec: {}\n`,
    'f.yaml:6: Settings stands at f.yaml:1 already; keep one for all',
  ],
  'a misspelt key at the top': [`${A2A}spce: {}\n`, 'f.yaml:5: AgentBackend research: unknown key spce; write spec'],
  'an empty spec': [
    `${BACKEND}spec:\n`,
    'f.yaml:4: AgentBackend research: spec is empty; write its keys below it, indented',
  ],
  'every error at once': [
    `${BACKEND}spec:\n  dialct: a2a\n  url: ftp://x\n  headers: { a: b }\n---\n${BINDING}spec:\n  backend: research\n  chat: web\n`,
    'f.yaml:4: AgentBackend research: dialect is missing; add dialect',
    'f.yaml:5: AgentBackend research: unknown key dialct; write dialect',
    'f.yaml:6: AgentBackend research: url is no http or https URL; write http:// or https:// with a host, as http://127.0.0.1:9001',
    'f.yaml:7: AgentBackend research: headers is no list; write a list, as [a, b]',
    'f.yaml:12: Binding ops: identity is missing; add identity',
    'f.yaml:14: Binding ops: chat is no group of keys; write its keys below it, indented',
  ],

  // AgentBackend
  'an unknown dialect': [
    A2A.replace('a2a,', 'a2b,'),
    'f.yaml:4: AgentBackend research: dialect is not known; write a2a',
  ],
  'a far dialect': [
    A2A.replace('a2a,', 'grpc,'),
    'f.yaml:4: AgentBackend research: dialect is not known; write one of a2a, kagent-v1',
  ],
  'a url with credentials': [
    A2A.replace('127', 'user:hush@127'),
    'f.yaml:4: AgentBackend research: url is a URL with credentials in it; leave them out: a secret belongs in a Secret',
  ],
  'a url with a query': [
    A2A.replace('9001', '9001/x?key=hush'),
    'f.yaml:4: AgentBackend research: url is a URL with a query or fragment; end it with its path: a key belongs in headers',
  ],
  'a url without a host': [
    A2A.replace('http://127.0.0.1:9001', '"http://"'),
    'f.yaml:4: AgentBackend research: url is no http or https URL; write http:// or https:// with a host, as http://127.0.0.1:9001',
  ],
  'public egress over plain HTTP': [
    a2a('  egress: { mode: public }'),
    'f.yaml:6: AgentBackend research: url is not https, and egress mode public calls nothing else; write https://, or mode direct',
  ],
  'public egress with a card over plain HTTP': [
    a2a('  egress: { mode: public }\n  card: { url: "http://agent.example/card" }').replace(
      'http://127',
      'https://127',
    ),
    'f.yaml:8: AgentBackend research: card.url is not https, and egress mode public calls nothing else; write https://, or mode direct',
  ],
  'a bad header name': [
    a2a('  headers:\n    - { name: "X Team", value: ops }'),
    'f.yaml:8: AgentBackend research: headers[0].name is no header name; write letters, digits and -',
  ],
  'a header of our own': [
    a2a('  headers:\n    - { name: a2a-version, value: "1.0" }'),
    "f.yaml:8: AgentBackend research: headers[0].name is a header of the call's own; leave it out",
  ],
  'C119 a header value over two lines': [
    a2a('  headers:\n    - name: X-Team\n      value: "hush\\r\\nX-B: c"'),
    'f.yaml:9: AgentBackend research: headers[0].value is not fit for a header; write visible ASCII in one line, at most 8192 characters',
  ],
  'a header value that is a number': [
    a2a('  headers: [{ name: X-Team, value: 7 }]'),
    'f.yaml:7: AgentBackend research: headers[0].value is no text; put it in quotes',
  ],
  'a header without a value': [
    a2a('  headers: [{ name: X-Team }]'),
    'f.yaml:7: AgentBackend research: headers[0] needs exactly one of value, valueFrom; write one',
  ],
  'a header with both values': [
    `${SECRET}stringData: { k: v }\n---\n${a2a('  headers: [{ name: X-Team, value: x, valueFrom: { secretKeyRef: { name: agent, key: k } } }]')}`,
    'f.yaml:12: AgentBackend research: headers[0] needs exactly one of value, valueFrom; write one',
  ],
  'a header twice': [
    a2a('  headers:\n    - { name: X-Team, value: a }\n    - { name: x-team, value: b }'),
    'f.yaml:9: AgentBackend research: header x-team stands here twice; keep one of them',
  ],

  // Binding
  'an unknown backend': [
    `${A2A}---\n${WHOLE_OPS.replace('research', 'reserch')}`,
    'f.yaml:9: Binding ops: backend reserch is not known; write research',
  ],
  'no backend at all': [
    WHOLE_OPS,
    'f.yaml:4: Binding ops: backend research is not known; add an AgentBackend research',
  ],
  'a misspelt key': [ops('  interaction: {}'), 'f.yaml:13: Binding ops: unknown key interaction; write interactions'],
  'a key from nowhere': [
    ops('  zzz: {}'),
    'f.yaml:13: Binding ops: unknown key zzz; write one of backend, space, agent, identity, chat, hooks, interactions',
  ],
  'an unknown platform': [
    ops('').replace('web', 'irc'),
    'f.yaml:12: Binding ops: platform irc is not known; write web, or add a ChatPlatform irc',
  ],
  'channels on web': [
    ops('').replace('platform: web', 'platform: web, channels: [C1], directMessages: true, bots: { allowed: [B1] }'),
    'f.yaml:12: Binding ops: chat.channels is not for platform web; leave it out',
    'f.yaml:12: Binding ops: chat.directMessages is not for platform web; leave it out',
    'f.yaml:12: Binding ops: chat.bots is not for platform web; leave it out',
  ],
  'kagent-v1 without an agent': [
    `${KAGENT}---\n${WHOLE_OPS}`,
    'f.yaml:9: Binding ops: agent is missing: its backend speaks kagent-v1; add agent: { namespace: …, name: … }',
  ],
  'a2a with an agent': [
    ops('  agent: { namespace: kagent, name: k8s-agent }'),
    'f.yaml:13: Binding ops: agent is for kagent-v1: its backend speaks a2a; leave it out',
  ],
  'an agent name with a slash': [
    `${KAGENT}---\n${BINDING}spec: { ${OPS}, agent: { namespace: ../x, name: a } }\n`,
    'f.yaml:9: Binding ops: agent.namespace is no name; write small letters, digits and - in at most 63 characters',
  ],
  'no identity in identity': [
    ops('').replace('{ userId: alice }', '{}'),
    'f.yaml:11: Binding ops: identity needs exactly one of tokenSecretRef, userId; write one',
  ],
  'both identities': [
    `${SECRET}stringData: { token: t }\n---\n${ops('').replace('userId: alice', 'userId: alice, tokenSecretRef: { name: agent, key: token }')}`,
    'f.yaml:16: Binding ops: identity needs exactly one of tokenSecretRef, userId; write one',
  ],
  'an identity that a header contradicts': [
    `${a2a('  headers: [{ name: X-User-ID, value: bob }]')}---\n${WHOLE_OPS}`,
    'f.yaml:12: Binding ops: backend research has a header x-user-id too; leave it out there, or use the other identity',
  ],
  'a token in place of its reference': [
    ops('').replace('userId: alice', 'tokenSecretRef: hush'),
    'f.yaml:11: Binding ops: identity.tokenSecretRef is no group of keys; write its keys below it, indented',
  ],
  'an unknown secret': [
    ops('').replace('userId: alice', 'tokenSecretRef: { name: agent, key: token }'),
    'f.yaml:11: Binding ops: secret agent is not known; add a Secret agent, or give its folder with --set secrets.dir=DIR',
  ],
  'a misspelt secret': [
    `${ops('').replace('userId: alice', 'tokenSecretRef: { name: agnt, key: token }')}---\n${SECRET}stringData: { token: hush }\n`,
    'f.yaml:11: Binding ops: secret agnt is not known; write agent',
  ],
  'a misspelt key of a secret': [
    `${ops('').replace('userId: alice', 'tokenSecretRef: { name: agent, key: tokn }')}---\n${SECRET}stringData: { token: hush }\n`,
    'f.yaml:11: Binding ops: secret agent has no key tokn; write token',
  ],
  'C119 a token over two lines': [
    `${ops('').replace('userId: alice', 'tokenSecretRef: { name: agent, key: token }')}---\n${SECRET}stringData: { token: "hush\\r\\nX-B: c" }\n`,
    'f.yaml:11: Binding ops: the value of secret agent, key token, is not fit for a header; write visible ASCII in one line, at most 8192 characters',
  ],
  'an empty token': [
    `${ops('').replace('userId: alice', 'tokenSecretRef: { name: agent, key: token }')}---\n${SECRET}stringData: { token: "" }\n`,
    'f.yaml:11: Binding ops: the value of secret agent, key token, is empty; write one',
  ],
  'a bad duration': [
    ops('  interactions:\n    questions: { timeout: 24 hours }'),
    'f.yaml:14: Binding ops: interactions.questions.timeout is no duration; write a whole number and a unit (ms, s, m, h or d), as 30s, up to 365d',
  ],
  'a duration without a unit': [
    ops('  interactions:\n    toolApprovals:\n      timeout: 30'),
    'f.yaml:15: Binding ops: interactions.toolApprovals.timeout is no duration; write a whole number and a unit (ms, s, m, h or d), as 30s, up to 365d',
  ],
  'questions without a timeout': [
    ops('  interactions:\n    questions: {}'),
    'f.yaml:14: Binding ops: interactions.questions.timeout is missing; add timeout',
  ],
  'a hook without what signs': [
    ops('  hooks: { generic: {} }'),
    'f.yaml:13: Binding ops: hooks.generic.signingSecretRef is missing; add signingSecretRef',
  ],
  'a hook whose secret is not there': [
    `${SECRET}stringData: { hook: hush }\n---\n${ops('  hooks: { generic: { signingSecretRef: { name: agent, key: hok } } }')}`,
    'f.yaml:18: Binding ops: secret agent has no key hok; write hook',
  ],
  'a hook whose secret can be guessed': [
    `${SECRET}stringData: { hook: hush }\n---\n${ops('  hooks: { generic: { signingSecretRef: { name: agent, key: hook } } }')}`,
    'f.yaml:18: Binding ops: the value of secret agent, key hook, does not sign well; write 16 to 256 visible ASCII characters, as openssl rand -hex 32 does',
  ],

  // Settings
  'a misspelt timing': [
    `${SETTINGS}spec:\n  timings:\n    giveUpAftr: 5m\n`,
    'f.yaml:6: Settings settings: unknown key timings.giveUpAftr; write giveUpAfter',
  ],
  'attempts out of range': [
    `${SETTINGS}spec: { timings: { cancelAttempts: 0 } }\n`,
    'f.yaml:4: Settings settings: timings.cancelAttempts must be >= 1; correct it',
  ],
  'attempts in words': [
    `${SETTINGS}spec: { timings: { cancelAttempts: "3" } }\n`,
    'f.yaml:4: Settings settings: timings.cancelAttempts is no whole number; write a whole number without quotes',
  ],
  'a back-off upside down': [
    `${SETTINGS}spec:\n  timings:\n    retryBackoffInitial: 1m\n`,
    'f.yaml:6: Settings settings: timings.retryBackoffInitial is longer than timings.retryBackoffMax; make it shorter',
  ],
  'two stores': [
    `${SETTINGS}spec: { store: { sqlite: {}, postgres: { url: "postgres://u:hush@h/d" } } }\n`,
    'f.yaml:4: Settings settings: store needs exactly one of sqlite, postgres; write one',
  ],
  'a store of a later version': [
    `${SETTINGS}spec:\n  store:\n    postgres: { url: "postgres://u:hush@h/d" }\n`,
    'f.yaml:6: Settings settings: store postgres: not in this version; write sqlite: {}',
  ],

  // Secret
  'a secret value that is a number': [
    `${SECRET}stringData:\n  token: 12345\n`,
    'f.yaml:5: Secret agent: stringData.token is no text; put it in quotes',
  ],
  'a secret value written as its key': [
    `${SECRET}stringData: { hush }\n`,
    'f.yaml:4: Secret agent: a key in stringData has no value; write KEY: "value"',
  ],
  'a secret in plain text under data': [
    `${SECRET}data: { token: "hush!" }\n`,
    'f.yaml:4: Secret agent: data.token is not base64; write base64, or plain text under stringData',
  ],
};

testRefused(TABLE);
