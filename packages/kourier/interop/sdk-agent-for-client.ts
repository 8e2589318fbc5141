import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentCard, Message, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import {
  AgentEvent,
  DefaultExecutionEventBusManager,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryPushNotificationStore,
  InMemoryTaskStore,
  type PushNotificationSender,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, type UserBuilder } from '@a2a-js/sdk/server/express';
import { A2AService, grpcService } from '@a2a-js/sdk/server/grpc';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import express from 'express';
import type { Spoken } from './client-operations.ts';
import { ScriptedExecutor } from './scripted-executor.ts';

export interface SdkAgentForClient {
  readonly url: string;
  /** Where its calls go. */
  readonly origin: string;
  readonly executor: ScriptedExecutor;
  close(): void;
}

/** An agent of the official SDK that has every operation, in one version and one binding. `more`: of its card, as of 1.0. */
export async function sdkAgentForClient({ version, binding }: Spoken, more: object = {}): Promise<SdkAgentForClient> {
  const app = express();
  const server = createServer((request, response) => app(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const grpc = new Server();
  const called = binding === 'GRPC' ? await grpcAddress(grpc) : `${url}/a2a`;
  const card = AgentCard.fromJSON({
    name: 'Official',
    description: 'Served by the official SDK',
    version: '1.2.3',
    supportedInterfaces: [{ url: called, protocolBinding: binding, protocolVersion: version }],
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'echo', name: 'Echo', description: 'Says it again', tags: ['echo'] }],
    ...more,
  });
  const executor = new AskingExecutor();
  const nobodyIsTold: PushNotificationSender = { send: async () => undefined };
  const requestHandler = new DefaultRequestHandler(
    card,
    new InMemoryTaskStore(),
    executor,
    new DefaultExecutionEventBusManager(),
    new InMemoryPushNotificationStore(),
    nobodyIsTold,
    AgentCard.fromJSON({ ...(AgentCard.toJSON(card) as object), name: 'Official, in full' }),
  );
  const legacyCompat = { enabled: version === '0.3' };
  const mounted = { requestHandler, userBuilder: byToken, legacyCompat };
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler, legacyCompat }));
  grpc.addService(
    A2AService,
    grpcService({ requestHandler, userBuilder: async ({ metadata }) => user(metadata.get('authorization')[0]) }),
  );
  app.use('/a2a', binding === 'JSONRPC' ? jsonRpcHandler(mounted) : restHandler(mounted));
  return {
    url,
    origin: binding === 'GRPC' ? `http://${called}` : url,
    executor,
    close: () => {
      server.close();
      server.closeAllConnections();
      grpc.forceShutdown();
    },
  };
}

/** A free one; there, cards name no scheme. */
function grpcAddress(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve(`127.0.0.1:${port}`);
      else reject(error);
    });
  });
}

/** Whoever brings the token is known. */
function user(authorization: unknown) {
  const known = authorization === 'Bearer known';
  return { isAuthenticated: known, userName: known ? 'known' : '' };
}

const byToken: UserBuilder = async (request) => user(request.headers.authorization);

/** Also: `ask …` pauses for an answer, and `parts …` gives every part of the message back in one artifact. */
class AskingExecutor extends ScriptedExecutor {
  override async execute(context: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const { taskId, contextId, userMessage } = context;
    const { content } = userMessage.parts[0] ?? {};
    const words = content?.$case === 'text' ? content.value : '';
    if (!words.startsWith('ask') && !words.startsWith('parts')) return super.execute(context, bus);
    const task = {
      id: taskId,
      contextId,
      status: { state: 'TASK_STATE_SUBMITTED' },
      history: [Message.toJSON(userMessage)],
    };
    bus.publish(AgentEvent.task(Task.fromJSON(task)));
    const { parts } = Message.toJSON(userMessage) as { readonly parts: unknown };
    const artifact = { artifactId: 'again', parts };
    if (words.startsWith('parts')) {
      const update = { taskId, contextId, artifact, append: false, lastChunk: true };
      bus.publish(AgentEvent.artifactUpdate(TaskArtifactUpdateEvent.fromJSON(update)));
    }
    const message = { messageId: 'q', role: 'ROLE_AGENT', contextId, taskId, parts: [{ text: 'Which one?' }] };
    const status = words.startsWith('ask')
      ? { state: 'TASK_STATE_INPUT_REQUIRED', message }
      : { state: 'TASK_STATE_COMPLETED' };
    bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ taskId, contextId, status })));
    bus.finished();
  }
}
