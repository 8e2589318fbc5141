import { LIMITS } from '../../core/limits.ts';
import type { Opening } from '../courier-door.ts';
import type { Alert, AlertGroup } from '../schemas/requests.ts';
import { alertIdentity, alertPlace, alertSet, alertTitle, type Labels } from './alert-group.ts';

/** The message that a group of alerts becomes; `undefined` when nothing in it fires. */
export function alertOpening(binding: string, group: AlertGroup): Opening | undefined {
  const firing = group.alerts.filter(({ status }) => status === 'firing');
  if (firing.length === 0) return undefined;
  const place = alertPlace(group);
  return {
    binding,
    text: `Alert firing: ${alertTitle(group, firing)} (${firing.length})`,
    untrusted: fields(group, firing),
    place,
    // An alert that fires again has another start.
    key: `${place}/${alertSet(firing.map((alert) => alertIdentity(alert)))}`,
  };
}

/** One JSON object a line: first the group, then each firing alert while there is room, then what was left out. */
function fields(group: AlertGroup, firing: readonly Alert[]): string {
  const { receiver, externalURL, groupLabels, commonLabels, commonAnnotations, truncatedAlerts = 0 } = group;
  const lines = [line({ receiver, externalURL, groupLabels, commonLabels, commonAnnotations })];
  let room = LIMITS.alertCharacters - (lines[0]?.length ?? 0);
  for (const { labels, annotations, startsAt, generatorURL } of firing) {
    const alert = line({ labels, annotations, startsAt, generatorURL });
    room -= alert.length + 1;
    if (room < 0) break;
    lines.push(alert);
  }
  const leftOut = firing.length - (lines.length - 1) + truncatedAlerts;
  if (leftOut > 0) lines.push(JSON.stringify({ alertsLeftOut: leftOut }));
  return lines.join('\n');
}

type Field = string | Labels | undefined;

/** Fields from the first on while there is room for a quarter of it all, so that no one alert takes the place of the rest. */
function line(value: Readonly<Record<string, Field>>): string {
  let room = LIMITS.alertCharacters / 4;
  const cut = (text: string): string | undefined => {
    const short = text.length > LIMITS.alertFieldCharacters ? `${text.slice(0, LIMITS.alertFieldCharacters)}…` : text;
    room -= JSON.stringify(short).length;
    return room < 0 ? undefined : short;
  };
  const part = (field: Field) => {
    if (field === undefined || typeof field === 'string') return field === undefined ? undefined : cut(field);
    const kept = Object.entries(field).flatMap(([name, text]) => {
      const [shortName, shortText] = [cut(name), cut(text)];
      return shortName === undefined || shortText === undefined ? [] : [[shortName, shortText] as const];
    });
    return kept.length === 0 ? undefined : Object.fromEntries(kept);
  };
  return JSON.stringify(Object.fromEntries(Object.entries(value).map(([name, field]) => [name, part(field)])));
}
