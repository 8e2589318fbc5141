// What docs/space.md lists is what the code has: no name may be missing, and no value may differ.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { RPC_ERROR } from '../packages/a2a/src/json-rpc.ts';
import { SPACE_CLIENT_LIMITS } from '../packages/agent/src/limits.ts';
import { SPACE_LEVELS, spaceObserver } from '../packages/kourier/src/adapters/machine/space-observer.ts';
import { SPACE_EXIT } from '../packages/kourier/src/cli/a2a/space-words.ts';
import { EXIT_DONE, EXIT_USAGE } from '../packages/kourier/src/cli/cli.ts';
import { SPACE_OPERATIONS } from '../packages/kourier/src/core/access/decide-access.ts';
import { FIELDS } from '../packages/kourier/src/core/directory/agent-document.ts';
import { BLOCKED_REASONS } from '../packages/kourier/src/core/directory/blocked-reason.ts';
import { DIRECTORY_LIMITS } from '../packages/kourier/src/core/directory/limits.ts';
import { APPROVAL_REASONS } from '../packages/kourier/src/core/directory/needs-approval.ts';
import { REACHES } from '../packages/kourier/src/core/directory/registered-agent.ts';
import { NO_ROUTE_REASONS } from '../packages/kourier/src/core/directory/route.ts';
import { agentRoutes } from '../packages/kourier/src/http/space/agents.ts';
import { callRoutes } from '../packages/kourier/src/http/space/calls.ts';
import type { InterfaceParts } from '../packages/kourier/src/http/space/interface-parts.ts';
import { outboxRoutes } from '../packages/kourier/src/http/space/outbox.ts';
import { revisionRoutes } from '../packages/kourier/src/http/space/revisions.ts';
import { SPACE_PROBLEMS } from '../packages/kourier/src/http/space/space-problem.ts';
import { OUTBOX_WAITS, SPACE_LIMITS } from '../packages/kourier/src/space/limits.ts';
import { owedEvents } from '../packages/kourier/src/space/outbox/deliver-events.ts';
import { amount } from './limit-amount.ts';

const SOURCE = 'packages/kourier/src';
const read = (file: string): string => readFileSync(file, 'utf8');
const PAGE = read('docs/space.md');

