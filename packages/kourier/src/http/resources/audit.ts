import { LIMITS } from '../../core/limits.ts';
import type { ThreadId } from '../../core/thread/ids.ts';
import type { AuditQuery, NumberedAuditRecord, Store } from '../../ports/store.ts';
import { problem } from '../problem.ts';
import { get, type HttpContext, json, type Route } from '../route.ts';
import { isId } from './thread-id.ts';

const USUAL_RECORDS = 50;

/** Who decided what, when, about exactly which arguments: for a person who has to account for it. */
export function auditResource({ store }: { readonly store: Pick<Store, 'audit'> }): readonly Route[] {
  return [
    get(
      '/api/v1/audit',
      {
        summary: 'The decisions of questions and approvals, newest first; nothing changes or removes one',
        answers: { 200: { description: 'A page of them', schema: 'Audit' } },
        problems: ['invalid-request'],
        query: {
          limit: {
            ...{ type: 'integer', minimum: 1, maximum: LIMITS.auditRecords, default: USUAL_RECORDS },
            description: 'The most records to answer with.',
          },
          before: { type: 'integer', minimum: 1, description: 'Only older records: the `next` of the page before.' },
          thread: { type: 'string', description: 'Only the records of this thread.' },
        },
      },
      async (c) => {
        const query = queryIn(c);
        if (typeof query === 'string') return problem('invalid-request', query);
        // One more than was asked for says whether there is a next page.
        const found = await store.audit({ ...query, limit: query.limit + 1 });
        const records = found.slice(0, query.limit);
        const next = found.length > records.length ? (records.at(-1)?.number ?? null) : null;
        return json({ records: records.map(shown), next });
      },
    ),
  ];
}

/** What is asked for, or what to write instead. A name that is not known is refused: one misspelt would show everything. */
function queryIn(c: HttpContext): AuditQuery | string {
  const given = new Map<string, string>();
  for (const [name, values] of Object.entries(c.req.queries())) {
    if (!['limit', 'before', 'thread'].includes(name)) return 'Ask with limit, before and thread, and nothing else.';
    if (values.length > 1) return `Give ${name} once.`;
    given.set(name, values[0] ?? '');
  }
  const limit = wholeIn(given.get('limit') ?? `${USUAL_RECORDS}`, LIMITS.auditRecords);
  if (limit === undefined) return `limit is a whole number from 1 to ${LIMITS.auditRecords}.`;
  const before = wholeIn(given.get('before') ?? `${Number.MAX_SAFE_INTEGER}`, Number.MAX_SAFE_INTEGER);
  if (before === undefined) return 'before is the "next" of another page: a whole number from 1.';
  const thread = given.get('thread');
  if (thread === undefined) return { limit, before };
  return isId(thread) ? { limit, before, thread: thread as ThreadId } : 'thread is the id of a thread.';
}

function wholeIn(text: string, most: number): number | undefined {
  const number = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= most ? number : undefined;
}

/** Member by member, so that nothing that is kept beside gets out by itself. */
function shown({ atMs, turn, ...record }: NumberedAuditRecord) {
  const { number, binding, thread, request, type, decision, actor, tools, answers, approvals, messageId } = record;
  const at = new Date(atMs).toISOString();
  return {
    ...{ number, at, binding, thread, turnId: turn, request, type, decision, actor, tools, answers, approvals },
    ...(messageId === undefined ? {} : { messageId }),
  };
}
