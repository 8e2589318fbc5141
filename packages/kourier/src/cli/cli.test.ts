import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '../ports/finding.ts';
import { actionsOf, operandsFor, optionsFor } from './command.ts';
import { COMMANDS } from './commands.ts';
import { run, runIn, testUsageErrors } from './fixtures/run-cli.ts';
import { stateFolder } from './state-folder.ts';

test('no command, --help and help say what there is', async () => {
  for (const args of [[], ['--help'], ['-h'], ['help']]) {
    const { code, out, complaints } = await run(...args);
    assert.equal(code, 0);
    assert.deepEqual(complaints, []);
    for (const { name, summary } of COMMANDS) assert.match(out, new RegExp(`^ {2}${name} +${summary}$`, 'm'));
  }
});

test('every command says how it is used, with every option of it', async () => {
  for (const { name, options } of COMMANDS) {
    const { code, out } = await run('help', ...(name === 'help' ? [] : [name]));
    assert.equal(code, 0);
    const other = await run(name, '--help');
    if (name !== 'help') assert.equal(out, other.out);
    for (const option of options)
      assert.match(other.out, new RegExp(`^ {2}--${option.name} ${option.value ?? ''} *`, 'm'));
    assert.ok(
      other.out.split('\n').every((line) => line.length <= 100),
      'lines of at most 100 characters',
    );
    assert.doesNotMatch(other.out, /STATE/);
  }
});

test('an action says how it is used, with the options that it takes and no other', async () => {
  for (const command of COMMANDS)
    for (const action of actionsOf(command)) {
      const { code, out } = await run(command.name, action, '--help');
      assert.equal(code, 0);
      assert.equal((await run('help', command.name, action)).out, out);
      assert.match(out, new RegExp(`^Usage: kourier ${command.name} ${action}\\b`, 'm'));
      const shown = [...out.matchAll(/^ {2}--([\w-]+)/gm)].map(([, name]) => name);
      assert.deepEqual(
        shown,
        optionsFor(command, action).map(({ name }) => name),
      );
      assert.ok(shown.length > 0);
      const takes = operandsFor(command, action).map(({ name }) => name);
      assert.equal(takes.includes('MESSAGE'), action === 'call');
      assert.equal(out.includes('[MESSAGE]'), action === 'call');
    }
});

test('--version', async () => {
  for (const flag of ['--version', '-V'])
    assert.deepEqual(await run(flag), { code: 0, out: 'kourier 1.2.3\n', complaints: [], up: undefined });
});

test('up without options: the demo, on loopback, its data under the state folder', async () => {
  const { code, up } = await run('up');
  assert.equal(code, 0);
  assert.deepEqual(up, { config: [], data: stateFolder(), host: '127.0.0.1', port: 8080, sets: [], logLevel: 'info' });
});

test('up with every option', async () => {
  const { up } = await run(
    ...['up', '--config', 'a.yaml', '--config=b', '--data', '/data', '--host', '::1', '--port', '0'],
    ...[
      '--set',
      'timings.giveUpAfter=5m',
      '--set',
      'log.level=debug',
      '--set',
      'secrets.dir=/run/secrets',
      '--set',
      'store.sqlite.path=a=b',
    ],
  );
  assert.deepEqual(up, {
    config: ['a.yaml', 'b'],
    data: '/data',
    host: '::1',
    port: 0,
    sets: ['timings.giveUpAfter=5m', 'store.sqlite.path=a=b'],
    secretsDir: '/run/secrets',
    logLevel: 'debug',
  });
});

test('the state folder is what XDG says, when that is absolute', () => {
  assert.equal(stateFolder({ XDG_STATE_HOME: '/state' }), '/state/kourier');
  assert.match(stateFolder({}), /\/\.local\/state\/kourier$/);
  assert.equal(stateFolder({ XDG_STATE_HOME: 'relative' }), stateFolder({}));
});

