import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { test } from 'node:test';
import type { Finding } from '../ports/finding.ts';
import { cli } from './cli.ts';
import { COMMANDS, EVERYWHERE, SHELLS, UP, VERSION } from './commands.ts';
import type { DoctorOptions } from './doctor/doctor.ts';
import { stateFolder } from './state-folder.ts';
import type { UpOptions } from './up.ts';

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly complaints: readonly string[];
  readonly up: UpOptions | undefined;
  readonly looked?: DoctorOptions;
}

const run = (...args: string[]): Promise<Ran> => runOn([], ...args);

/** What the environment says of a Space, for one test. */
let environment: Readonly<Record<string, string>> = {};

/** `findings`: what doctor finds. */
async function runOn(findings: readonly Finding[], ...args: string[]): Promise<Ran> {
  let looked: DoctorOptions | undefined;
  let out = '';
  let up: UpOptions | undefined;
  const complaints: string[] = [];
  const code = await cli(args, {
    version: '1.2.3',
    up: async (options) => {
      up = options;
      return 0;
    },
    diagnose: async (options) => {
      looked = options;
      return findings;
    },
    moduleCard: async (options) => `${JSON.stringify(options)}\n`,
    serveModule: async (options) => {
      out += JSON.stringify(options);
      return 0;
    },
    space: async (options) => {
      out += JSON.stringify(options);
      return 0;
    },
    environment,
    serveSpace: async (options) => {
      out += JSON.stringify(options);
      return 0;
    },
    connectSpace: async (options) => {
      out += JSON.stringify(options);
      return 0;
    },
    slackManifest: (options) => `${JSON.stringify(options)}\n`,
    spaceKey: () => assert.fail('no key is made'),
    readText: async () => assert.fail('nothing is read'),
    webText: async () => assert.fail('nothing is called'),
    print: (text) => {
      out += text;
    },
    complain: (line) => complaints.push(line),
  });
  return { code, out, complaints, up, ...(looked === undefined ? {} : { looked }) };
}

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

for (const [line, expected] of Object.entries({
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
  'card sign a --key k --json': 'card sign takes no --json; see kourier help card',
  'card verify a': 'card verify needs --jwks; write --jwks FILE',
  'card validate file:///etc/passwd':
    'card file:///etc/passwd is no file and no web address; write a path, or an address that begins with http:// or https://',
  'card validate htp://h/card.json':
    'card htp://h/card.json is no file and no web address; write a path, or an address that begins with http:// or https://',
  'card validate http://user@h/':
    'card http://user@h/ is no file and no web address; write a path, or an address that begins with http:// or https://',
  'card validate http://user:secret@h/':
    'card http://user:secret@h/ is no file and no web address; write a path, or an address that begins with http:// or https://',
  a2a: 'a2a needs an ACTION; write one of card, serve, discover, call, status, cancel',
  'a2a serve': 'a2a serve needs a MODULE; write the file of the agent',
  'a2a serve x.ts y': 'a2a serve takes no y; see kourier help a2a',
  'a2a discover': 'no Space is configured; write --space-id ID, or set KOURIER_SPACE_ID',
  'a2a discover --space-id s':
    'no Space is configured; write --space URL, or set KOURIER_SPACE_URL to where kourier space serve listens',
  'a2a discover x --space-id s': 'a2a discover takes no x; see kourier help a2a',
  'a2a discover --space-id s --space http://h --limit 0': '--limit 0 is no number; write how many agents at most',
  'a2a discover --space-id s/t --space http://h':
    '--space-id s/t is no id of a Space; write letters, digits, dots, dashes and underscores',
  'a2a call --space-id s --space http://h': 'a2a call needs AGENT; write kourier a2a call AGENT MESSAGE',
  'a2a call a --space-id s --space http://h': 'a2a call needs MESSAGE; write kourier a2a call AGENT MESSAGE',
  'a2a call a m --space-id s --space ftp://h': '--space ftp://h is no address of a Space; write https://HOST',
  'a2a call a m --space-id s --space http://u:p@h': '--space http://u:p@h is no address of a Space; write https://HOST',
  'a2a status --space-id s --space http://h': 'a2a status needs TASK; write kourier a2a status TASK',
  'a2a status t --skill x': 'a2a status takes no --skill; see kourier help a2a',
  'a2a cancel t u --space-id s --space http://h': 'a2a cancel takes no u; see kourier help a2a',
  'a2a crad x': 'unknown action crad; write card',
  'a2a card x.ts': 'a2a card needs --url; write --url URL, where callers reach the agent',
  'a2a card x.ts --url ftp://h':
    '--url ftp://h is no address of an agent; write http://HOST or https://HOST, with a path if need be',
  'a2a card x.ts --url http://u:p@h':
    '--url http://u:p@h is no address of an agent; write http://HOST or https://HOST, with a path if need be',
  'a2a card x.ts --inbound a': 'a2a card takes no --inbound; see kourier help a2a',
  'a2a card x.ts --port 1': 'a2a card takes no --port; see kourier help a2a',
  'a2a card x.ts --url http://h --protocol 0.3 --protocol 1.0': 'a card has one version; write --protocol once',
  'a2a serve x.ts --skill a': 'a2a serve takes no --skill; see kourier help a2a',
  'a2a serve x.ts --name=': '--name is empty; write a value after --name',
  'a2a serve x.ts --port 70000': '--port 70000 is no port; write a number from 0 to 65535',
  'a2a card x.ts --url http://h --protocol 2.0': '--protocol 2.0 is not known; write 1.0',
  space: 'space needs an ACTION; write one of connect',
  'space conect': 'unknown action conect; write connect',
  completion: 'completion needs a SHELL; write one of bash, zsh, fish',
  'completion fihs': 'unknown shell fihs; write fish',
  'help upp': 'unknown command upp; write up',
})) {
  test(`kourier ${line}: one line, exit code 2`, async () => {
    assert.deepEqual(await run(...line.split(' ')), {
      code: 2,
      out: '',
      complaints: [`kourier: ${expected}`],
      up: undefined,
    });
  });
}

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

