import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parse } from '../parse.ts';
import { UsageError } from '../usage-error.ts';
import { type ConnectOptions, connectOptions } from './connect-options.ts';
import { SPACE } from './space-command.ts';

function read(line: string): ConnectOptions {
  const parsed = parse(['space', 'connect', ...line.split(' ').filter((word) => word !== '')]);
  assert.ok(parsed.kind === 'command' && parsed.command === SPACE);
  return connectOptions(parsed.values);
}

test('space connect: what it dials, who it is, and the one place that calls go to', () => {
  const line = '--space https://h/k/ --space-id s --agent a.b --key-file key --to http://127.0.0.1:8094/';
  const [spaceUrl, to] = [new URL('https://h/k/'), new URL('http://127.0.0.1:8094/')];
  const options = { spaceUrl, space: 's', agent: 'a.b', keyFile: 'key', to };
  assert.deepEqual(read(line), { ...options, allowPlain: false });
  assert.deepEqual(read(`${line} --allow-plain`), { ...options, allowPlain: true });
});

for (const [line, expected] of Object.entries({
  '': 'space connect needs --space; write --space URL',
  '--space ftp://h': '--space ftp://h is no web address; write https://HOST, with a path if need be',
  '--space https://u:p@h': '--space https://u:p@h is no web address; write https://HOST, with a path if need be',
  '--space https://h?q --space-id s':
    '--space https://h?q is no web address; write https://HOST, with a path if need be',
  '--space https://h': 'space connect needs --space-id; write --space-id ID',
  '--space https://h --space-id a/b':
    '--space-id a/b is no id; write 1 to 128 letters, digits, dots, dashes and underscores, a letter or digit first',
  '--space https://h --space-id s --agent .a':
    '--agent .a is no id; write 1 to 128 letters, digits, dots, dashes and underscores, a letter or digit first',
  '--space https://h --space-id s --agent a': 'space connect needs --key-file; write --key-file FILE',
  '--space https://h --space-id s --agent a --key-file k': 'space connect needs --to; write --to URL',
  '--space https://h --space-id s --agent a --key-file k --to 127.0.0.1:8094':
    '--to 127.0.0.1:8094 is no web address; write http://HOST:PORT, where the agent listens',
})) {
  test(`kourier space connect ${line}: says what to write`, () => {
    assert.throws(
      () => read(line),
      (error) => error instanceof UsageError && error.message === expected,
    );
  });
}
