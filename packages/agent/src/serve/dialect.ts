import { type Format, JsonRpcFormat } from './format.ts';
import { httpJsonFormat } from './http-json-format.ts';
import { type Route, routeOf } from './http-route.ts';
import { protoNames } from './proto-names.ts';
import type { RpcRequest } from './request.ts';
import type { Asked } from './sink.ts';

export type ProtocolVersion = '1.0' | '0.3';

/** One version of the protocol on the wire: read as A2A 1.0, in which the agent works, and written from it. */
export interface Dialect {
  /** `id` is the request's id as JSON, `method` the one that it names. */
  jsonRpcFormat(id: string, method: string): Format;
  /** The request in A2A 1.0. Throws an RpcError for what it cannot mean. */
  readJsonRpc(request: RpcRequest): RpcRequest;
  /** The operation of A2A 1.0 behind a method of HTTP and a path below `/a2a/v1`. */
  route(method: string, path: string): Route | undefined;
  httpJsonFormat(asked: Asked, operation: string): Format;
  /** The request in A2A 1.0. Throws an RpcError for what it cannot mean. */
  readHttpJson(request: RpcRequest): RpcRequest;
}

const renamed = ({ method, params }: RpcRequest): RpcRequest => ({ method, params: protoNames(params) });

export const DIALECT_1_0: Dialect = {
  jsonRpcFormat: (id) => new JsonRpcFormat(id),
  readJsonRpc: renamed,
  route: routeOf,
  httpJsonFormat,
  readHttpJson: renamed,
};
