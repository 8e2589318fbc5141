// Who may import whom (ARCHITECTURE.md, "Who may import whom"). Layers are folders held by these rules; each comment
// says what to do instead. `npm run deps` runs them and checks that the cruiser saw every file.
import { FENCES, SRC, TEST } from './scripts/fences.mjs';

const A2A = '^packages/a2a/src/';
const PROVING_GROUND = '^packages/[^/]+/(contract|sim|test|e2e|interop|db)/';

/** A layer sees these paths of ours, and nothing else of ours. What it may take from npm and Node is further down. */
const layer = (name, from, mayImport, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from, pathNot: TEST },
  to: { path: '^(packages|examples|bench|scripts)/', pathNot: mayImport },
});

const FENCED = FENCES.map(({ to }) => to.path);

const LAYERS = [
  {
    name: 'core-is-pure',
    severity: 'error',
    comment:
      'The core imports nothing but itself, so that it can be run by the simulator and read alone. Pass it in as an event or a value.',
    from: { path: `${SRC}/core/`, pathNot: TEST },
    to: { pathNot: `${SRC}/core/` },
  },
  {
    name: 'ports-know-only-the-core',
    severity: 'error',
    comment:
      "A port is words and promises. If it needs something else, it describes an adapter: say it in the core's words.",
    from: { path: `${SRC}/ports/`, pathNot: TEST },
    to: { pathNot: [`${SRC}/core/`, `${SRC}/ports/`] },
  },
  {
    name: 'courier-knows-no-adapter',
    severity: 'error',
    comment:
      'The courier runs on ports only, Node included; the simulator runs this very code. Add what you need to a port.',
    from: { path: `${SRC}/courier/`, pathNot: TEST },
    to: { pathNot: [`${SRC}/core/`, `${SRC}/ports/`, `${SRC}/courier/`] },
  },
  {
    name: 'adapters-know-ports-not-each-other',
    severity: 'error',
    comment:
      'An adapter folder can be deleted without touching another. What a family shares is in its folder wire or sql, which knows none of them; what all stores in files of SQLite share (the file and its lock, its migrations, its group commit) is in adapters/sqlite; else it belongs to packages/a2a, the core or a port. What is published of the SDK may be used as any library. A file beside the folders chooses among them.',
    from: { path: `${SRC}/adapters/([^/]+)/([^/]+)/`, pathNot: TEST },
    to: {
      path: '^(packages|examples|bench|scripts)/',
      pathNot: [
        `${SRC}/core/`,
        `${SRC}/ports/`,
        `${SRC}/adapters/$1/$2/`,
        `${SRC}/adapters/$1/(wire|sql)/`,
        `${SRC}/adapters/sqlite/`,
        '^packages/agent/src/index\\.ts$',
        A2A,
      ],
    },
  },
  {
    name: 'a-family-knows-its-own',
    severity: 'error',
    comment: 'The file that chooses among the adapters of one port knows those and no others.',
    from: { path: `${SRC}/adapters/([^/]+)/[^/]+\\.ts$`, pathNot: TEST },
    to: {
      path: '^(packages|examples|bench|scripts)/',
      pathNot: [`${SRC}/core/`, `${SRC}/ports/`, `${SRC}/adapters/$1/`, A2A],
    },
  },
  {
    name: 'only-main-names-adapters',
    severity: 'error',
    comment:
      'Take the port as a parameter; main.ts composes, and beside it slack-chat.ts for a platform of many parts, run-space.ts for the Space and connect-space.ts for the end of a tunnel.',
    from: {
      pathNot: [
        `${SRC}/adapters/`,
        `${SRC}/(main|slack-chat|run-space|space-upstreams|space-callers|connect-space)\\.ts$`,
        TEST,
        '^packages/[^/]+/(e2e|interop|test|db)/',
        '^bench/',
      ],
    },
    to: { path: `${SRC}/adapters/` },
  },
  layer(
    'http-and-cli-offer-the-courier',
    `${SRC}/(http|cli)/`,
    [`${SRC}/(core|ports|courier|http|cli|space|check)/`, A2A],
    'http/ and cli/ offer what the courier does. An adapter, a store or a wire format reaches them through a port that main.ts passes in.',
  ),
  layer(
    'space-and-check-stand-beside-the-courier',
    `${SRC}/(space|check)/`,
    [`${SRC}/(core|ports)/`, `${SRC}/$1/`, A2A],
    'The Space and the checker share words with the courier, not code paths: use the core, the ports and packages/a2a.',
  ),
  layer(
    'demo-is-an-agent',
    `${SRC}/demo/`,
    [`${SRC}/demo/`, '^packages/agent/src/'],
    'The demo agent stands for any agent: it is built with the SDK and knows nothing of the courier.',
  ),
  layer(
    'contract-tests-a-port',
    '^packages/([^/]+)/contract/',
    [
      '^packages/$1/(contract|src/(core|ports|task))/',
      '^packages/$1/src/(limits|store/task-store|push/push-store)\\.ts$',
    ],
    'A contract suite holds for every adapter of its port, so it knows none: take the adapter as a parameter.',
  ),
  layer(
    'sim-runs-the-real-courier-on-fakes',
    '^packages/kourier/sim/',
    [`${SRC}/(core|ports|courier)/`, '^packages/kourier/(sim|contract)/'],
    'The simulator owns time, ids and faults; an adapter would bring its own. Write a fake and run the contract suite on it.',
  ),
  layer(
    'agent-stands-on-a2a',
    '^packages/agent/src/',
    ['^packages/agent/src/', A2A],
    'The SDK is published alone and stays light: a2a and Node, nothing else.',
  ),
  layer('a2a-stands-alone', A2A, [A2A], 'The protocol knows no product. Pass it in.'),
  {
    name: 'a2a-is-without-dependencies',
    severity: 'error',
    comment:
      'The protocol is pure functions over chunks; only signatures take node:crypto. Bytes are moved by adapters.',
    from: { path: A2A, pathNot: TEST },
    to: { pathNot: [A2A, '^(node:)?crypto$'] },
  },
  layer(
    'console-is-a-client',
    '^packages/console/',
    ['^packages/console/', '^packages/agent/test/(own-port|cpu-ms)\\.ts$'],
    'The page talks HTTP (interface of /api/v1), like any other client; its tests take the time and ports as all do.',
  ),
  layer(
    'examples-use-what-is-published',
    '^examples/',
    ['^examples/', '^packages/agent/src/index\\.ts$'],
    'An example shows what a reader can do: import @agentkourier/agent.',
  ),
];

