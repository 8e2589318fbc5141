import { validateCard } from '@agentkourier/a2a/validate-card';
import type { CardOptions } from './card-options.ts';
import { liveCheck } from './live-check.ts';
import { lookUpCard } from './look-up.ts';
import { type Reading, readJson } from './read-json.ts';
import { counted, jsonText, line, noteLine, type Wrong, wrongLine } from './verdict.ts';

/** What `kourier card validate` says, and whether the card is valid. Throws `UsageError` and `NotFound`. */
export async function validate(
  { card: place, protocol, json }: CardOptions & { readonly action: 'validate' },
  reading: Reading,
): Promise<{ readonly valid: boolean; readonly text: string }> {
  const onWeb = place.kind === 'web' ? await lookUpCard(place.url, reading.webText) : undefined;
  const document = onWeb ?? (await readJson(place, 'card', reading));
  const { value, from, duplicates } = document;
  const report = validateCard(value, protocol);
  const { version, rule, why, more } = report;
  const live = onWeb === undefined ? undefined : await liveCheck(value, version, onWeb.url, reading.webText);
  const misplaced = onWeb?.misplaced === undefined ? [] : [placed(onWeb.misplaced)];
  const faults: readonly Wrong[] = [...misplaced, ...duplicates.map(twice), ...report.faults, ...(live?.faults ?? [])];
  const notes = [...report.notes, ...(live?.notes ?? [])];
  const valid = faults.length === 0;
  if (json) return { valid, text: jsonText({ ok: valid, from, version, rule, why, faults, notes, more }) };
  const text = [
    line(`${from}: judged as A2A ${version}, since ${why}`),
    ...faults.map(wrongLine),
    ...notes.map(noteLine),
    ...(more === 0 ? [] : [line(`and ${more} more`)]),
    line(`${valid ? 'valid' : 'not valid'}: ${counted(faults.length, 'fault')}, ${counted(notes.length, 'note')}`),
  ].join('');
  return { valid, text };
}

function placed({ found, allowed }: { readonly found: string; readonly allowed: string }): Wrong {
  return { path: '$', problem: 'misplaced', found, allowed, message: `found ${found}; clients look at ${allowed}` };
}

export function twice(path: string): Wrong {
  const [found, allowed] = ['the member twice', 'each member once'];
  return {
    path,
    problem: 'duplicate',
    found,
    allowed,
    message: `found ${found}; readers differ in which of them counts`,
  };
}
