import type { Json, Revision, RevisionState } from '../../../core/directory/registered-agent.ts';
import type { Decided, RevisionHead } from '../../../ports/space/directory-store.ts';
import { ask, jsonOf, maybe, numberOf, type Row, type Steps, textOf } from './steps.ts';

interface AgentId {
  readonly space: string;
  readonly id: string;
}

const COLUMNS = ['number', 'state', 'decided_by', 'decided_at', 'head', 'card'];

/** As `revisionOf` reads them. */
export const revisionColumns = (alias: string): string =>
  COLUMNS.map((column) => `${alias}.${column} AS ${alias}_${column}`).join(', ');

export function revisionOf(row: Row, alias: string): Revision | undefined {
  const prefix = `${alias}_`;
  const card = maybe<Json>(row, `${prefix}card`, jsonOf);
  return card && { ...headOf(row, prefix), card };
}

export function headOf(row: Row, prefix = ''): RevisionHead {
  const decidedBy = maybe(row, `${prefix}decided_by`, textOf);
  const decidedAt = maybe(row, `${prefix}decided_at`, numberOf);
  return {
    ...jsonOf<Omit<RevisionHead, keyof Decided>>(row, `${prefix}head`),
    number: numberOf(row, `${prefix}number`),
    state: textOf(row, `${prefix}state`) as RevisionState,
    ...(decidedBy !== undefined && { decidedBy: JSON.parse(decidedBy) }),
    ...(decidedAt !== undefined && { decidedAt }),
  };
}

/** One that is there already only has another state. */
export function* addRevision({ space, id }: AgentId, revision: Revision): Steps<void> {
  const { number, state, decidedBy, decidedAt, card, ...head } = revision;
  yield* ask(
    `INSERT INTO space_revisions (space, agent, number, state, decided_by, decided_at, head, card)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (space, agent, number) DO UPDATE SET
      state = excluded.state, decided_by = excluded.decided_by, decided_at = excluded.decided_at`,
    space,
    id,
    number,
    state,
    nameOf(decidedBy),
    decidedAt ?? null,
    JSON.stringify(head),
    JSON.stringify(card),
  );
}

export function* decideRevision({ space, id }: AgentId, { number, state, decidedBy, decidedAt }: Decided): Steps<void> {
  yield* ask(
    `UPDATE space_revisions SET state = $1, decided_by = $2, decided_at = $3
      WHERE space = $4 AND agent = $5 AND number = $6`,
    state,
    nameOf(decidedBy),
    decidedAt ?? null,
    space,
    id,
    number,
  );
}

/** As JSON: a name may hold what a column of text does not take. */
const nameOf = (name: string | undefined): string | null => (name === undefined ? null : JSON.stringify(name));
