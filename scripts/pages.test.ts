// What the pages in `docs/` list is what the code has: no name may be missing, and no value may differ.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { CARD_LIMITS, FORWARDED_IDENTITY_LIMITS, JWS_LIMITS } from '../packages/a2a/src/limits.ts';
import { CARD_ALGORITHMS } from '../packages/a2a/src/signature/algorithms.ts';
import { CANONICAL_FORMS } from '../packages/a2a/src/signature/card-forms.ts';
import { EGRESS_CODES } from '../packages/agent/src/egress/egress-refused.ts';
import { EGRESS_LIMITS, INBOUND_LIMITS } from '../packages/agent/src/limits.ts';
import { SCOPES } from '../packages/kourier/src/adapters/chat/slack/app/scopes.ts';
import { TOKEN_ALGORITHMS } from '../packages/kourier/src/adapters/identity/oidc/authenticate-token.ts';
import { machineMetrics } from '../packages/kourier/src/adapters/machine/metrics.ts';
import { readConfiguration } from '../packages/kourier/src/adapters/registry/file/read-configuration.ts';
import { AGENT_BACKEND } from '../packages/kourier/src/adapters/registry/file/schema/agent-backend.ts';
import { BINDING } from '../packages/kourier/src/adapters/registry/file/schema/binding.ts';
import { CHAT_PLATFORM } from '../packages/kourier/src/adapters/registry/file/schema/chat-platform.ts';
import { KINDS, kindsOf } from '../packages/kourier/src/adapters/registry/file/schema/kinds.ts';
import type { Schema } from '../packages/kourier/src/adapters/registry/file/schema/schema.ts';
import { SECRET_REFERENCE } from '../packages/kourier/src/adapters/registry/file/schema/secret-reference.ts';
import { SETTINGS } from '../packages/kourier/src/adapters/registry/file/schema/settings.ts';
import { SPACE_CONNECTION } from '../packages/kourier/src/adapters/registry/file/schema/space-connection.ts';
import { readSpaceConfiguration } from '../packages/kourier/src/adapters/registry/file/space/read-space-configuration.ts';
import { GATEWAY_DEFAULTS } from '../packages/kourier/src/adapters/registry/file/space/resolve-gateway.ts';
import { TUNNEL_LIMITS } from '../packages/kourier/src/adapters/upstream/tunnel/limits.ts';
import { TUNNEL_CODES } from '../packages/kourier/src/adapters/upstream/tunnel/tunnel-failures.ts';
import { COMMANDS } from '../packages/kourier/src/cli/commands.ts';
import { SPACE_OPERATIONS } from '../packages/kourier/src/core/access/decide-access.ts';
import { ACCESS_LIMITS } from '../packages/kourier/src/core/access/limits.ts';
import { PERMIT_PROBLEMS } from '../packages/kourier/src/core/access/permit.ts';
import { LIMITS } from '../packages/kourier/src/core/limits.ts';
import { REJECTIONS } from '../packages/kourier/src/core/request/answer-message.ts';
import { DEFAULT_TIMINGS } from '../packages/kourier/src/core/timings.ts';
import { PROBLEMS } from '../packages/kourier/src/http/problem.ts';
import { ANSWER_SCHEMAS } from '../packages/kourier/src/http/schemas/answers.ts';
import { amount, duration } from './limit-amount.ts';

const CONFIGURATION = 'docs/configuration.md';
const SPACE_CONFIGURATION = 'docs/space-configuration.md';
const read = (file: string): string => readFileSync(file, 'utf8');

/** The first two cells of each row of every table in a page. */
function rowsOf(page: string): ReadonlyMap<string, string> {
  const rows = [...read(page).matchAll(/^\| `([^`|]+)` \| ([^|]+) \|/gm)];
  return new Map(rows.map(([, name = '', value = '']) => [name, value.trim()]));
}

function assertWritten(page: string, wanted: Readonly<Record<string, string>>): void {
  const rows = rowsOf(page);
  const found = Object.fromEntries(Object.keys(wanted).map((name) => [name, rows.get(name) ?? 'no row']));
  assert.deepEqual(found, wanted, `${page} has a row for each`);
}

function assertNamed(page: string, names: readonly string[]): void {
  const text = read(page);
  assert.ok(names.length > 0, 'there is something to name');
  const missing = names.filter((name) => !text.includes(`\`${name}\``));
  assert.deepEqual(missing, [], `${page} names each in backticks`);
}

