/** The states of A2A in their short spelling, or `unknown`. */
export type PlatformState =
  | 'submitted'
  | 'working'
  | 'input-required'
  | 'auth-required'
  | 'completed'
  | 'failed'
  | 'canceled'
  | 'rejected'
  | 'unknown';

/** What the Space records of one task. Nothing that anybody said is in it. */
export interface PlatformTask {
  /** `task-<uuid>` */
  readonly id: string;
  readonly space: string;
  readonly agent: string;
  /** The revision that it was begun with. */
  readonly versionId: string;
  /** `principalKey` of who began it; nobody else may see it, but operators. */
  readonly caller: string;
  /** Absent until the agent named one; then never another. */
  readonly remoteTaskId?: string;
  readonly remoteContextId?: string;
  /** Absent until the agent said one. */
  readonly state?: PlatformState;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface TaskToPrepare {
  /** With an id that no task has had. */
  readonly task: Omit<PlatformTask, 'remoteTaskId' | 'remoteContextId' | 'state'>;
  /**
   * The same token of the same caller in the same Space is the same task, when what is asked is the same, too; for
   * `tokenMs`.
   */
  readonly idempotency?: { readonly token: string; readonly requestSha256: string };
}

export type Prepared =
  | { readonly kind: 'prepared'; readonly task: PlatformTask }
  /** The token was used for the same before: the task of then. */
  | { readonly kind: 'repeated'; readonly task: PlatformTask }
  /** The token was used for something else. */
  | { readonly kind: 'conflict' };

/** What an agent was seen to say of a task. */
export interface Observed {
  readonly taskId: string;
  /** Bound when none was; `conflict` when another was. */
  readonly remoteTaskId?: string;
  readonly remoteContextId?: string;
  readonly state?: PlatformState;
  readonly at: number;
  /** What is owed to sinks because of it, written in the same transaction. */
  readonly owed: readonly OwedEvent[];
}

export interface OwedEvent {
  /** Whom it is owed to. */
  readonly sink: string;
  /** JSON text. */
  readonly payload: string;
}

/**
 * What the gateway keeps of the calls that it carries. A task is forgotten `settledTaskMs` after it was
 * last seen to change when it has ended, `unsettledTaskMs` when it has not, and never while events of it are owed. Whose a
 * context is is never forgotten: it would be anybody's.
 */
export interface TaskLedger {
  prepareTask(prepare: TaskToPrepare): Promise<Prepared>;
  /**
   * Binds, records the state and owes the events, in one transaction. `conflict`: the agent names another task or context
   * than it did before, or a task that is another platform task's, or there is no such task; nothing is then written. A
   * state never changes once it is terminal; then nothing is owed for it either, and the answer is `settled`. `updatedAt`
   * never goes back. What is owed to a sink is in the order in which it was observed, however many processes observe.
   */
  observe(observed: Observed): Promise<'recorded' | 'settled' | 'conflict'>;
  task(id: string): Promise<PlatformTask | undefined>;
  /** Of what an agent calls its task. */
  taskOfRemote(space: string, agent: string, remoteTaskId: string): Promise<PlatformTask | undefined>;
  /** Makes the context the caller's when it is nobody's; whether it is the caller's now. */
  claimContext(claim: {
    readonly space: string;
    readonly agent: string;
    readonly contextId: string;
    readonly caller: string;
  }): Promise<boolean>;
  /**
   * The newest first, by `createdAt`; those of `caller` only, when given. `cursor` is what a page before ended with; rejects
   * with `UnknownCursor`.
   */
  tasks(
    space: string,
    page: { readonly caller?: string; readonly cursor?: string; readonly limit: number },
  ): Promise<{ readonly tasks: readonly PlatformTask[]; readonly cursor?: string }>;
  /**
   * Whether it is the first use. What expired `spentPermitMs` before `now` is forgotten: the clocks of processes that share
   * the store may differ by so much.
   */
  usePermit(jti: string, expiresAt: number, now: number): Promise<boolean>;
}
