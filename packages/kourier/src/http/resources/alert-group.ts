import type { Alert, AlertGroup } from '../schemas/requests.ts';
import { digest } from './digest.ts';
import { shortLine } from './short-line.ts';

export type Labels = Readonly<Record<string, string>>;

const TITLE_CHARACTERS = 100;

/** Where a group's thread is, beside the places that its platform may have for it. */
export function alertPlace({ groupKey }: AlertGroup): string {
  return `alertmanager/${digest(groupKey)}`;
}

/** What tells one alert from another, and from itself when it fires again; with `endsAt` from itself while it fired. */
export function alertIdentity({ fingerprint, labels = {}, startsAt, endsAt }: Alert, ends = false): string {
  const sorted = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([fingerprint ?? sorted, startsAt ?? null, ...(ends ? [endsAt ?? null] : [])]);
}

/** The same set in another order is the same set. */
export const alertSet = (identities: readonly string[]): string => digest([...identities].sort().join('\n'));

/** The alert's name on one short line: it stands among our own words, so nothing in it may look like more than a name. */
export function alertTitle({ groupLabels, commonLabels }: AlertGroup, alerts: readonly Alert[]): string {
  const name = nameIn(groupLabels) ?? nameIn(commonLabels) ?? nameIn(alerts[0]?.labels) ?? '';
  return shortLine(name, TITLE_CHARACTERS) || 'unnamed';
}

function nameIn(labels: Labels | undefined): string | undefined {
  return labels !== undefined && Object.hasOwn(labels, 'alertname') ? labels['alertname'] : undefined;
}