test('every limit stands in the configuration page with its value, and no other', () => {
  const amounts = Object.entries(LIMITS).map(([name, value]) => [name, amount(name, value)]);
  assertWritten(CONFIGURATION, Object.fromEntries(amounts));
  const [, limits = ''] = read(CONFIGURATION).split('\n## Limits\n');
  const listed = [...limits.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  assert.deepEqual(listed, Object.keys(LIMITS), 'in their order');
});

test('every limit and every algorithm of cards stands in their page', () => {
  const amounts = Object.entries(CARD_LIMITS).map(([name, value]) => [name, amount(name, value)]);
  assertWritten('docs/cards.md', { ...Object.fromEntries(amounts), cardBytes: amount('cardBytes', LIMITS.cardBytes) });
  assertNamed('docs/cards.md', [...CARD_ALGORITHMS, ...CANONICAL_FORMS]);
});

test('who may do what in a Space, what is wrong with a permit, and every limit of access stand in their page', () => {
  const page = 'docs/space-access.md';
  assertWritten(page, { ...SPACE_OPERATIONS, ...PERMIT_PROBLEMS });
  const amounts = Object.entries(ACCESS_LIMITS).map(([name, value]) => [name, amount(name, value)]);
  assertWritten(page, Object.fromEntries(amounts));
  assertNamed(page, TOKEN_ALGORITHMS);
});

test('a limit is written with the unit that its name says', () => {
  assert.equal(amount('frameBytes', 8 * 1_048_576), '8 MiB');
  assert.equal(amount('frameBytes', 1_536), '1536 B');
  assert.equal(amount('eventStreamBytesPerSecond', 2_048), '2 KiB');
  assert.equal(amount('retryAfterMs', 86_400_000), '1d');
  assert.equal(amount('heartbeatMs', 15_000), '15s');
  assert.equal(amount('heartbeatMs', 1_500), '1500ms');
  assert.equal(amount('answerCharacters', 4_194_304), '4,194,304');
});

test('every timing stands in the configuration page with its default', () => {
  const defaults = Object.entries(DEFAULT_TIMINGS).map(([name, value]: [string, number]) => [
    name.replace(/Ms$/, ''),
    `\`${name.endsWith('Ms') ? duration(value) : value}\``,
  ]);
  assertWritten(CONFIGURATION, Object.fromEntries(defaults));
});

test('every field of the configuration is named there', () => {
  const specs = [AGENT_BACKEND, BINDING, CHAT_PLATFORM, SETTINGS, SPACE_CONNECTION].flatMap((schema) =>
    fieldsOf(schema),
  );
  const text = read(CONFIGURATION);
  const missing = specs.filter((name) => !new RegExp(`\\b${name}\\b`).test(text));
  assert.deepEqual(missing, []);
  assertNamed(CONFIGURATION, ['Secret', 'ChatPlatform']);
  assert.deepEqual(
    kindsOf('kourier up').filter((kind) => !text.includes(kind)),
    [],
  );
});

test('every field of the configuration of a Space has its row under its kind, and no other', () => {
  const [, ...sections] = read(SPACE_CONFIGURATION).split('\n## ');
  const rows = new Map(
    sections.map((section) => [
      section.split('\n', 1)[0] ?? '',
      [...section.matchAll(/^\| `([^`|]+)` \|/gm)].map(([, name]) => name),
    ]),
  );
  for (const kind of kindsOf('kourier space serve').filter((known) => known !== 'Secret')) {
    const spec = KINDS[kind].schema.properties?.['spec'];
    assert.ok(spec !== undefined);
    assert.deepEqual(rows.get(kind)?.toSorted(), pathsOf(spec).toSorted(), kind);
  }
});

test('every default of the gateway stands in the row of its field', () => {
  const text = read(SPACE_CONFIGURATION);
  const defaults = Object.entries(GATEWAY_DEFAULTS).flatMap(([group, values]) =>
    Object.entries(values).map(([name, value]) => [`${group}.${name}`, String(value)] as const),
  );
  for (const [name, value] of defaults)
    assert.match(text, new RegExp(`^\\| \`${name}\` \\|.*\`${value}\` unless given`, 'm'));
});

/** Where values stand, as `grants[].space`. */
function pathsOf(schema: Schema): readonly string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const { items, properties } = inner;
    if (items?.properties !== undefined) return pathsOf(items).map((path) => `${name}[].${path}`);
    if (properties === undefined || inner === SECRET_REFERENCE) return [name];
    return pathsOf(inner).map((path) => `${name}.${path}`);
  });
}

