import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { AgentServer, type AnswerTurn, SqliteTaskStore } from '../src/index.ts';
import { gate } from './served-agent.ts';
import { callerOf } from './wire-client.ts';

/** A store whose change to a state is on the disk, and told so only when the test lets it. */
export class SlowStore extends SqliteTaskStore {
  readonly #held = new Map<string, { readonly reached: () => void; readonly until: Promise<void> }>();

  /** Resolves when a task has come to the state; the function given lets the store say so. */
  async hold(state: string): Promise<() => void> {
    const [reached, until] = [gate(), gate()];
    this.#held.set(state, { reached: reached.resolve, until: until.promise });
    await reached.promise;
    return until.resolve;
  }

  override async commit(change: Parameters<SqliteTaskStore['commit']>[0]) {
    await super.commit(change);
    const held = this.#held.get(change.status.state);
    this.#held.delete(change.status.state);
    held?.reached();
    await held?.until;
  }
}

/** An agent on such a store, one test long. */
export async function startOnSlowStore(t: TestContext, turn: AnswerTurn) {
  const folder = mkdtempSync(join(tmpdir(), 'tasks-'));
  const store = new SlowStore({ path: join(folder, 'tasks.db') });
  const errors: unknown[] = [];
  const agent = { name: 'Test', description: 'A test.', turn };
  const server = new AgentServer(agent, { url: 'http://agent', store, onError: (error) => errors.push(error) });
  await server.open();
  t.after(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });
  return { ...callerOf(server), server, store, errors };
}
