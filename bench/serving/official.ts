import { AgentCard, Message, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { CHUNK, scriptOf } from './script.ts';

/** The official SDK's server as its readme has it: its express handler, its request handler, its store in memory. */
export function officialServer(): ReturnType<typeof express> {
  const card = AgentCard.fromJSON({
    name: 'Bench',
    description: 'A side of the bench.',
    version: '1.0.0',
    supportedInterfaces: [{ url: 'http://127.0.0.1/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'say', name: 'Say', description: 'Says it.', tags: ['say'] }],
  });
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), new Executor());
  return express().use('/', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
}

class Executor implements AgentExecutor {
  async execute(context: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const { taskId, contextId, userMessage } = context;
    const { content } = userMessage.parts[0] ?? {};
    const script = scriptOf(content?.$case === 'text' ? content.value : '');
    const status = (state: string) =>
      bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ taskId, contextId, status: { state } })));
    const submitted = {
      id: taskId,
      contextId,
      status: { state: 'TASK_STATE_SUBMITTED' },
      history: [Message.toJSON(userMessage)],
    };
    bus.publish(AgentEvent.task(Task.fromJSON(submitted)));
    status('TASK_STATE_WORKING');
    if (script.kind === 'hold') await new Promise(() => undefined);
    const count = script.kind === 'chunks' ? script.count : 1;
    for (let n = 0; n < count; n += 1) {
      const artifact = { artifactId: 'answer', parts: [{ text: CHUNK }] };
      const update = { taskId, contextId, artifact, append: n > 0 };
      bus.publish(AgentEvent.artifactUpdate(TaskArtifactUpdateEvent.fromJSON(update)));
    }
    status('TASK_STATE_COMPLETED');
    bus.finished();
  }

  async cancelTask(): Promise<void> {}
}
