import { arrayOf, isObject, type JsonObject } from '@agentkourier/a2a/json-value';
import { invalidParams } from '../../rpc-error.ts';

/**
 * A push configuration of A2A 1.0, made from one of 0.3. It may come without an id: then it is the task's only one,
 * under the task's id, which is also where a read without an id looks (as the official Python SDK has it). Of several authentication
 * schemes the first counts; 1.0 has one. Throws an RpcError -32602.
 */
export function readPushConfig(config: unknown, taskId: unknown): JsonObject {
  if (!isObject(config)) throw invalidParams('pushNotificationConfig must be an object.');
  const { id: written, url, token, authentication } = config as Record<string, unknown>;
  const id = configId(written, taskId);
  return {
    ...(taskId === undefined ? {} : { taskId }),
    ...(id === undefined ? {} : { id }),
    url,
    ...(token === undefined ? {} : { token }),
    ...(isObject(authentication) ? readAuthentication(authentication) : {}),
  };
}

/** The id of a push configuration: that of its task where it has none. Empty and null are none, as in ProtoJSON. */
export function configId(id: unknown, taskId: unknown): unknown {
  return id === '' ? taskId : (id ?? taskId);
}

/** An authentication that says nothing is none: so protocol buffers may write one that was never set. */
function readAuthentication({ schemes, credentials = '' }: { schemes?: unknown; credentials?: unknown }): JsonObject {
  const [scheme] = arrayOf(schemes);
  if (scheme === undefined && credentials === '') return {};
  const read = { ...(scheme === undefined ? {} : { scheme }), ...(credentials === '' ? {} : { credentials }) };
  return { authentication: read };
}

/** A push configuration of 0.3, made from one of 1.0. */
export function printPushConfig({ id, url, token, authentication }: Record<string, unknown>): JsonObject {
  return {
    ...(id === undefined ? {} : { id }),
    url,
    ...(token === undefined ? {} : { token }),
    ...(isObject(authentication) ? { authentication: printAuthentication(authentication) } : {}),
  };
}

function printAuthentication({ scheme, credentials }: { scheme?: unknown; credentials?: unknown }): JsonObject {
  return { schemes: scheme === undefined ? [] : [scheme], ...(credentials === undefined ? {} : { credentials }) };
}