const HYGIENE = [
  {
    name: 'no-circular',
    severity: 'error',
    comment: 'Two files that need each other are one file, or share a third.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-orphans',
    severity: 'error',
    comment:
      'Nothing imports this file and it starts nothing: delete it, or name it as an entry in knip.json and here.',
    from: {
      orphan: true,
      pathNot: [
        TEST,
        '\\.config\\.ts$',
        '\\.d\\.ts$',
        '\\.mjs$',
        '^(scripts|bench|examples)/',
        '^packages/(agent|a2a)/src/',
        `${SRC}/main\\.ts$`,
        '^packages/kourier/sim/main\\.ts$',
        '^packages/kourier/e2e/space/jumping-clock\\.ts$',
      ],
    },
    to: {},
  },
  {
    name: 'no-dep-on-test',
    severity: 'error',
    comment: 'The product does not import its proofs. Move what both need into src/.',
    from: { path: '^packages/[^/]+/src/', pathNot: TEST },
    to: { path: [TEST, PROVING_GROUND] },
  },
  {
    name: 'no-unlisted',
    severity: 'error',
    comment: "Not in this package's package.json, or not to be found: add it with `npm i -E -w WORKSPACE`.",
    from: {},
    to: { dependencyTypes: ['unknown', 'npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'not-to-dev-dep',
    severity: 'error',
    comment:
      'What the product imports when it runs is a dependency, not (only) a devDependency. (The page is bundled, so all of its are.)',
    from: { path: '^packages/(a2a|agent|kourier)/src/', pathNot: TEST },
    to: {
      dependencyTypes: ['npm-dev'],
      dependencyTypesNot: ['type-only', 'npm', 'npm-peer'],
      pathNot: '^node_modules/@types/',
    },
  },
  {
    name: 'every-npm-package-is-fenced',
    severity: 'error',
    comment: 'Say in .dependency-cruiser.mjs who may import this package, and in ARCHITECTURE.md why we need it.',
    from: { path: '^packages/', pathNot: PROVING_GROUND },
    to: { path: '^node_modules/', pathNot: ['^node_modules/@types/', ...FENCED] },
  },
];

export default {
  forbidden: [...LAYERS, ...FENCES, ...HYGIENE],
  options: {
    parser: 'swc', // TypeScript 7 has no JavaScript interface: without this the cruiser sees nothing, and passes
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^packages/[^/]+/dist/' },
    combinedDependencies: true, // the root's devDependencies are for the tests of every workspace
    detectProcessBuiltinModuleCalls: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.d.ts'],
    },
  },
};
