import { AgentCard, SendMessageRequest } from '@a2a-js/sdk';
import { Client, JsonRpcTransportFactory } from '@a2a-js/sdk/client';

/** The official SDK's client of an agent at this URL, as its own factory makes it. */
export async function officialClient(url: string): Promise<Client> {
  const response = await fetch(`${url}/.well-known/agent-card.json`);
  const card = AgentCard.fromJSON(await response.json());
  return new Client(await new JsonRpcTransportFactory().create(url, card), card);
}

/** One turn of it. Returns the context, and the characters of the artifacts' text. */
export async function officialTurn(
  client: Client,
  contextId: string,
): Promise<{ contextId: string; characters: number }> {
  const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', contextId, parts: [{ text: 'Go on' }] };
  let characters = 0;
  let context = contextId;
  for await (const { payload } of client.sendMessageStream(SendMessageRequest.fromJSON({ message }))) {
    if (payload?.$case === 'task') context = payload.value.contextId;
    if (payload?.$case !== 'artifactUpdate') continue;
    for (const { content } of payload.value.artifact?.parts ?? []) {
      if (content?.$case === 'text') characters += content.value.length;
    }
  }
  return { contextId: context, characters };
}
