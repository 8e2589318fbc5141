/** A word that says that a value is secret, whatever the value looks like (decision 18): `password`, `dbPassword`, `PGPASSWORD`. */
const SECRET_WORD = /(?:authorization|bearer|cookies?|credentials?|jwt|passphrase|passw(?:or)?ds?|pwd|secrets?|token)$/;
const PASSWORD_WORD = /pass(?:phrase|w(?:or)?ds?)$|pwd$/;
/** Two words that make a secret together: `apiKey`, `access_key`, `private-key`. */
const SECRET_KEYS =
  /(?:^|_)(?:access|account|api|auth|client|encryption|gpg|license|master|pgp|private|rsa|service|session|shared|signing|ssh|storage|tls|webhook)_?keys?(?:_|$)/;
/** What a key names that ends so is where a secret is, or what is known about it: an approver has to see it. */
const ABOUT = new Set(
  (
    'count dir enabled endpoint expires expiry file files kind length limit name names namespace path paths policy ref ' +
    'reference refs required ttl type uri url version'
  ).split(' '),
);

const wordsOf = (key: string): readonly string[] =>
  key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');

/** `secretName`, `tokenUrl`, `name`. */
export const isAboutSecret = (key: string): boolean => ABOUT.has(wordsOf(key).at(-1) ?? '');

export function isSecretKey(key: string): boolean {
  const words = wordsOf(key);
  if (ABOUT.has(words.at(-1) ?? '')) return false;
  const isPass = words.length > 1 && words.at(-1) === 'pass';
  return isPass || words.some((word) => SECRET_WORD.test(word)) || SECRET_KEYS.test(words.join('_'));
}

/** A number under any other secret key is a count, nothing that opens a door. */
export const isPasswordKey = (key: string): boolean => wordsOf(key).some((word) => PASSWORD_WORD.test(word));
