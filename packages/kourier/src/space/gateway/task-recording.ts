import type { PlatformState, PlatformTask } from '../../ports/space/task-ledger.ts';
import { SPACE_LIMITS } from '../limits.ts';
import type { GatewayParts } from '../parts.ts';
import type { Heard } from './heard.ts';
import { bindingConflict, upstreamFailed } from './refusal.ts';

const TERMINAL: ReadonlySet<PlatformState | undefined> = new Set(['completed', 'failed', 'canceled', 'rejected']);

/**
 * The record of one task while the gateway carries a call of it: the agent's task is bound to it once, and each state is
 * on record before the caller sees it.
 */
export class TaskRecording {
  readonly #parts: Pick<GatewayParts, 'ledger' | 'clock' | 'owedOf' | 'owes'>;
  /** As it will stand when all that was heard is written. */
  #task: PlatformTask;
  #written: Promise<void> = Promise.resolve();
  #states = 0;

  constructor(task: PlatformTask, parts: Pick<GatewayParts, 'ledger' | 'clock' | 'owedOf' | 'owes'>) {
    this.#task = task;
    this.#parts = parts;
  }

  /**
   * Takes note of what the agent said; `undefined` when it is nothing new, and then there is nothing to wait for. Rejects
   * with a `Refusal` when it is about another task or context than the record's.
   */
  hear({ taskId, contextId, state }: Heard): Promise<void> | undefined {
    const before = this.#task;
    const { remoteTaskId = taskId, remoteContextId = contextId } = before;
    if ((taskId ?? remoteTaskId) !== remoteTaskId || (contextId ?? remoteContextId) !== remoteContextId) {
      return Promise.reject(bindingConflict());
    }
    // What comes late does not roll an end back (case C062).
    const newState = TERMINAL.has(before.state) ? before.state : (state ?? before.state);
    const isNew =
      remoteTaskId !== before.remoteTaskId || remoteContextId !== before.remoteContextId || newState !== before.state;
    if (!isNew) return undefined;
    this.#states += newState === before.state ? 0 : 1;
    if (this.#states > SPACE_LIMITS.statesOfOneCall)
      return Promise.reject(upstreamFailed('A2A_UPSTREAM_TOO_MANY_STATES', { isSent: true }));
    const now: PlatformTask = {
      ...before,
      ...(remoteTaskId === undefined ? {} : { remoteTaskId }),
      ...(remoteContextId === undefined ? {} : { remoteContextId }),
      ...(newState === undefined ? {} : { state: newState }),
      updatedAt: this.#parts.clock.now(),
    };
    this.#task = now;
    this.#written = this.#written.then(() => this.#write(now, before));
    return this.#written;
  }

  async #write(now: PlatformTask, before: PlatformTask): Promise<void> {
    const { ledger, owedOf } = this.#parts;
    const { id: taskId, space, agent, caller, remoteTaskId, remoteContextId: contextId, state } = now;
    if (contextId !== undefined && contextId !== before.remoteContextId) {
      if (!(await ledger.claimContext({ space, agent, contextId, caller }))) throw bindingConflict();
    }
    const owed = state === before.state ? [] : await owedOf(now);
    const recorded = await ledger.observe({
      taskId,
      ...(remoteTaskId === undefined ? {} : { remoteTaskId }),
      ...(contextId === undefined ? {} : { remoteContextId: contextId }),
      ...(state === undefined ? {} : { state }),
      at: now.updatedAt,
      owed,
    });
    if (recorded === 'conflict') throw bindingConflict();
    if (recorded === 'recorded' && owed.length > 0) this.#parts.owes();
  }
}
