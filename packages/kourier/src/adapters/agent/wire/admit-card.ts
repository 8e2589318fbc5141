import { type AgentCard, jsonRpcInterfaces } from '@agentkourier/a2a/card';
import type { Failure } from '../../../ports/agent.ts';
import { HITL_EXTENSION } from './wire.ts';

/** Why an agent cannot be used, in the contract's words (rules D1, D3, D4); `undefined` when it can. */
export function refusalOf({ interfaces, streaming, extensions }: AgentCard): Failure | undefined {
  if (jsonRpcInterfaces(interfaces).length === 0) {
    return { kind: 'refused', reason: 'no-jsonrpc', why: 'agent card lists no JSON-RPC interface' };
  }
  if (!streaming) {
    return { kind: 'refused', reason: 'no-streaming', why: 'agent card does not say capabilities.streaming: true' };
  }
  if (extensions.some(({ uri, required }) => required && uri !== HITL_EXTENSION)) {
    return { kind: 'refused', reason: 'extension', why: 'agent requires an unsupported extension' };
  }
  return undefined;
}
