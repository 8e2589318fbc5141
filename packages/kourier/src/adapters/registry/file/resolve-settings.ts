import { DEFAULT_TIMINGS, type Timings } from '../../../core/timings.ts';
import type { StoreChoice } from '../../../ports/registry.ts';
import type { Checked } from './documents.ts';
import { durationMs } from './duration.ts';
import type { Report } from './problem.ts';
import { SETTINGS } from './schema/settings.ts';
import { specFromSets } from './spec-from-sets.ts';
import { specSpeaker } from './spec-speaker.ts';

/** `Settings.spec` as its schema has checked it, or what `--set` says of it. */
export interface SettingsSpec {
  readonly store?: { readonly sqlite?: { readonly path?: string }; readonly postgres?: { readonly url: string } };
  readonly timings?: Readonly<Record<string, string | number>>;
}

/** `--set` as the part of `Settings.spec` that it stands for. */
export const settingsFromSets: (sets: readonly string[], report: Report) => SettingsSpec = specFromSets(SETTINGS);

export interface Settings {
  readonly timings: Timings;
  readonly store: StoreChoice;
}

/** The Settings document, if there is one, with what `--set` says over it. */
export function resolveSettings(document: Checked | undefined, set: SettingsSpec, report: Report): Settings {
  const written = (document?.value['spec'] ?? {}) as SettingsSpec;
  const timings = timingsOf({ ...written.timings, ...set.timings });
  const say = specSpeaker(document, set, report);
  for (const backOff of ['followBackoff', 'retryBackoff'] as const)
    if (timings[`${backOff}InitialMs`] > timings[`${backOff}MaxMs`])
      say(
        ['timings', `${backOff}Initial`],
        `timings.${backOff}Initial is longer than timings.${backOff}Max`,
        'make it shorter',
      );
  if ((set.store ?? written.store)?.postgres !== undefined)
    say(['store', 'postgres'], 'store postgres: not in this version', 'write sqlite: {}');
  const path = set.store?.sqlite?.path ?? written.store?.sqlite?.path;
  return { timings, store: { kind: 'sqlite', ...(path === undefined ? {} : { path }) } };
}

/** The settings are named as the timings, without their unit. */
function timingsOf(spec: Readonly<Record<string, string | number>>): Timings {
  const timing = ([key, standard]: [string, number]): [string, number] => {
    const written = spec[key.replace(/Ms$/, '')];
    return [key, (typeof written === 'string' ? durationMs(written) : written) ?? standard];
  };
  return Object.fromEntries(Object.entries(DEFAULT_TIMINGS).map(timing)) as unknown as Timings;
}