testUsageErrors({
  upp: 'unknown command upp; write up',
  frobnicate: 'unknown command frobnicate; write one of up, doctor, slack, card, a2a, space, completion, help',
  check: 'unknown command check; write one of up, doctor, slack, card, a2a, space, completion, help',
  '--verson': 'unknown option --verson; write --version',
  '--version=1': 'option --version takes no value; write --version',
  'up --prot 1': 'unknown option --prot; write --port',
  'up -x': 'unknown option -x; write one of --config, --data, --host, --port, --set, --help',
  'up extra': 'up takes no extra; see kourier help up',
  'up --port': 'option --port has no value; write --port PORT',
  'up --port --data x': 'option --port has no value; write --port PORT',
  'up --port 70000': '--port 70000 is no port; write a number from 0 to 65535',
  'up --port 80x': '--port 80x is no port; write a number from 0 to 65535',
  'up --port=': '--port  is no port; write a number from 0 to 65535',
  'up --data=': '--data is empty; write --data DIR',
  'up --config=': '--config is empty; write --config PATH',
  'up --host 0.0.0.0':
    '--host 0.0.0.0 is not loopback: this version knows no callers; write 127.0.0.1, ::1 or localhost, and put a proxy that does before it',
  'up --set log.levl=info': '--set log.levl: unknown key; write log.level',
  'up --set log.level=loud': '--set log.level=loud is not known; write one of debug, info, warn, error',
  'up --set log.level=warning': '--set log.level=warning is not known; write one of debug, info, warn, error',
  'up --set secrets.dir=': '--set secrets.dir has no value; write --set secrets.dir=VALUE',
  doctor: 'doctor has nothing to look at; write --config PATH',
  'doctor --config a --json=1': 'option --json takes no value; write --json',
  slack: 'slack needs an ACTION; write one of manifest',
  'slack manifset': 'unknown action manifset; write manifest',
  'slack manifest --mode sockets': '--mode sockets is not known; write socket',
  'slack manifest --mode http': '--mode http needs --url; write --url https://HOST',
  'slack manifest --mode socket --url https://h': '--url is for --mode http; leave one of them out',
  'slack manifest --url http://h':
    '--url http://h is nothing that Slack calls; write https://HOST, where Slack reaches kourier up',
  'slack manifest --url https://u:p@h':
    '--url https://u:p@h is nothing that Slack calls; write https://HOST, where Slack reaches kourier up',
  [`slack manifest --name ${'n'.repeat(36)}`]: '--name is no name of an app; write 1 to 35 characters in one line',
  'slack manifest --format toml': '--format toml is not known; write one of json, yaml',
  'card validate': 'card needs a CARD; write a file, - for standard input, or the URL of a card or of its agent',
  'card verfy card.json': 'unknown action verfy; write verify',
  'card validate a b': 'card takes no b; see kourier help card',
  'card validate a --protocol 0.2': '--protocol 0.2 is not known; write 0.3',
  'card sign a': 'card sign needs --key; write --key JWK',
  'card sign a --key https://h/key.json': 'key https://h/key.json is no file and no web address; write a path',
  'card sign https://h/ --key key.json': 'card sign takes no URL; write the FILE that the agent serves',
  'card sign a --key k --json': 'card sign takes no --json; see kourier help card sign',
  'card verify a': 'card verify needs --jwks; write --jwks FILE',
  'card validate file:///etc/passwd':
    'card file:///etc/passwd is no file and no web address; write a path, or an address that begins with http:// or https://',
  'card validate htp://h/card.json':
    'card htp://h/card.json is no file and no web address; write a path, or an address that begins with http:// or https://',
  'card validate http://user@h/':
    'card http://user@h/ is no file and no web address; write a path, or an address that begins with http:// or https://',
  'card validate http://user:secret@h/':
    'card http://user:secret@h/ is no file and no web address; write a path, or an address that begins with http:// or https://',
  completion: 'completion needs a SHELL; write one of bash, zsh, fish',
  'completion fihs': 'unknown shell fihs; write fish',
  'help a2a cal': 'unknown action cal; write call',
  'help up now': 'up has no actions; see kourier help up',
  'help upp': 'unknown command upp; write up',
});

test('slack manifest: by --url in mode http, else in mode socket', async () => {
  const options = async (...args: string[]) => JSON.parse((await run('slack', 'manifest', ...args)).out) as object;
  assert.deepEqual(await options(), { name: 'Kourier', format: 'json' });
  assert.deepEqual(
    await options('--name', 'Ops', '--mode', 'http', '--url', 'https://h.example/k//', '--format=yaml'),
    {
      ...{ name: 'Ops', url: 'https://h.example/k', format: 'yaml' },
    },
  );
});

test('doctor: a line for each finding that stays one line, and exit code 1 when one fails', async () => {
  const findings: Finding[] = [
    { verdict: 'ok', what: 'configuration: read' },
    { verdict: 'warn', what: 'scope a:b is missing', todo: 'add it' },
    { verdict: 'fail', what: 'channel \u001b[31m#ops\nok    all is well', todo: 'write /invite' },
  ];
  const args = ['doctor', '--config', 'a.yaml', '--set', 'secrets.dir=/run', '--set', 'timings.streamIdle=1s'];
  const lines = ['ok    configuration: read', 'warn  scope a:b is missing  → add it'];
  const { code, out, looked } = await runIn({ findings }, ...args);
  assert.equal(code, 1);
  assert.deepEqual(out.split('\n'), [...lines, 'FAIL  channel ?[31m#ops?ok    all is well  → write /invite', '']);
  const options = { config: ['a.yaml'], sets: ['timings.streamIdle=1s'], secretsDir: '/run', json: false };
  assert.deepEqual(looked, options);
  assert.equal((await runIn({ findings: findings.slice(0, 2) }, ...args)).code, 0);
  const json = await runIn({ findings }, ...args, '--json');
  assert.equal(json.code, 1);
  assert.deepEqual(JSON.parse(json.out), { ok: false, checks: findings });
});

test('what was typed comes back as one line, inert and with an end', async () => {
  const { complaints } = await run(`up\n\u001b[31m${'x'.repeat(1_000)}`);
  assert.equal(complaints.length, 1);
  assert.doesNotMatch(complaints[0] ?? '', /[\p{Cc}]/u);
  assert.ok((complaints[0] ?? '').length < 500);
});
