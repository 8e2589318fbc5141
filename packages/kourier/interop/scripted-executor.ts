import { randomUUID } from 'node:crypto';
import { Message, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import { AgentEvent, type AgentExecutor, type ExecutionEventBus, type RequestContext } from '@a2a-js/sdk/server';

/** The words of one turn without the line that says who wrote it (rule S6). */
const wordsOf = (context: RequestContext): string => {
  const { content } = context.userMessage.parts[0] ?? {};
  return content?.$case === 'text' ? content.value.replace(/^\[Web: .*\]\n/, '') : '';
};

/**
 * Does what the message says: `message …` answers with a bare message, `fail …` fails, `hold …` streams one chunk and
 * goes on when `release` is called, anything else is said again in chunks.
 */
export class ScriptedExecutor implements AgentExecutor {
  /** One for each turn, in order. */
  readonly turns: { readonly words: string; readonly contextId: string; readonly taskId: string }[] = [];
  #release = Promise.withResolvers<void>();
  readonly #canceled = new Set<string>();

  release(): void {
    this.#release.resolve();
    this.#release = Promise.withResolvers();
  }

  async execute(context: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const { taskId, contextId } = context;
    const words = wordsOf(context);
    this.turns.push({ words, contextId, taskId });
    if (words.startsWith('message')) return sayOnly(bus, contextId, `Bare: ${words}`);
    const saying = new Saying(bus, context);
    saying.begin();
    if (words.startsWith('fail')) return saying.end('TASK_STATE_FAILED', 'Rate limit exceeded: sk-secret');
    if (words.startsWith('hold')) {
      saying.chunk('Held ');
      await this.#release.promise;
      if (this.#canceled.has(taskId)) return bus.finished();
    }
    for (const word of words.match(/\S+\s*/g) ?? []) saying.chunk(word);
    saying.end('TASK_STATE_COMPLETED');
  }

  async cancelTask(taskId: string, bus: ExecutionEventBus): Promise<void> {
    const turn = this.turns.find((one) => one.taskId === taskId);
    this.#canceled.add(taskId);
    const status = { state: 'TASK_STATE_CANCELED' };
    bus.publish(
      AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ taskId, contextId: turn?.contextId ?? '', status })),
    );
    this.release();
  }
}

/** One task told as the protocol asks: the task first, then its status, the chunks of one artifact, and the end. */
class Saying {
  readonly #bus: ExecutionEventBus;
  readonly #context: RequestContext;
  #chunks = 0;

  constructor(bus: ExecutionEventBus, context: RequestContext) {
    this.#bus = bus;
    this.#context = context;
  }

  begin(): void {
    const { taskId: id, contextId, userMessage } = this.#context;
    const task = { id, contextId, status: { state: 'TASK_STATE_SUBMITTED' }, history: [Message.toJSON(userMessage)] };
    this.#bus.publish(AgentEvent.task(Task.fromJSON(task)));
    this.#status({ state: 'TASK_STATE_WORKING' });
  }

  chunk(text: string): void {
    const { taskId, contextId } = this.#context;
    const artifact = { artifactId: 'answer', parts: [{ text }] };
    const update = { taskId, contextId, artifact, append: this.#chunks > 0, lastChunk: false };
    this.#chunks += 1;
    this.#bus.publish(AgentEvent.artifactUpdate(TaskArtifactUpdateEvent.fromJSON(update)));
  }

  end(state: string, text?: string): void {
    const { contextId, taskId } = this.#context;
    const message = { messageId: randomUUID(), role: 'ROLE_AGENT', contextId, taskId, parts: [{ text }] };
    this.#status({ state, ...(text === undefined ? {} : { message }) });
    this.#bus.finished();
  }

  #status(status: object): void {
    const { taskId, contextId } = this.#context;
    this.#bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ taskId, contextId, status })));
  }
}

function sayOnly(bus: ExecutionEventBus, contextId: string, text: string): void {
  const message = { messageId: randomUUID(), role: 'ROLE_AGENT', contextId, parts: [{ text }] };
  bus.publish(AgentEvent.message(Message.fromJSON(message)));
  bus.finished();
}
