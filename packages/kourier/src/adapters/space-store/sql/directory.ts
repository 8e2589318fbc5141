import type { RegisteredAgent, Revision } from '../../../core/directory/registered-agent.ts';
import type { AgentChange, AgentToSave, Decided, RevisionHead } from '../../../ports/space/directory-store.ts';
import { SPACE_STORE_LIMITS } from '../../../ports/space/limits.ts';
import { lookedUp, written } from './keys.ts';
import { addRevision, decideRevision, headOf, revisionColumns, revisionOf } from './revisions.ts';
import { ask, jsonOf, maybe, numberOf, type Row, type Steps, textOf } from './steps.ts';

type Body = Omit<RegisteredAgent, 'space' | 'id' | 'sequence' | 'current' | 'pending'>;

const revisionAt = (alias: string, column: string): string =>
  `LEFT JOIN space_revisions ${alias} ON ${alias}.space = a.space AND ${alias}.agent = a.id AND ${alias}.number = a.${column}`;

/** One statement, so that an agent is read as it stood at one moment. */
const AGENTS = `SELECT a.space, a.id, a.sequence, a.body, ${revisionColumns('c')}, ${revisionColumns('p')}
  FROM space_agents a ${revisionAt('c', 'current_revision')} ${revisionAt('p', 'pending_revision')}`;

export function* readAgent(space: string, id: string): Steps<RegisteredAgent | undefined> {
  const [row] = yield* ask(`${AGENTS} WHERE a.space = $1 AND a.id = $2`, lookedUp(space), lookedUp(id));
  return row === undefined ? undefined : agentOf(row);
}

export function* readChanges(sequence: number, limit: number): Steps<readonly AgentChange[]> {
  const rows = yield* ask(`${AGENTS} WHERE a.sequence > $1 ORDER BY a.sequence LIMIT $2`, sequence, limit);
  return rows.map((row) => {
    const agent = agentOf(row);
    const change = { sequence: numberOf(row, 'sequence') };
    if (agent !== undefined) return { ...change, kind: 'saved', agent };
    return { ...change, kind: 'removed', space: textOf(row, 'space'), id: textOf(row, 'id') };
  });
}

export function* saveAgent(
  agent: AgentToSave,
  before: RegisteredAgent | undefined,
  left: readonly Decided[],
): Steps<RegisteredAgent | 'stale'> {
  const { space, id, current, pending, ...body } = agent;
  const sequence = yield* nextSequence();
  if ((yield* standing(written(space), written(id))) !== before?.sequence) return 'stale';
  const values = [sequence, current?.number ?? null, pending?.number ?? null, JSON.stringify(body satisfies Body)];
  yield* ask(
    `INSERT INTO space_agents (space, id, sequence, current_revision, pending_revision, body)
      VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (space, id) DO UPDATE SET sequence = excluded.sequence,
      current_revision = excluded.current_revision, pending_revision = excluded.pending_revision, body = excluded.body`,
    space,
    id,
    ...values,
  );
  const stood = [before?.current, before?.pending].filter((revision) => revision !== undefined);
  const stands = [current, pending].filter((revision) => revision !== undefined);
  for (const revision of stands) yield* writeRevision(agent, revision, stood);
  for (const gone of stood.filter(({ number }) => !stands.some((revision) => revision.number === number))) {
    const decided = left.find(({ number }) => number === gone.number);
    yield* decideRevision(agent, decided ?? { ...gone, state: 'superseded' });
  }
  return { ...agent, sequence };
}

export function* removeAgent({ space, id, sequence }: RegisteredAgent): Steps<'removed' | 'stale'> {
  const removal = yield* nextSequence();
  if ((yield* standing(written(space), written(id))) !== sequence) return 'stale';
  yield* ask('DELETE FROM space_revisions WHERE space = $1 AND agent = $2', space, id);
  yield* ask(
    `UPDATE space_agents SET sequence = $1, current_revision = NULL, pending_revision = NULL, body = NULL
      WHERE space = $2 AND id = $3`,
    removal,
    space,
    id,
  );
  const forgotten = removal - SPACE_STORE_LIMITS.removalChanges;
  yield* ask('DELETE FROM space_agents WHERE body IS NULL AND sequence <= $1', forgotten);
  return 'removed';
}

export function* readRevisions(
  space: string,
  id: string,
  { before = Number.MAX_SAFE_INTEGER, limit }: { readonly before?: number; readonly limit: number },
): Steps<readonly RevisionHead[]> {
  const rows = yield* ask(
    `SELECT number, state, decided_by, decided_at, head FROM space_revisions
      WHERE space = $1 AND agent = $2 AND number < $3 ORDER BY number DESC LIMIT $4`,
    lookedUp(space),
    lookedUp(id),
    before,
    limit,
  );
  return rows.map((row) => headOf(row));
}

export function* readRevision(space: string, id: string, number: number): Steps<Revision | undefined> {
  const [row] = yield* ask(
    `SELECT ${revisionColumns('r')} FROM space_revisions r WHERE r.space = $1 AND r.agent = $2 AND r.number = $3`,
    lookedUp(space),
    lookedUp(id),
    number,
  );
  return row === undefined ? undefined : revisionOf(row, 'r');
}

/**
 * The number of this change. Taking it is the first step of each, so that changes of several processes are made one after
 * the other: what a later one reads does not move under it, and numbers become visible in their order.
 */
function* nextSequence(): Steps<number> {
  const [row] = yield* ask('UPDATE space_changes SET sequence = sequence + 1 RETURNING sequence');
  if (row === undefined) throw new Error('The store has lost its counter: put a backup in its place.');
  return numberOf(row, 'sequence');
}

/** The sequence of an agent that is there. */
function* standing(space: string, id: string): Steps<number | undefined> {
  const [row] = yield* ask(
    'SELECT sequence FROM space_agents WHERE space = $1 AND id = $2 AND body IS NOT NULL',
    space,
    id,
  );
  return row === undefined ? undefined : numberOf(row, 'sequence');
}

/** A card is large, and nearly every change leaves it as it is. */
function* writeRevision(agent: AgentToSave, revision: Revision, stood: readonly Revision[]): Steps<void> {
  const known = stood.find(({ number }) => number === revision.number);
  if (known === undefined) return yield* addRevision(agent, revision);
  const { state, decidedBy, decidedAt } = known;
  if (revision.state === state && revision.decidedBy === decidedBy && revision.decidedAt === decidedAt) return;
  yield* decideRevision(agent, revision);
}

function agentOf(row: Row): RegisteredAgent | undefined {
  const body = maybe<Body>(row, 'body', jsonOf);
  if (body === undefined) return undefined;
  const current = revisionOf(row, 'c');
  const pending = revisionOf(row, 'p');
  return {
    ...body,
    space: textOf(row, 'space'),
    id: textOf(row, 'id'),
    ...(current && { current }),
    ...(pending && { pending }),
    sequence: numberOf(row, 'sequence'),
  };
}
