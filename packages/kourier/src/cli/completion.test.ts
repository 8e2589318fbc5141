import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { COMMANDS, EVERYWHERE, SHELLS, UP, VERSION } from './commands.ts';
import { run } from './fixtures/run-cli.ts';
import { SPACE, SPACE_ACTIONS } from './space/space-command.ts';

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
  assert.deepEqual(completed('space', ''), [
    ...SPACE_ACTIONS,
    ...[...SPACE.options, ...EVERYWHERE].map(({ name }) => `--${name}`),
  ]);
  assert.deepEqual(completed('space', 'key', '--kind', 'r'), ['runtime']);
  assert.deepEqual(completed('space', 'serve', '--config', '/et'), ['/etc']);
  assert.deepEqual(completed('space', 'connect', '--to', ''), []);
  assert.deepEqual(completed('a2a', 'd'), ['discover']);
  assert.deepEqual(completed('a2a', 'status', '--key-file', '/et'), ['/etc']);
  assert.deepEqual(completed('card', 'sign', '/et'), ['/etc']);
  // Behind an action, what it takes and no more.
  assert.deepEqual(completed('space', 'serve', '--'), [
    ...['--config', '--set', '--data', '--host', '--port', '--help'],
  ]);
  assert.deepEqual(completed('a2a', 'call', '--s'), ['--skill', '--space', '--space-id']);
  assert.deepEqual(completed('a2a', 'status', '--s'), ['--space', '--space-id']);
});
