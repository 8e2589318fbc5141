import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntryId, ThreadId, TurnId } from '../core/thread/ids.ts';
import type { Binding } from '../ports/registry.ts';
import type { NewThread } from '../ports/store.ts';
import { Courier } from './courier.ts';
import type { World } from './world.ts';

/** A courier with these bindings, on a store that keeps nothing but what it was asked to open. */
function courierOn(platforms: ReadonlyMap<string, string>) {
  const asked: { readonly thread: NewThread; readonly options: unknown }[] = [];
  const bindings = new Map([...platforms].map(([name, platform]) => [name, { name, chat: { platform } } as Binding]));
  const world = {
    registry: { current: () => ({ bindings }) },
    clock: { now: () => 0 },
    ids: {
      owner: () => 'a',
      thread: () => 't1' as ThreadId,
      entry: () => 'e1' as EntryId,
      turn: () => 'u1' as TurnId,
    },
    store: {
      open: async (thread: NewThread, _: unknown, options: unknown) => {
        asked.push({ thread, options });
        return { kind: 'full' };
      },
    },
  };
  return { courier: new Courier(world as unknown as World), asked };
}

test('a thread is opened with the platform that its binding has then', async () => {
  const platforms = new Map([
    ['ops', 'slack'],
    ['research', 'web'],
  ]);
  const { courier, asked } = courierOn(platforms);
  await courier.open({ binding: 'ops', text: 'hi', key: 'k', place: 'T1/C1/1' });
  await courier.open({ binding: 'research', text: 'hi' });
  assert.deepEqual(asked, [
    { thread: { id: 't1', binding: 'ops', platform: 'slack' }, options: { key: 'k', place: 'T1/C1/1' } },
    { thread: { id: 't1', binding: 'research', platform: 'web' }, options: {} },
  ]);
});

test('for a binding that is not there nothing is opened', async () => {
  const { courier, asked } = courierOn(new Map());
  assert.deepEqual(await courier.open({ binding: 'ops', text: 'hi' }), { kind: 'no-binding' });
  assert.deepEqual(asked, []);
});
