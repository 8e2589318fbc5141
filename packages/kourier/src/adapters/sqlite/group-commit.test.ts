import assert from 'node:assert/strict';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { GroupCommit } from './group-commit.ts';

/** A number whose parent is not there makes the transaction fail when it is committed, not before. */
const SCHEMA = `
CREATE TABLE parents (number INTEGER PRIMARY KEY);
CREATE TABLE numbers (
  number INTEGER PRIMARY KEY,
  parent INTEGER REFERENCES parents (number) DEFERRABLE INITIALLY DEFERRED
);
`;

test('all work of one turn of the event loop shares one transaction', async () => {
  const { group, insert, log, numbers } = setUp();
  const asked = Array.from({ length: 50 }, (_, number) => group.run(() => insert(number)));
  assert.deepEqual(numbers(), []);
  await Promise.all(asked);
  assert.equal(log.filter((sql) => sql === 'BEGIN IMMEDIATE').length, 1);
  assert.equal(log.filter((sql) => sql === 'COMMIT').length, 1);
  await group.run(() => insert(50));
  assert.equal(log.filter((sql) => sql === 'COMMIT').length, 2);
  assert.equal(numbers().length, 51);
});

test('work that throws is undone alone, and its caller alone is told', async () => {
  const { group, insert, numbers } = setUp();
  const failing = () => {
    insert(2);
    throw new Error('after a write');
  };
  const done = await Promise.allSettled(
    [1, 2, 3].map((number) => group.run(number === 2 ? failing : () => insert(number))),
  );
  assert.deepEqual(
    done.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(numbers(), [1, 3]);
});

test('a commit that fails rejects all of its work, and none of it stands; the next is free', async () => {
  const { group, insert, numbers } = setUp();
  const done = await Promise.allSettled([group.run(() => insert(1)), group.run(() => insert(2, 99))]);
  for (const { status } of done) assert.equal(status, 'rejected');
  assert.deepEqual(numbers(), []);
  await group.run(() => insert(3));
  assert.deepEqual(numbers(), [3]);
});

test('a transaction that ends under its work rejects all of it', async () => {
  const { group, insert, numbers, db } = setUp();
  const ends = () => {
    db.exec('ROLLBACK');
    throw new Error('the disk failed');
  };
  const done = await Promise.allSettled([group.run(() => insert(1)), group.run(ends), group.run(() => insert(2))]);
  for (const { status } of done) assert.equal(status, 'rejected');
  assert.deepEqual(numbers(), []);
  await group.run(() => insert(3));
  assert.deepEqual(numbers(), [3]);
});

test('a burst is split, in its order, and drain does all of it at once', async () => {
  const { group, insert, log, numbers } = setUp();
  const asked = Array.from({ length: 2_500 }, (_, number) => group.run(() => insert(number)));
  group.drain();
  assert.equal(numbers().length, 2_500);
  assert.equal(log.filter((sql) => sql === 'COMMIT').length, 3);
  assert.deepEqual(
    await Promise.all(asked),
    asked.map((_, number) => number),
  );
  const later = Array.from({ length: 2_500 }, (_, index) => group.run(() => insert(2_500 + index)));
  await Promise.all(later);
  assert.equal(numbers().length, 5_000);
});

function setUp() {
  const log: string[] = [];
  const db = new Database(':memory:', { verbose: (sql) => log.push(String(sql)) });
  db.pragma('foreign_keys = ON');
  db.exec(SCHEMA);
  const statement = db.prepare('INSERT INTO numbers (number, parent) VALUES (?, ?)');
  const all = db.prepare<[], number>('SELECT number FROM numbers ORDER BY number').pluck();
  const insert = (number: number, parent: number | null = null) => {
    statement.run(number, parent);
    return number;
  };
  const group = new GroupCommit(db, (error) => (error instanceof Error ? error : new Error(String(error))));
  return { db, log, group, insert, numbers: () => all.all() };
}
