import assert from 'node:assert/strict';
import { test } from 'node:test';
import { machineIds } from './ids.ts';

const MANY = 10_000;

test('ids are safe in a URL, say what they name, and do not repeat', () => {
  const ids = machineIds();
  for (const [make, prefix] of [
    [ids.thread, 't_'],
    [ids.turn, 'u_'],
    [ids.entry, 'e_'],
  ] as const) {
    const made = new Set(Array.from({ length: MANY }, () => make()));
    assert.equal(made.size, MANY);
    for (const id of made) {
      assert.match(id, /^[a-z]_[\w-]{22}$/);
      assert.ok(id.startsWith(prefix));
      assert.equal(encodeURIComponent(id), id);
    }
  }
});

test('a trace id is 32 hex digits and not all zeros', () => {
  const made = new Set(Array.from({ length: MANY }, machineIds().trace));
  assert.equal(made.size, MANY);
  for (const id of made) assert.match(id, /^(?!0{32})[0-9a-f]{32}$/);
});

test('an owner is another one each time, in one process and in the next', () => {
  const owners = [machineIds().owner(), machineIds().owner(), machineIds().owner()];
  assert.equal(new Set(owners).size, 3);
  for (const owner of owners) assert.match(owner, new RegExp(`/${process.pid}/[\\w-]{22}$`));
});

test('chance is in [0, 1)', () => {
  const { chance } = machineIds();
  for (const drawn of Array.from({ length: MANY }, chance)) assert.ok(drawn >= 0 && drawn < 1);
});
