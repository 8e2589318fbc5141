import { isAboutSecret, isPasswordKey, isSecretKey } from './secret-key.ts';

/** Stands where a secret stood. */
export const REDACTED = '[redacted]';

const MARK =
  '(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|credentials?)[\\\\"\']{0,4}[ \\t]*[=:][ \\t]*';

/** What can stand in a key: lines of base64, real or written as `\\n`, long words of it on one line, and the heads that there are. */
const KEY_BODY =
  '(?:(?:\\\\{1,4}[rn]|[\\r\\n])+[ \\t]*(?:(?:Proc-Type|DEK-Info|Version|Comment): [\\w ,.-]*|[A-Za-z0-9+/=]+(?=[ \\t]*(?:[\\r\\n\\\\"\']|$)))|[ \\t]+[A-Za-z0-9+/=]{32,})*';
const KEY_END = '(?:(?:\\\\{1,4}[rn]|\\s)*-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----)?';

/**
 * What a shell would run, or read from, inside of what looks like a secret. It is shown: an approver has to see what
 * runs (rule Q7), and a secret that looks so is rare.
 */
const RUNS = /\$[({]|[<>]\(|`[^`]*`/;

/**
 * Secrets that are known by their shape, wherever they stand in a text. The first group stays. Each takes time that is
 * linear in the text, whatever an agent writes: no place begins a search that runs over what another one has run over.
 */
const SHAPES: readonly RegExp[] = [
  new RegExp(`()-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----${KEY_BODY}${KEY_END}`, 'g'),
  /(?<![\w-])(?=[\w-]+\.[\w-]{8,}\.)([\w-]*?)\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /()\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|xapp-[\w-]{10,})/g,
  /()\b(?:npm_\w{30,}|hf_\w{30,}|ya29\.[\w-]{20,}|SG\.[\w-]{16,64}\.[\w-]{16,})/g,
  /()\b(?:sk|pk|rk)[-_](?:[a-z0-9]{1,20}[-_]){0,4}[A-Za-z0-9]{16,}[\w-]*/g,
  /()\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /()\bAIza[\w-]{30,}/g,
  /(hooks\.slack\.com\/services\/)[\w/-]{8,}/g,
  /(\bauthorization["']?\s*[:=]\s*["']?(?:bearer|basic|token|digest|negotiate|apikey)\s+)[^\s"'&,;|<>]+/gi,
  // A word or two behind it is prose: "basic understanding".
  /(\b(?:[Bb]earer|BEARER|[Bb]asic|BASIC)\s+)(?![A-Z]?[a-z]{1,16}(?:-[a-z]{1,16}){0,4}[.,;:!?)"']*(?:\s|$))[\w+/.~-]{8,}=*/g,
  /(:\/\/)[^\s/?#@:"'<>]*:[^\s/?#"'<>]*(?=@)/g,
  /(--(?:[a-z0-9]{1,20}-){0,3}(?:password|passwd|secret|token|api-?key|access-?key)[ \t]+["']?)(?!-)[^\s"'&;|<>]+/gi,
  // To the closing quote, or the end of the line.
  new RegExp(`(${MARK}\\\\?")[^"\\n]+`, 'gi'),
  new RegExp(`(${MARK}')[^'\\n]+`, 'gi'),
  new RegExp(`(${MARK})(?!\\\\*["'])[^\\s"'&,;|<>]+`, 'gi'),
];

type Json = Readonly<Record<string, unknown>>;

/** A copy in which secrets are redacted, by key and by shape, and everything else is as it was. `value` is plain JSON, of bounded depth. */
export function redact(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(redact);
  return isJson(value) ? redactRecord(value) : value;
}

function redactRecord(value: Json): unknown {
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      isManifestData(key, value) ? concealAll(item) : redactAt(key, item, value),
    ]),
  );
}

function redactAt(key: string, item: unknown, { name, key: named }: Json): unknown {
  // A variable or header that is written as a pair.
  const isPair = key === 'value' && [name, named].some((word) => typeof word === 'string' && isSecretKey(word));
  return isPair || isSecretKey(key) ? conceal(item, key) : redact(item);
}

/** A Secret of Kubernetes: no key says anything about its value. */
const isManifestData = (key: string, { kind }: Json): boolean =>
  kind === 'Secret' && (key === 'data' || key === 'stringData');

const concealAll = (item: unknown): unknown =>
  isJson(item) ? Object.fromEntries(Object.keys(item).map((key) => [key, REDACTED])) : conceal(item, '');

export function redactText(text: string): string {
  let shown = text;
  for (const shape of SHAPES) {
    shown = shown.replace(shape, (found: string, stays: string) =>
      RUNS.test(found.slice(stays.length)) ? found : `${stays}${REDACTED}`,
    );
  }
  return shown;
}

/** All of it is secret, but for what says which secret it is, and for counts and switches. */
function conceal(value: unknown, key: string): unknown {
  if (typeof value === 'string') return value === '' ? value : REDACTED;
  if (typeof value === 'number') return isPasswordKey(key) ? REDACTED : value;
  if (Array.isArray(value)) return value.map((item) => conceal(item, key));
  if (!isJson(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, item]) => [
      member,
      isAboutSecret(member) ? redact(item) : conceal(item, isSecretKey(member) ? member : key),
    ]),
  );
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
