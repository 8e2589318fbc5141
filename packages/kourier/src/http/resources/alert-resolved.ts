import { LIMITS } from '../../core/limits.ts';
import type { Saying } from '../courier-door.ts';
import type { Alert, AlertGroup } from '../schemas/requests.ts';
import { alertIdentity, alertPlace, alertSet, alertTitle } from './alert-group.ts';
import { shortLine } from './short-line.ts';

const LINES = 10;

/**
 * What is said in a group's thread of alerts that are over; `undefined` when none is. It starts no turn: nothing is to
 * be done. The agent gets it with the next turn, in a block of untrusted data, so labels may stand in it.
 */
export function alertResolved(group: AlertGroup): Saying | undefined {
  const over = group.alerts.filter(({ status }) => status === 'resolved');
  if (over.length === 0) return undefined;
  const lines = over.map((alert) => labelsLine(group, alert)).filter((line) => line !== '');
  const left = lines.length - LINES;
  return {
    text: [
      `Alert resolved: ${alertTitle(group, over)} (${over.length})`,
      ...lines.slice(0, LINES),
      ...(left > 0 ? [`(${left} more)`] : []),
    ].join('\n'),
    mention: false,
    key: `${alertPlace(group)}/resolved/${alertSet(over.map((alert) => alertIdentity(alert, true)))}`,
  };
}

/** `service=checkout, severity=page`, without the labels by which the group is one. */
function labelsLine({ groupLabels = {} }: AlertGroup, { labels = {} }: Alert): string {
  const own = Object.entries(labels).filter(([name]) => name !== 'alertname' && !Object.hasOwn(groupLabels, name));
  const named = own.map(([name, value]) => `${name}=${value.slice(0, LIMITS.alertFieldCharacters)}`);
  return shortLine(named.join(', ').slice(0, 4 * LINE_CHARACTERS), LINE_CHARACTERS);
}

const LINE_CHARACTERS = 300;