test('a2a: a Space by options, else by the environment, and of several none is chosen', async (t) => {
  t.after(() => {
    environment = {};
  });
  const place = ['--space', 'https://s.example/', '--space-id', 'demo'];
  const call = await run(
    'a2a',
    'call',
    'echo',
    'hi',
    ...place,
    '--key-file',
    'k',
    '--no-wait',
    '--task',
    't',
    '--json',
  );
  assert.deepEqual(JSON.parse(call.out), {
    ...{ action: 'call', url: 'https://s.example', spaceId: 'demo', json: true, keyFile: 'k' },
    ...{ agentId: 'echo', message: 'hi', wait: false, taskId: 't' },
  });
  environment = { KOURIER_SPACE_URL: 'http://h', KOURIER_SPACE_ID: '["one"]', KOURIER_SPACE_KEY: 'secret' };
  const discover = await run('a2a', 'discover', '--text', 'a b', '--blocked', '--limit=3');
  assert.deepEqual(JSON.parse(discover.out), {
    ...{ action: 'discover', url: 'http://h', spaceId: 'one', json: false, key: 'secret' },
    ...{ text: 'a b', blocked: true, limit: 3 },
  });
  for (const [ids, complaint] of [
    ['["a","b"]', 'KOURIER_SPACE_ID names several Spaces; choose one with --space-id ID'],
    ['[]', 'KOURIER_SPACE_ID is no list of ids; write one id, or a JSON array of them'],
    ['[1]', 'KOURIER_SPACE_ID is no list of ids; write one id, or a JSON array of them'],
    ['[', 'KOURIER_SPACE_ID is no list of ids; write one id, or a JSON array of them'],
  ] as const) {
    environment = { KOURIER_SPACE_URL: 'http://h', KOURIER_SPACE_ID: ids };
    assert.deepEqual((await run('a2a', 'status', 't')).complaints, [`kourier: ${complaint}`]);
  }
});

test('a2a: the module by its absolute path, with what interface.md says where nothing is said', async () => {
  const module = resolve('agent.ts');
  const card = await run('a2a', 'card', 'agent.ts', '--url', 'https://h/a/', '--skill', 'b', '--skill=c');
  const asked = { action: 'card', module, url: 'https://h/a', skills: ['b', 'c'], protocol: '1.0' };
  assert.deepEqual(JSON.parse(card.out), asked);
  const serve = await run('a2a', 'serve', 'agent.ts');
  const served = { action: 'serve', module, host: '127.0.0.1', port: 8094, protocols: ['1.0'], includeReasoning: true };
  assert.deepEqual(JSON.parse(serve.out), served);
  const other = await run('a2a', 'serve', 'agent.ts', '--host', '::', '--port=0', '--no-include-reasoning', '--name=N');
  const both = await run('a2a', 'serve', 'agent.ts', '--protocol', '0.3', '--protocol', '1.0', '--data', 'kept');
  assert.deepEqual(JSON.parse(both.out), { ...served, protocols: ['1.0', '0.3'], data: resolve('kept') });
  const guarded = await run('a2a', 'serve', 'agent.ts', '--inbound', 'gateway.json');
  const inside = { ...served, includeReasoning: false, inbound: resolve('gateway.json') };
  assert.deepEqual(JSON.parse(guarded.out), inside, 'A8 behind a gateway what it thought stays inside');
  assert.deepEqual(JSON.parse(other.out), { ...served, name: 'N', host: '::', port: 0, includeReasoning: false });
});

