import type { AgentServer } from '../src/index.ts';
import type { TaskJson } from './served-agent.ts';

/** A caller without a socket: requests go to the server's fetch handler. */
export function callerOf(server: Pick<AgentServer, 'fetch'>, headers: Record<string, string> = {}) {
  const rpc = async (method: string, params: unknown) => {
    const response = await server.fetch(
      new Request('http://agent.example/a2a/jsonrpc', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'a2a-version': '1.0', ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      }),
    );
    return (await response.json()) as { readonly result?: Answered; readonly error?: RpcErrorJson };
  };
  const send = (messageId: string, text: string, fields: object = {}) =>
    rpc('SendMessage', { message: { messageId, role: 'ROLE_USER', parts: [{ text }], ...fields } });
  const task = async (messageId: string, text: string, fields: object = {}): Promise<TaskJson> => {
    const { result, error } = await send(messageId, text, fields);
    if (result?.task === undefined) throw new Error(`no task: ${JSON.stringify(error)}`);
    return result.task;
  };
  return { rpc, send, task };
}

interface Answered extends Partial<TaskJson> {
  readonly task?: TaskJson;
  readonly tasks?: readonly TaskJson[];
}

interface RpcErrorJson {
  readonly code: number;
  readonly message: string;
  readonly data?: readonly { readonly metadata: Record<string, string> }[];
}
