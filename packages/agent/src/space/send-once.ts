import { AgentStream, type Telling } from '../client/agent-stream.ts';
import type { Client } from '../client/client.ts';
import type { FollowSettings } from '../client/client-options.ts';
import type { MessageToSend } from '../client/message-to-send.ts';
import type { TransportFailure } from '../client/outcome.ts';

/** A message to an agent that does not stream, told as a stream: its answer alone, and how its task goes on where it runs. */
export function sendOnce(client: Client, message: string | MessageToSend, settings: FollowSettings): AgentStream {
  return new AgentStream(telling(client, message, settings), () => LEFT);
}

async function* telling(client: Client, message: string | MessageToSend, settings: FollowSettings): Telling {
  const result = await client.sendMessage(message, settings);
  if (result.kind !== 'running') return result;
  const { follow, ...calls } = settings;
  const rest = client.followTask(result.task.id, typeof follow === 'object' ? { ...calls, follow } : calls);
  yield* rest;
  return rest.result();
}

const LEFT: TransportFailure = {
  kind: 'transport-failure',
  why: 'The stream was left.',
  ...{ delivery: 'unknown', messageId: undefined, task: undefined, text: '', error: undefined },
};