/** The lines below a heading, to the next one. */
function section(heading: string): string {
  const [, text] = PAGE.split(`\n${heading}\n`);
  assert.ok(text !== undefined, `there is ${heading}`);
  return text.split(/\n##+ /)[0] ?? '';
}

/** The first `cells` cells of each row of the table that has `head`. */
function table(head: string, cells: number): readonly string[] {
  const [, rows] = PAGE.split(`\n| ${head} |\n| --- `);
  assert.ok(rows !== undefined, `there is a table ${head}`);
  const lines = (rows.split('\n\n')[0] ?? '').split('\n').slice(1);
  return lines.map((line) => line.split(' | ').slice(0, cells).join(' | ').replace(/^\| /, '').replace(/ \|$/, ''));
}

const code = (text: string): string => `\`${text}\``;

for (const [heading, limits] of Object.entries({
  '### Of the gateway': SPACE_LIMITS,
  '### Of the delivery of events': OUTBOX_WAITS,
  '### Of the directory': DIRECTORY_LIMITS,
  '### Of `SpaceClient`': SPACE_CLIENT_LIMITS,
})) {
  test(`${heading}: every limit with its value, and no other`, () => {
    const rows = section(heading).match(/^\| `\w+` \| [^|]+ \|/gm);
    assert.deepEqual(
      rows,
      Object.entries(limits).map(([name, value]: [string, number]) => `| \`${name}\` | ${amount(name, value)} |`),
    );
  });
}

test('every problem of the HTTP interface, with its status and its title', () => {
  const problems = Object.entries(SPACE_PROBLEMS).map(
    ([name, { status, title }]) => `${code(name)} | ${status} | ${title}`,
  );
  assert.deepEqual(table('code | status | is', 3), problems);
});

test('every call of the HTTP interface, with the least role that may', () => {
  // What the routes are given is looked at when they answer.
  const parts = {} as InterfaceParts;
  const routes = [agentRoutes, revisionRoutes, callRoutes, outboxRoutes].flatMap((make) => make(parts));
  const calls = routes.map(({ method, path, operation }) => {
    const shown = `${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}`;
    return `${code(shown)} | ${SPACE_OPERATIONS[operation]}`;
  });
  assert.deepEqual(table('call | role |', 2).toSorted(), calls.toSorted());
});

test('every reason why an agent is blocked, a card is not taken or waits, and no agent fits; every reach and field', () => {
  assert.deepEqual(table('blocked reason | because | what to do', 1), BLOCKED_REASONS.map(code));
  const [, refusals = ''] = /type CardRefusal =(.*?);/s.exec(read(`${SOURCE}/space/card-reading.ts`)) ?? [];
  const reasons = [...refusals.matchAll(/'([a-z-]+)'/g)].map(([, name = '']) => code(name));
  assert.ok(reasons.length > 3);
  assert.deepEqual(table('reason | because', 1), reasons);
  const [, outcomes = ''] = /readonly kind: ('new'[^;]*);/.exec(read(`${SOURCE}/space/registration.ts`)) ?? [];
  const named = [...outcomes.matchAll(/'([a-z]+)'/g)].map(([, name = '']) => code(name));
  assert.deepEqual(
    named.filter((name) => !section('## Registering').includes(name)),
    [],
  );
  assert.ok(named.length > 3);
  assert.deepEqual(table('what changed |', 1), APPROVAL_REASONS.map(code));
  assert.deepEqual(table('reason |', 1), NO_ROUTE_REASONS.map(code));
  assert.deepEqual(table('reach | how the gateway gets there | when it can', 1), REACHES.map(code));
  const fields = FIELDS.map(code);
  assert.match(section('### Routing'), new RegExp(`${fields.slice(0, -1).join(', ')} or ${fields.at(-1)}`));
});

test('every refusal of the gateway, with its code', () => {
  const source = read(`${SOURCE}/space/gateway/refusal.ts`) + read(`${SOURCE}/space/gateway/admit-call.ts`);
  const codes: Readonly<Record<string, number>> = { ...RPC_ERROR, GATEWAY_ERROR: -32_090 };
  const made = /new Refusal\(\s*(?:RPC_ERROR\.)?(-?\w+),.*?reason: '(\w+)'/gs;
  const refusals = [...source.matchAll(made)].map(([, name = '', reason = '']) => {
    return `${code(reason)} | ${codes[name] ?? Number(name.replaceAll('_', ''))}`;
  });
  assert.ok(refusals.length > 12);
  assert.deepEqual(table('reason | code | HTTP |', 2).toSorted(), refusals.toSorted());
});

test('every exit code of what is asked of a Space', () => {
  const exits = [EXIT_DONE, EXIT_USAGE, ...Object.values(SPACE_EXIT)].toSorted((one, other) => one - other);
  assert.deepEqual(table('exit code | when', 1), exits.map(String));
});

test('every metric of a Space', async () => {
  const { metrics } = spaceObserver(
    () => undefined,
    async () => ({ dead: 0, owed: 0 }),
  );
  const names = [...(await metrics.text()).matchAll(/^# HELP (\w+)/gm)].map(([, name = '']) => code(name));
  assert.ok(names.length > 2);
  assert.deepEqual(table('metric | means', 1), names);
});

test('every event of the log of a Space, with its level', () => {
  const files = globSync(`${SOURCE}/{space,http/space}/**/*.ts`).filter((file) => !/\.test\.ts$|fixtures/.test(file));
  const declared = [...files, ...globSync(`${SOURCE}/{run-space,space-*}.ts`)].flatMap((file) =>
    [...read(file).matchAll(/\bevent:\s*((?:\|?\s*'[a-z-]+'\s*)+)/g)].flatMap(([, union = '']) =>
      [...union.matchAll(/'([a-z-]+)'/g)].map(([, name = '']) => name),
    ),
  );
  // Logged by themselves, with their level beside them.
  const own = { 'configuration-refused': 'error', 'turn-failed': 'error' };
  const levels: Readonly<Record<string, string>> = { ...SPACE_LEVELS, ...own };
  const events = [...new Set(declared)].map((name) => `${code(name)} | ${levels[name] ?? 'info'}`);
  assert.ok(events.length > 12);
  assert.deepEqual(table('event | level | when', 2).toSorted(), events.toSorted());
});

test('an event has the members that the page shows', () => {
  const [, shown = ''] = /```json\n(\{\n {2}"type": "task\.state".*?)```/s.exec(section('## Events')) ?? [];
  const task = { id: 't', space: 's', agent: 'a', versionId: 'v1', caller: 'c', createdAt: 0, updatedAt: 0 };
  const sinks = [{ name: 'n', url: 'https://h', secret: '' }];
  const policy = { id: 's', tenant: 't', egress: { public: false, ports: [], trustedHosts: [] }, sinks };
  const [owed] = owedEvents(task, { ...policy, signatures: { required: false, keys: [] } });
  assert.deepEqual(Object.keys(JSON.parse(shown) as object), Object.keys(JSON.parse(owed?.payload ?? '{}') as object));
});