function fieldsOf({ properties = {}, items }: Schema): readonly string[] {
  const inside = Object.entries(properties).flatMap(([name, schema]) => [name, ...fieldsOf(schema)]);
  return items === undefined ? inside : [...inside, ...fieldsOf(items)];
}

test('every option of `kourier up` is named there', () => {
  const { options } = COMMANDS.find(({ name }) => name === 'up') ?? { options: [] };
  const text = read(CONFIGURATION);
  assert.ok(options.length > 0);
  assert.deepEqual(
    options.filter(({ name }) => !text.includes(`--${name}`)),
    [],
  );
});

test('every scope that the app asks for stands in the Slack page with what it is for', () => {
  assertWritten('docs/slack.md', Object.fromEntries(Object.entries(SCOPES).map(([name, { to }]) => [name, to])));
});

test('what doctor says in the Slack page is what it says', () => {
  const said = globSync('packages/kourier/src/{adapters/chat/slack,cli}/doctor/*.ts')
    .filter((file) => !file.endsWith('.test.ts'))
    .map(read)
    .join();
  const [, troubles = ''] = read('docs/slack.md').split('\n| it says | because |\n');
  const quoted = [...(troubles.split('\n\n')[0] ?? '').matchAll(/^\| `([^`]+)` \|/gm)].map(([, line = '']) => line);
  assert.ok(quoted.length > 5);
  assert.deepEqual(
    quoted.filter((line) => !said.includes(line)),
    [],
  );
});

test('deploy/slack/manifest.json is what `kourier slack manifest` prints', () => {
  const command = ['packages/kourier/bin/kourier.mjs', 'slack', 'manifest'];
  const { stdout } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  assert.equal(stdout, read('deploy/slack/manifest.json'), 'npx kourier slack manifest > deploy/slack/manifest.json');
});

for (const page of ['README.md', ...globSync('docs/*.md')]) {
  for (const [index, [, refused, yaml = '', answer = '']] of yamlBlocks(page).entries()) {
    test(`${page}: configuration ${index + 1} is read as the page says`, async (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'pages-'));
      t.after(() => rmSync(folder, { recursive: true }));
      const file = join(folder, 'agents.yaml');
      writeFileSync(file, yaml);
      const { problems } = await (page.startsWith('docs/space') ? readSpaceConfiguration : readConfiguration)({
        paths: [file],
        sets: [],
      });
      const printed = problems.map((problem) => `kourier: ${problem.replace(file, 'agents.yaml')}`);
      assert.deepEqual(printed, refused === undefined ? [] : answer.trim().split('\n'));
    });
  }
}

/** Blocks of our own kinds; one that is marked `refused` is followed by a `text` block of what is printed. */
function yamlBlocks(page: string): RegExpExecArray[] {
  const blocks = /^```yaml( refused)?\n(apiVersion: .*?)^```$(?:[^`]*^```text\n(.*?)^```$)?/gms;
  return [...read(page).matchAll(blocks)];
}

