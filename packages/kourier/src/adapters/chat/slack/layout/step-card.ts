import type { StepEntry } from '../../../../core/thread/entry.ts';
import { SLACK } from '../slack-limits.ts';
import { inertPlain } from './inert.ts';
import { bytesOf, shortened } from './measure.ts';
import type { Card, CardStatus } from './slack-body.ts';

const STATUSES = { running: 'in_progress', done: 'complete', failed: 'error' } as const satisfies Record<
  StepEntry['state'],
  CardStatus
>;

/** A tool call as a card: its name, and of its arguments and result what fits into a line. */
export function stepCard({ id, name, args, state, result }: StepEntry): Card {
  const details = firstWords(args);
  const output = firstWords(result);
  return {
    id,
    title: shortened(oneLine(name), SLACK.stepTitle) || 'Tool',
    status: STATUSES[state],
    ...(details !== '' && { details }),
    ...(output !== '' && { output }),
  };
}

/** Steps that have no card of their own. */
export function foldedCard(steps: readonly StepEntry[], id: string): Card {
  const failed = steps.filter(({ state }) => state === 'failed').length;
  const running = steps.findLast(({ state }) => state === 'running');
  const now = running && ` · now ${oneLine(running.name)}`;
  const title = `${steps.length} more steps${failed > 0 ? `, ${failed} failed` : ''}${now ?? ''}`;
  return { id, title: shortened(title, SLACK.stepTitle), status: running ? 'in_progress' : 'complete' };
}

/** UTF-8 that a card takes in a message, whatever becomes of it: its result has its place from the start. */
export function cardBytes({ title, details = '' }: Card): number {
  return bytesOf(title) + bytesOf(details) + SLACK.stepDetails + 20;
}

function firstWords(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return shortened(oneLine(text), SLACK.stepDetails);
}

/** More than is shown is not looked at. */
function oneLine(text: string): string {
  return inertPlain(text.slice(0, 2_000)).replace(/\s+/g, ' ').trim();
}
