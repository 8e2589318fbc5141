import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gatewayCallers } from '@agentkourier/agent';
import { ownPort } from '../../../agent/test/own-port.ts';
import type { Role } from '../../src/core/access/principal.ts';
import { LineProcess } from '../process/line-process.ts';
import { type Cleanup, folderFor, KOURIER } from '../process/product-process.ts';
import { ActingAgent } from './acting-agent.ts';
import { SINK_SECRET_DOCUMENT } from './sink-secret.ts';
import { messageOf, SpaceCaller } from './space-caller.ts';
import { apiKey, documentOf, keyOf, SpaceProcess } from './space-process.ts';

const ROLES: readonly Role[] = ['caller', 'publisher', 'operator'];
export const SPACES = ['north', 'south'] as const;
export type SpaceName = (typeof SPACES)[number];

/** What there is in each Space of what other tenants must not learn of. */
export interface Owned {
  readonly space: SpaceName;
  readonly agent: string;
  readonly task: string;
  /** A dead letter; empty where there is none. */
  readonly queue: string;
  /** At the agent, which both Spaces have. */
  readonly remoteTask: string;
  readonly remoteContext: string;
}

export interface TwoTenants {
  readonly space: SpaceProcess;
  /** Speaks 1.0, and is in both Spaces. */
  readonly shared: ActingAgent;
  /** The same in 0.3. */
  readonly old: ActingAgent;
  /** Of the Space north alone: takes only calls that the gateway vouches for. */
  readonly gated: ActingAgent;
  caller(space: SpaceName, role?: Role): SpaceCaller;
  /** A key of nobody, and none. */
  stranger(space: string, key?: string): SpaceCaller;
}

/** One gateway with the Spaces of two tenants, a key for each role in each, and agents of every kind. */
export async function twoTenants(t: Cleanup, spec: object = {}): Promise<TwoTenants> {
  const port = await ownPort();
  const url = `http://127.0.0.1:${port}`;
  const [shared, old, gated] = [
    await ActingAgent.start(t, { name: 'Shared' }),
    await ActingAgent.start(t, { name: 'Old', protocols: ['0.3'] }),
    await ActingAgent.start(t, { name: 'Gated', inbound: behind(url, 'north/gated') }),
  ];
  const documents = [
    // The cards are read at the start, and no more while a test counts who asked an agent.
    documentOf('Gateway', 'gateway', { health: { every: '1h', timeout: '1m' } }),
    SINK_SECRET_DOCUMENT,
    ...SPACES.flatMap((name) => [
      documentOf('Space', name, { tenant: `tenant-${name}`, ...spec }),
      ...ROLES.map((role) => apiKey(`${name}-${role}`, `tenant-${name}`, { [name]: role })),
      apiKey(`${name}-other`, `tenant-${name}`, { [name]: 'caller' }),
      documentOf('SpaceAgent', `${name}-shared`, { id: 'shared', space: name, card: { url: shared.url } }),
      documentOf('SpaceAgent', `${name}-old`, { id: 'old', space: name, card: { url: old.url } }),
      documentOf('SpaceAgent', `${name}-only`, { id: `only-${name}`, space: name, card: { url: shared.url } }),
      documentOf('SpaceAgent', `${name}-off`, { id: 'off', space: name, disabled: true, card: { url: shared.url } }),
      documentOf('SpaceAgent', `${name}-dialled`, {
        ...{ id: 'dialled', space: name, reach: 'tunnel', card: { url: shared.url } },
      }),
    ]),
    documentOf('SpaceAgent', 'gated', { space: 'north', card: { url: gated.url }, runtime: RUNTIME }),
  ];
  const space = await SpaceProcess.start(t, documents, { port });
  return {
    ...{ space, shared, old, gated },
    caller: (name, role = 'caller') => new SpaceCaller(url, name, keyOf(`${name}-${role}`)),
    stranger: (name, key) => new SpaceCaller(url, name, key),
  };
}

const RUNTIME = { account: 'acme', tenant: 'north', agent: 'gated', runtime: 'gated-1' };

/** What an agent behind a gateway asks for. */
export const behind = (issuer: string, registration: string) =>
  gatewayCallers({ issuer, keysUrl: `${issuer}/.well-known/jwks.json`, ...RUNTIME, registration });

/** `kourier space connect` for the agent `dialled` of a Space, once it is connected. */
export async function dialledOut(t: Cleanup, { space, shared }: TwoTenants, name: SpaceName): Promise<LineProcess> {
  const keyFile = join(folderFor(t), 'key');
  writeFileSync(keyFile, keyOf(`${name}-publisher`));
  const place = ['--space', space.url, '--space-id', name, '--agent', 'dialled', '--key-file', keyFile];
  const tunnel = new LineProcess(t, KOURIER, 'space', 'connect', ...place, '--to', shared.url);
  await tunnel.printed(/^kourier: connected/);
  return tunnel;
}

/** A task that waits for an answer, of the Space's caller at the agent that both have. */
export async function taskIn(tenants: TwoTenants, space: SpaceName): Promise<Owned> {
  const { json } = await tenants.caller(space, 'operator').get('/outbox');
  const queue = String(json.dead[0]?.id ?? '');
  const sent = await tenants.caller(space).send('shared', messageOf('ask'));
  assert.equal(sent.status, 200, sent.text);
  const { id: remoteTask, contextId: remoteContext } = sent.json.result.task;
  const task = sent.headers.get('a2a-space-task') ?? '';
  return { space, agent: `only-${space}`, task, queue, remoteTask, remoteContext };
}