test('every notice and every fixed reason stands in the agent contract', () => {
  const page = 'docs/agent-contract.md';
  const { NoticeEntry } = ANSWER_SCHEMAS;
  const { code, category } = NoticeEntry['properties'] as Record<'code' | 'category', { enum: readonly string[] }>;
  const rows = rowsOf(page);
  assert.deepEqual(
    [...code.enum, ...Object.values(REJECTIONS)].filter((name) => !rows.has(name)),
    [],
    'a row for each',
  );
  assertNamed(page, category.enum);
  for (const rule of rulesOf('D8 M5 S8 R14 T8 Q14 E8')) assert.match(read(page), new RegExp(`\\b${rule}\\b`));
});

test('every code and every limit of the guarded transport stands in its page as it is', () => {
  const page = 'docs/egress.md';
  const yes = (is: boolean): string => (is ? 'yes' : 'no');
  const codes = Object.entries(EGRESS_CODES).map(
    ([code, { sent, retryable, text }]) => `| \`${code}\` | ${yes(sent)} | ${yes(retryable)} | ${text} |`,
  );
  const [guarded] = read(page).split('\n## Private networks\n');
  assert.deepEqual(guarded?.match(/^\| `A2A_.*$/gm), codes);
  const amounts = Object.entries(EGRESS_LIMITS).map(([name, value]) => `| \`${name}\` | ${amount(name, value)} |`);
  assert.deepEqual(
    amounts.filter((row) => guarded?.includes(row) !== true),
    [],
  );
});

test('every limit and every refusal of calls that a gateway carries stands in their page', () => {
  const page = 'docs/inbound.md';
  const limits = { ...FORWARDED_IDENTITY_LIMITS, ...JWS_LIMITS, ...INBOUND_LIMITS };
  assertWritten(page, Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, amount(name, value)])));
  const [, union = ''] =
    /type InboundRefusal =(.*?);/s.exec(read('packages/agent/src/inbound/gateway-callers.ts')) ?? [];
  const reasons = [...union.matchAll(/\| '([a-z-]+)'/g)].map(([, name = '']) => name);
  assert.ok(reasons.length > 8);
  assertNamed(page, [...reasons, 'account', 'tenant', 'agent', 'runtime', 'registration']);
});

test('every code and every limit of tunnels stands in their page as it is', () => {
  const page = 'docs/space-tunnel.md';
  const yes = (is: boolean): string => (is ? 'yes' : 'no');
  const codes = Object.entries(TUNNEL_CODES).map(
    ([code, { sent, retryable, text }]) => `| \`${code}\` | ${yes(sent)} | ${yes(retryable)} | ${text} |`,
  );
  assert.deepEqual(read(page).match(/^\| `A2A_.*$/gm), codes);
  const amounts = Object.entries(TUNNEL_LIMITS).map(([name, value]) => [name, amount(name, value)]);
  assertWritten(page, Object.fromEntries(amounts));
});

/** `D2 E1` is D1, D2 and E1. Rules that a heading spans (`Q8 to Q12`) count by its ends. */
function rulesOf(lasts: string): readonly string[] {
  const spanned = new Set(['Q4', 'Q11']);
  return lasts.split(' ').flatMap((last) => {
    const count = Number(last.slice(1));
    return Array.from({ length: count }, (_, index) => `${last[0]}${index + 1}`).filter((rule) => !spanned.has(rule));
  });
}

test('every problem of the HTTP interface stands in its page with its status', () => {
  const wanted = Object.entries(PROBLEMS).map(([code, { status }]) => [code, String(status)]);
  assertWritten('docs/http.md', Object.fromEntries(wanted));
});

test('every metric and every event of the log stands in the operations page', async () => {
  const metrics = (await machineMetrics().registry.getMetricsAsJSON()).map(({ name }) => name);
  const observed = read('packages/kourier/src/ports/observer.ts').matchAll(/readonly event: '([a-z-]+)'/g);
  const logged = ['main.ts', 'adapters/machine/crash.ts', 'adapters/machine/stop-signal.ts', 'http/http-interface.ts']
    .map((file) => read(`packages/kourier/src/${file}`))
    .flatMap((text) => [...text.matchAll(/event: '([a-z-]+)'/g)]);
  const events = [...observed, ...logged].map(([, event = '']) => event);
  assert.ok(metrics.length > 5 && events.length > 15);
  assertNamed('docs/operations.md', [...metrics, ...events]);
});
