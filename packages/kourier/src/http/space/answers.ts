import type { CatalogEntry } from '../../core/directory/catalog.ts';
import { inertText } from '../../core/directory/inert-text.ts';
import { DIRECTORY_LIMITS } from '../../core/directory/limits.ts';
import type { RegisteredAgent } from '../../core/directory/registered-agent.ts';
import type { RevisionHead } from '../../ports/space/directory-store.ts';
import type { PlatformTask } from '../../ports/space/task-ledger.ts';

const HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

export function answer(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), { status, headers: HEADERS });
}

export const timeText = (at: number): string => new Date(at).toISOString();

/** An agent as discovery lists it. */
export function listedAgent({ agent, listing, blocked }: CatalogEntry, url: string): object {
  return {
    agentId: agent.id,
    versionId: (agent.current ?? agent.pending)?.versionId ?? null,
    name: listing.name,
    description: listing.description,
    skills: listing.skills.map(({ id, name, tags }) => ({ id, name, tags })),
    source: agent.reach,
    callable: blocked === undefined,
    blockedReason: blocked ?? null,
    health: agent.health.state,
    url,
  };
}

/** A revision without its card. */
export function revisionHead({ at, decidedAt, card: _, ...head }: RevisionHead & { readonly card?: unknown }): object {
  return { ...head, at: timeText(at), ...(decidedAt === undefined ? {} : { decidedAt: timeText(decidedAt) }) };
}

/** An agent as who looks after it sees it. */
export function agentState(agent: RegisteredAgent, blocked: string | undefined, url: string): object {
  const { current, pending, health, sequence: _, ...place } = agent;
  const { checkedAt, ...state } = health;
  const name = (current ?? pending)?.card['name'];
  return {
    ...place,
    name: typeof name === 'string' ? inertText(name, DIRECTORY_LIMITS.listedNameCharacters) : '',
    url,
    ...(place.url === undefined ? {} : { reachedAt: place.url }),
    callable: blocked === undefined,
    blockedReason: blocked ?? null,
    health: { ...state, ...(checkedAt === undefined ? {} : { checkedAt: timeText(checkedAt) }) },
    current: current === undefined ? null : revisionHead(current),
    pending: pending === undefined ? null : revisionHead(pending),
  };
}

/** What the Space has on record of a task. */
export function taskSummary(task: PlatformTask): object {
  return {
    taskId: task.id,
    agentId: task.agent,
    versionId: task.versionId,
    status: task.state ?? 'submitted',
    remoteTaskId: task.remoteTaskId ?? null,
    remoteContextId: task.remoteContextId ?? null,
    createdAt: timeText(task.createdAt),
    updatedAt: timeText(task.updatedAt),
  };
}
