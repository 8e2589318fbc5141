/** Stands where a secret stood. */
export const REDACTED = '[redacted]';

/** Words of a key whose value is a secret, whatever it looks like (decision 18). */
const SECRET_WORDS = new Set([
  'authorization',
  'cookie',
  'credential',
  'credentials',
  'jwt',
  'passphrase',
  'passwd',
  'password',
  'passwords',
  'pwd',
  'secret',
  'secrets',
  'token',
]);
/** Two words that make a secret together: `apiKey`, `access_key`, `private-key`. */
const SECRET_KEYS = /(^|_)(api|access|auth|client|encryption|private|service|shared|signing)_?key(_|$)/;

const MARKS = ['password', 'passwd', 'pwd', 'secret', 'token', 'api[_-]?key', 'access[_-]?key', 'credentials?'].join(
  '|',
);

/**
 * Secrets that are known by their shape, wherever they stand in a text. The first group stays. Each takes time that is
 * linear in the text, whatever an agent writes: no place begins a search that runs over what another one has run over.
 */
const SHAPES: readonly RegExp[] = [
  /()-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /(?<![\w-])(?=[\w-]+\.[\w-]{8,}\.)([\w-]*?)\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /()\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|xapp-[\w-]{10,})/g,
  /()\b(?:sk|pk|rk)[-_](?:[a-z0-9]{1,20}[-_]){0,4}[A-Za-z0-9]{16,}/g,
  /()\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /()\bAIza[\w-]{30,}/g,
  /(\b(?:bearer|basic)\s+)[\w+/.~-]{8,}=*/gi,
  /(:\/\/)[^\s/?#@:]+:[^\s/?#@]*(?=@)/g,
  new RegExp(`((?:${MARKS})["']?\\s*[=:]\\s*["']?)[^\\s"'&,;]+`, 'gi'),
];

/** A copy in which secrets are redacted, by key and by shape, and everything else is as it was. `value` is plain JSON, of bounded depth. */
export function redact(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, isSecret(key, item) ? REDACTED : redact(item)]),
  );
}

export function redactText(text: string): string {
  let shown = text;
  for (const shape of SHAPES) shown = shown.replace(shape, (_, stays: string) => `${stays}${REDACTED}`);
  return shown;
}

/** A number or a flag under such a key is a count or a switch (`max_tokens`), nothing that opens a door. */
function isSecret(key: string, value: unknown): boolean {
  if (value === null || value === '' || typeof value === 'number' || typeof value === 'boolean') return false;
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.some((word) => SECRET_WORDS.has(word)) || SECRET_KEYS.test(words.join('_'));
}
