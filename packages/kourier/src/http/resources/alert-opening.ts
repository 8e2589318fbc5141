import { createHash } from 'node:crypto';
import { LIMITS } from '../../core/limits.ts';
import type { Opening } from '../courier-door.ts';
import type { Alert, AlertGroup } from '../schemas/requests.ts';

type Labels = Readonly<Record<string, string>>;

const TITLE_CHARACTERS = 100;

/** The message that a group of alerts becomes; `undefined` when nothing in it fires. */
export function alertOpening(binding: string, group: AlertGroup): Opening | undefined {
  const firing = group.alerts.filter(({ status }) => status === 'firing');
  if (firing.length === 0) return undefined;
  const place = `alertmanager/${digest(group.groupKey)}`;
  return {
    binding,
    text: `Alert firing: ${title(group, firing)} (${firing.length})`,
    untrusted: fields(group, firing),
    place,
    // The same set in another order is the same set; an alert that fires again has another start.
    key: `${place}/${digest(firing.map(identity).sort().join('\n'))}`,
  };
}

/** Only the length is bounded by hashing: what comes from outside is used as a key, never as a secret. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function identity({ fingerprint, labels = {}, startsAt }: Alert): string {
  const sorted = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([fingerprint ?? sorted, startsAt ?? null]);
}

/** The alert's name on one short line: it stands among our own words, so nothing in it may look like more than a name. */
function title({ groupLabels, commonLabels }: AlertGroup, firing: readonly Alert[]): string {
  const name = nameIn(groupLabels) ?? nameIn(commonLabels) ?? nameIn(firing[0]?.labels) ?? '';
  const line = name.replace(/[\p{C}\p{Z}[\]<>]+/gu, ' ').trim();
  const short = [...line].slice(0, TITLE_CHARACTERS).join('');
  return short === '' ? 'unnamed' : short.length < line.length ? `${short}…` : short;
}

function nameIn(labels: Labels | undefined): string | undefined {
  return labels !== undefined && Object.hasOwn(labels, 'alertname') ? labels['alertname'] : undefined;
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