test('doctor: a line for each finding that stays one line, and exit code 1 when one fails', async () => {
  const findings: Finding[] = [
    { verdict: 'ok', what: 'configuration: read' },
    { verdict: 'warn', what: 'scope a:b is missing', todo: 'add it' },
    { verdict: 'fail', what: 'channel \u001b[31m#ops\nok    all is well', todo: 'write /invite' },
  ];
  const args = ['doctor', '--config', 'a.yaml', '--set', 'secrets.dir=/run', '--set', 'timings.streamIdle=1s'];
  const lines = ['ok    configuration: read', 'warn  scope a:b is missing  → add it'];
  const { code, out, looked } = await runOn(findings, ...args);
  assert.equal(code, 1);
  assert.deepEqual(out.split('\n'), [...lines, 'FAIL  channel ?[31m#ops?ok    all is well  → write /invite', '']);
  const options = { config: ['a.yaml'], sets: ['timings.streamIdle=1s'], secretsDir: '/run', json: false };
  assert.deepEqual(looked, options);
  assert.equal((await runOn(findings.slice(0, 2), ...args)).code, 0);
  const json = await runOn(findings, ...args, '--json');
  assert.equal(json.code, 1);
  assert.deepEqual(JSON.parse(json.out), { ok: false, checks: findings });
});

test('what was typed comes back as one line, inert and with an end', async () => {
  const { complaints } = await run(`up\n\u001b[31m${'x'.repeat(1_000)}`);
  assert.equal(complaints.length, 1);
  assert.doesNotMatch(complaints[0] ?? '', /[\p{Cc}]/u);
  assert.ok((complaints[0] ?? '').length < 500);
});

for (const shell of SHELLS) {
  test(`completions for ${shell} name every command and option`, async () => {
    const { code, out } = await run('completion', shell);
    assert.equal(code, 0);
    const flag = shell === 'fish' ? '-l ' : '--';
    for (const { name, options } of COMMANDS) {
      assert.match(out, new RegExp(`\\b${name}\\b`));
      for (const option of [...options, ...EVERYWHERE])
        assert.ok(out.includes(`${flag}${option.name}`), `${name} --${option.name}`);
    }
  });

  test(`completions for ${shell} are read by ${shell}`, async (t) => {
    if (spawnSync(shell, ['-c', 'true']).status !== 0) return t.skip(`${shell} is not installed: NOT TESTED`);
    const { out } = await run('completion', shell);
    assert.equal(spawnSync(shell, ['-n'], { input: out }).status, 0);
  });
}

test('bash completes commands, options, choices and their values', async () => {
  const { out } = await run('completion', 'bash');
  const completed = (...words: string[]): string[] => {
    const list = words.map((word) => `'${word}'`).join(' ');
    const script = `${out}\nCOMP_WORDS=(kourier ${list}); COMP_CWORD=${words.length}; _kourier; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', script], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line !== '');
  };
  assert.deepEqual(completed('u'), [UP.name]);
  assert.deepEqual(completed(''), [...COMMANDS.map(({ name }) => name), '--help', `--${VERSION.name}`]);
  assert.deepEqual(completed('up', '--p'), ['--port']);
  assert.deepEqual(completed('completion', 'z'), ['zsh']);
  assert.deepEqual(completed('up', '--port', ''), []);
  assert.deepEqual(completed('slack', 'm'), ['manifest']);
  assert.deepEqual(completed('slack', 'manifest', '--mode', 'h'), ['http']);
  assert.deepEqual(completed('up', '--data', '/et'), ['/etc']);
  assert.deepEqual(completed('card', 's'), ['sign']);
  assert.deepEqual(completed('card', 'sign', '/et'), ['/etc']);
});
