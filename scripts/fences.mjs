// Which places may import which npm package; .dependency-cruiser.mjs holds them.
export const SRC = '^packages/kourier/src';
export const TEST = '\\.test\\.ts$|(^|/)fixtures/';
const PROVING_GROUND = '^packages/[^/]+/(contract|sim|test|e2e|interop|db)/';

/** Only these places may import an npm package, so that replacing it stays a change of one folder. */
const fence = (packages, places, comment) => ({
  name: `fenced: ${packages.join(', ')}`,
  severity: 'error',
  comment,
  from: { pathNot: [...places, TEST] },
  to: { path: `^node_modules/(${packages.join('|')})/` },
});

export const FENCES = [
  fence(
    ['better-sqlite3', '@types/better-sqlite3'],
    [`${SRC}/adapters/[^/]+/sqlite/`],
    'SQL belongs to the sqlite stores: ask the port.',
  ),
  fence(
    ['hono', '@hono/node-server'],
    [`${SRC}/http/`],
    'HTTP that we serve belongs to http/: write a resource there.',
  ),
  fence(
    ['undici'],
    [`${SRC}/adapters/agent/`, `${SRC}/adapters/upstream/inside/`, '^bench/'],
    'Calls to agents go out through adapters/agent and adapters/upstream/inside: ask the port Agent or Upstream. (The bench takes it as a yardstick.)',
  ),
  fence(
    ['yaml'],
    [`${SRC}/adapters/registry/file/`, '^packages/kourier/e2e/'],
    'Configuration is read in adapters/registry/file: ask the port Registry. (The end-to-end tests read what the kit wrote.)',
  ),
  fence(
    ['ajv'],
    [`${SRC}/adapters/registry/`, `${SRC}/http/`],
    'Outside input is judged where it comes in: the registry and http/.',
  ),
  fence(
    ['pino', 'prom-client'],
    [`${SRC}/adapters/machine/`],
    'Logs and metrics are made from observations: call the port Observe.',
  ),
  fence(
    ['preact', 'marked', 'dompurify', 'vite'],
    ['^packages/console/'],
    'The page is a client of the HTTP interface and lives in packages/console.',
  ),
  fence(
    ['playwright-core', '@sparticuz/chromium'],
    ['^packages/[^/]+/e2e/'],
    'A browser is for end-to-end tests only.',
  ),
  fence(
    ['express', 'eventsource-parser'],
    ['^packages/[^/]+/interop/', '^bench/'],
    'Peers and yardsticks are for the interoperation tests and the bench.',
  ),
  fence(
    ['@a2a-js/sdk', '@grpc/grpc-js', '@bufbuild/protobuf'],
    ['^packages/agent/src/client/grpc/', '^packages/[^/]+/interop/', '^bench/'],
    'The official SDK is a peer of the interoperation tests, and the gRPC of the client, loaded when it is asked for.',
  ),
  fence(
    ['@slack/web-api', '@slack/socket-mode', '@slack/types'],
    [`${SRC}/adapters/chat/slack/`, PROVING_GROUND],
    'Slack is spoken to in adapters/chat/slack: ask the port of a platform.',
  ),
  fence(
    ['@slack/bolt', 'emulate'],
    ['^packages/[^/]+/interop/'],
    'A foreign app and a foreign Slack are for the interoperation tests.',
  ),
  fence(
    ['ws', '@types/ws'],
    ['^packages/kourier/contract/slack/', `${SRC}/adapters/upstream/tunnel/`],
    'WebSockets carry the tunnels of agents that dial out (adapters/upstream/tunnel); Slack brings its own, through @slack/socket-mode.',
  ),
  fence(
    ['pg', '@types/pg'],
    ['^packages/agent/src/store/postgres/', `${SRC}/adapters/[^/]+/postgres/`, '^packages/[^/]+/db/'],
    'PostgreSQL belongs to the stores that speak to it: ask the port. (In the SDK it is an optional peer.)',
  ),
  fence(
    ['jose'],
    [`${SRC}/adapters/identity/`],
    'Tokens of other issuers are judged in adapters/identity: ask the port Authenticate. (What we sign ourselves is packages/a2a.)',
  ),
  fence(['fast-check'], [PROVING_GROUND], 'Generated input is for tests only.'),
];
