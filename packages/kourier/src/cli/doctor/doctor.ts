import type { Finding } from '../../ports/finding.ts';
import { inert } from '../inert.ts';
import type { Values } from '../parse.ts';
import { type UpOptions, upOptions } from '../up.ts';
import { UsageError } from '../usage-error.ts';

/** What `kourier doctor` looks at: what `kourier up` would run with. */
export interface DoctorOptions extends Pick<UpOptions, 'config' | 'sets' | 'secretsDir'> {
  readonly json: boolean;
}

/** Throws `UsageError`. */
export function doctorOptions(values: Values): DoctorOptions {
  const { config, sets, secretsDir } = upOptions(values);
  if (config.length === 0) throw new UsageError('doctor has nothing to look at', 'write --config PATH');
  return { config, sets, json: values.has('json'), ...(secretsDir === undefined ? {} : { secretsDir }) };
}

const WORDS = { ok: 'ok', warn: 'warn', fail: 'FAIL' } as const;
/** A line names a file, two names and a remedy; none of them has a reason to be longer. */
const LINE_CHARACTERS = 1_000;

/** A finding a line, for people; what others wrote cannot make a line or a colour of its own. */
export function findingLines(findings: readonly Finding[]): string {
  const lines = findings.map(({ verdict, what, todo }) =>
    inert(`${WORDS[verdict].padEnd(4)}  ${what}${todo === undefined ? '' : `  → ${todo}`}`, LINE_CHARACTERS),
  );
  return lines.map((line) => `${line}\n`).join('');
}

/** For programs: `{ok, checks: [{verdict, what, todo?}]}`. */
export function findingsJson(findings: readonly Finding[]): string {
  return `${JSON.stringify({ ok: hold(findings), checks: findings }, undefined, 2)}\n`;
}

export const hold = (findings: readonly Finding[]): boolean => findings.every(({ verdict }) => verdict !== 'fail');
