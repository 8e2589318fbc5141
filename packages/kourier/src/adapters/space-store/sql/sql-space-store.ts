import type { RegisteredAgent } from '../../../core/directory/registered-agent.ts';
import type { AgentToSave, Decided } from '../../../ports/space/directory-store.ts';
import { SPACE_STORE_LIMITS } from '../../../ports/space/limits.ts';
import type { ClaimOptions, FailedAttempt, HeldQueue } from '../../../ports/space/outbox-store.ts';
import type { SpaceStore } from '../../../ports/space/space-store.ts';
import type { Observed, TaskLedger, TaskToPrepare } from '../../../ports/space/task-ledger.ts';
import type { Dialect } from './dialect.ts';
import * as directory from './directory.ts';
import * as outbox from './outbox.ts';
import * as possessions from './possessions.ts';
import { forgetWhatIsOld } from './retention.ts';
import type { Steps } from './steps.ts';
import * as tasks from './tasks.ts';

/** A database that runs the statements of the store. Both methods reject while it is not open. */
export interface SqlDatabase {
  readonly dialect: Dialect;
  open(): Promise<void>;
  close(): Promise<void>;
  /** Each statement sees what is committed. */
  read<Value>(work: () => Steps<Value>): Promise<Value>;
  /** In one transaction, which is durable when it resolves. Runs the work again when the transaction was undone. */
  write<Value>(work: () => Steps<Value>): Promise<Value>;
}

type Page = { readonly cursor?: string; readonly limit: number };

/** The store of a Space: one set of statements, whatever database runs them. */
export class SqlSpaceStore implements SpaceStore {
  readonly #db: SqlDatabase;
  #untilSweep = 0;

  constructor(db: SqlDatabase) {
    this.#db = db;
  }

  open = () => this.#db.open();
  close = () => this.#db.close();

  agent = (space: string, id: string) => this.#db.read(() => directory.readAgent(space, id));
  saveAgent = (agent: AgentToSave, before: RegisteredAgent | undefined, left: readonly Decided[] = []) =>
    this.#db.write(() => directory.saveAgent(agent, before, left));
  removeAgent = (before: RegisteredAgent) => this.#db.write(() => directory.removeAgent(before));
  changes = (sequence: number, limit: number) => this.#db.read(() => directory.readChanges(sequence, limit));
  revisions = (space: string, id: string, page: { readonly before?: number; readonly limit: number }) =>
    this.#db.read(() => directory.readRevisions(space, id, page));
  revision = (space: string, id: string, number: number) =>
    this.#db.read(() => directory.readRevision(space, id, number));

  prepareTask = (prepare: TaskToPrepare) => {
    const { dialect } = this.#db;
    const sweeps = this.#isSweepDue();
    return this.#db.write(function* () {
      const prepared = yield* tasks.prepareTask(prepare);
      if (sweeps) yield* forgetWhatIsOld(prepare.task.createdAt, dialect);
      return prepared;
    });
  };
  observe = (observed: Observed) => this.#db.write(() => tasks.observe(observed, this.#db.dialect));
  task = (id: string) => this.#db.read(() => tasks.readTask(id));
  taskOfRemote = (space: string, agent: string, remoteTaskId: string) =>
    this.#db.read(() => tasks.readTaskOfRemote(space, agent, remoteTaskId));
  tasks = (space: string, page: Page & { readonly caller?: string }) =>
    this.#db.read(() => tasks.listTasks(space, page));
  claimContext = async (claim: Parameters<TaskLedger['claimContext']>[0]) =>
    (await this.#db.read(() => possessions.ownsContext(claim))) ??
    (await this.#db.write(() => possessions.claimContext(claim)));
  usePermit = (jti: string, expiresAt: number, now: number) =>
    this.#db.write(() => possessions.usePermit(jti, expiresAt, now, this.#db.dialect));

  owedSinks = () => this.#db.read(() => outbox.readOwedSinks());
  claim = (options: ClaimOptions) => this.#db.write(() => outbox.claimQueues(options, this.#db.dialect));
  owed = (queueId: string, limit: number) => this.#db.read(() => outbox.readOwed(queueId, limit));
  delivered = (queue: HeldQueue, sequence: number) =>
    this.#db.write(() => outbox.forgetDelivered(queue, sequence, this.#db.dialect));
  release = (queue: HeldQueue, now: number) => this.#db.write(() => outbox.releaseQueue(queue, now));
  failed = (queue: HeldQueue, failure: FailedAttempt) => this.#db.write(() => outbox.failQueue(queue, failure));
  dead = (space: string, page: Page) => this.#db.read(() => outbox.readDead(space, page));
  replay = (space: string, queueId: string, now: number) =>
    this.#db.write(() => outbox.replayQueue(space, queueId, now));
  counts = () => this.#db.read(() => outbox.countOutbox());

  /** At the first task of a process, and then once in a while: what is forgotten is always more than what comes. */
  #isSweepDue(): boolean {
    if (this.#untilSweep > 0) {
      this.#untilSweep -= 1;
      return false;
    }
    this.#untilSweep = SPACE_STORE_LIMITS.preparedBetweenSweeps - 1;
    return true;
  }
}
