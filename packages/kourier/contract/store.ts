import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Store } from '../src/ports/store.ts';
import { auditContract } from './store-audit.ts';
import { commitsContract } from './store-commits.ts';
import { deliveriesContract } from './store-deliveries.ts';
import { durableContract } from './store-durable.ts';
import { keysContract } from './store-keys.ts';
import { leasesContract } from './store-leases.ts';
import { messagesContract } from './store-messages.ts';
import { placesContract } from './store-places.ts';
import {
  answer,
  commit,
  entryId,
  lease,
  message,
  newThread,
  type OnStore,
  openClaimed,
  T1,
  T2,
} from './store-samples.ts';
import { viewsContract } from './store-views.ts';

export interface StoreTraits {
  /** A store that is opened again in the same folder sees all that was written. */
  readonly durable?: boolean;
}

/**
 * What every store must do: the sentences of `ports/store.ts`, one test each. `makeStore` opens a store that keeps
 * what it has in an existing folder of its own; called again after a close, it opens the same one.
 */
export function storeContract(
  name: string,
  makeStore: (folder: string) => Promise<Store>,
  { durable = false }: StoreTraits = {},
): void {
  describe(`store contract: ${name}`, () => {
    const onStore: OnStore = (what, body) => {
      test(what, () =>
        inFolder(async (folder) => {
          const store = await makeStore(folder);
          try {
            await body(store);
          } finally {
            await store.close();
          }
        }),
      );
    };
    messagesContract(onStore);
    keysContract(onStore);
    leasesContract(onStore);
    commitsContract(onStore);
    viewsContract(onStore);
    auditContract(onStore);
    placesContract(onStore);
    deliveriesContract(onStore);
    closeContract(onStore);
    if (durable) {
      durableContract((what, body) => {
        test(what, () => inFolder((folder) => body(() => makeStore(folder))));
      });
    }
  });
}

function closeContract(onStore: OnStore): void {
  onStore('close resolves when what was asked for before is written', async (store) => {
    await openClaimed(store);
    const asked = [
      store.open(newThread(T2), message('m2')),
      store.accept(T1, message('m3')),
      store.commit(commit({ entries: [answer('a1')] })),
      store.extend(lease('a', 2_000)),
      store.release(T1, 'a'),
      store.addPlace(T1, 'p'),
      store.deliver(T1, { revision: 1, state: {} }),
    ] as const;
    await store.close();
    const answers = await Promise.all(asked);
    const kinds = answers.map((answered) => (typeof answered === 'object' ? answered.kind : answered));
    assert.deepEqual(kinds, ['accepted', 'accepted', 'committed', undefined, undefined, 'added', undefined]);
  });

  onStore('after close every method rejects, and closing again is no harm', async (store) => {
    await openClaimed(store);
    await store.close();
    await assert.rejects(store.open(newThread(T2), message('m2')), /closed/);
    await assert.rejects(store.accept(T1, message('m2')), /closed/);
    await assert.rejects(store.claim(T1, lease('a', 2_000), 0), /closed/);
    await assert.rejects(store.pending(T1), /closed/);
    await assert.rejects(store.commit(commit()), /closed/);
    await assert.rejects(store.extend(lease('a', 2_000)), /closed/);
    await assert.rejects(store.release(T1, 'a'), /closed/);
    await assert.rejects(store.owing(1), /closed/);
    await assert.rejects(store.timeline(T1), /closed/);
    await assert.rejects(store.changes(T1, 0), /closed/);
    await assert.rejects(store.threadOf(entryId('m1')), /closed/);
    await assert.rejects(store.audit({ limit: 1 }), /closed/);
    await assert.rejects(store.threadAt('ops', 'p'), /closed/);
    await assert.rejects(store.addPlace(T1, 'p'), /closed/);
    await assert.rejects(store.placesOf(T1), /closed/);
    await assert.rejects(store.delivery(T1), /closed/);
    await assert.rejects(store.deliver(T1, { revision: 1, state: {} }), /closed/);
    await assert.rejects(store.undelivered('web', 1), /closed/);
    await store.close();
  });
}

async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'kourier-store-'));
  try {
    await body(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
