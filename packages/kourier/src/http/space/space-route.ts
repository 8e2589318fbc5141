import type { SpaceOperation } from '../../core/access/decide-access.ts';
import type { Principal } from '../../core/access/principal.ts';
import type { SpacePolicy } from '../../ports/space/space-configuration.ts';
import type { SpaceBodies } from './space-schemas.ts';

/** A call that was let in: who asks, in which Space, for what. */
export interface SpaceCall<Body = unknown> {
  readonly caller: Principal;
  readonly policy: SpacePolicy;
  /** Of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Body;
}

/**
 * One call of the interface, below `/api/v1/spaces/:space`. None is answered without its operation being allowed: that is
 * looked up in one place, for all.
 */
export interface SpaceRoute {
  readonly method: 'get' | 'post' | 'delete';
  /** Below the Space: `/agents/:agent`. */
  readonly path: string;
  readonly operation: SpaceOperation;
  readonly summary: string;
  /** Parameters of the query, each with what it is. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: keyof SpaceBodies;
  readonly answer: (call: SpaceCall) => Promise<Response>;
}

export function spaceGet(
  path: string,
  route: Pick<SpaceRoute, 'operation' | 'summary' | 'query'>,
  answer: (call: SpaceCall) => Promise<Response>,
): SpaceRoute {
  return { method: 'get', path, ...route, answer };
}

export function spacePost<Name extends keyof SpaceBodies>(
  path: string,
  body: Name,
  route: Pick<SpaceRoute, 'operation' | 'summary'>,
  answer: (call: SpaceCall<SpaceBodies[Name]>) => Promise<Response>,
): SpaceRoute {
  return { method: 'post', path, body, ...route, answer: (call) => answer(call as SpaceCall<SpaceBodies[Name]>) };
}
