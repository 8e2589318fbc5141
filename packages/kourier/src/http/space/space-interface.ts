import type { IncomingMessage, RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { decideAccess } from '../../core/access/decide-access.ts';
import { type Principal, roleIn } from '../../core/access/principal.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Authenticate, IssuerUnavailable } from '../../ports/space/authenticate.ts';
import type { Seal } from '../../ports/space/seal.ts';
import type { Gateway } from '../../space/gateway/gateway.ts';
import { type Listening, listening } from '../listening.ts';
import { localRefusal } from '../local-guard.ts';
import type { MetricsText } from '../resources/health.ts';
import { agentPlace, nodeDoor } from './agent-door.ts';
import { agentRoutes } from './agents.ts';
import { answer } from './answers.ts';
import { callRoutes } from './calls.ts';
import type { InterfaceParts } from './interface-parts.ts';
import { outboxRoutes } from './outbox.ts';
import { readJson } from './read-json.ts';
import { revisionRoutes } from './revisions.ts';
import { spaceDocument } from './space-openapi.ts';
import { problemText, type SpaceProblemCode, SpaceRefusal, spaceProblem } from './space-problem.ts';
import type { SpaceRoute } from './space-route.ts';

/** An answer that failed for a reason of ours. */
export interface SpaceRequestFailed {
  readonly event: 'request-failed';
  readonly method: string;
  /** As the route is written, not as it was called. */
  readonly route: string;
  readonly why: string;
}

export interface SpaceInterfaceOptions {
  readonly services: InterfaceParts;
  readonly gateway: Gateway;
  readonly authenticate: Authenticate;
  readonly seal: Pick<Seal, 'jwks'>;
  /** Makes a request to upgrade a tunnel of the agent, once who dials was let in. */
  acceptTunnel(place: { space: string; agent: string }, request: IncomingMessage, socket: Duplex, head: Buffer): void;
  readonly metrics: MetricsText;
  /** What is not ready, one line each. */
  readonly ready: () => readonly string[];
  readonly log: (line: SpaceRequestFailed) => void;
  readonly clock: Clock;
  /** Whether nobody is told apart: then no web site and no other name of this machine may call. */
  readonly local: () => boolean;
}

export interface SpaceInterface {
  /** Rejects when the port is taken. Port 0: a free one. */
  listen(place: { readonly host: string; readonly port: number }): Promise<Listening>;
}

const WAITS = { requestHeadMs: 30_000, requestMs: 60_000, closeGraceMs: 2_000 } as const;

export function spaceInterface(options: SpaceInterfaceOptions): SpaceInterface {
  const app = application(options);
  const api = getRequestListener((request, env) => app.fetch(request, env as HttpBindings), {
    overrideGlobalObjects: false,
  });
  const listener: RequestListener = (incoming, outgoing) => {
    const refusal = strangerRefusal(incoming, options.local());
    const place = agentPlace(incoming.url ?? '');
    if (refusal !== undefined) {
      incoming.resume();
      const { status, headers, body } = problemText(refusal.code, refusal.detail);
      return void outgoing.writeHead(status, { ...headers, connection: 'close' }).end(body);
    }
    // Calls of agents pass without standard requests: their streams are what the gateway is there for.
    if (place === undefined) return void api(incoming, outgoing);
    const { request, reply } = nodeDoor(incoming, outgoing, place);
    void options.gateway.answer(place, request, reply);
  };
  return {
    listen: (place) => {
      const sockets = new Set<Duplex>();
      return listening(listener, place, {
        ...WAITS,
        clock: options.clock,
        closing: () => {
          for (const socket of sockets) socket.destroy();
        },
        upgrade: (incoming, socket, head) => {
          sockets.add(socket);
          socket.once('close', () => sockets.delete(socket));
          void upgrade(incoming, socket, head, options);
        },
      });
    },
  };
}

/** Only a browser sends Origin, and no web page has business here. */
function strangerRefusal(incoming: IncomingMessage, isLocal: boolean): Stranger | undefined {
  if (incoming.headers.origin !== undefined)
    return { code: 'origin-refused', detail: 'Call this server from a program that sends no Origin.' };
  const refusal = isLocal ? localRefusal(incoming) : undefined;
  if (refusal === undefined) return undefined;
  const { code, detail } = refusal;
  return { code: code === 'origin-refused' || code === 'host-refused' ? code : 'malformed-request', detail };
}

interface Stranger {
  readonly code: SpaceProblemCode;
  readonly detail: string;
}

function application(options: SpaceInterfaceOptions) {
  const { services, seal, metrics, ready, log } = options;
  const app = new Hono<{ Bindings: HttpBindings }>();
  const routes = [
    ...agentRoutes(services),
    ...revisionRoutes(services),
    ...callRoutes(services),
    ...outboxRoutes(services),
  ];
  const document = JSON.stringify(spaceDocument(routes));
  app.get('/healthz', () => answer({ status: 'ok' }));
  app.get('/readyz', () => {
    const notReady = ready();
    const body = {
      ready: notReady.length === 0,
      notReady,
      problems: shownProblems(services.registry.problems(), options.local()),
    };
    return answer(body, notReady.length === 0 ? 200 : 503);
  });
  app.get(
    '/metrics',
    async () => new Response(await metrics.text(), { headers: { 'content-type': metrics.contentType } }),
  );
  app.get('/.well-known/jwks.json', () => answer(seal.jwks));
  app.get('/api/v1/openapi.json', () => new Response(document, { headers: { 'content-type': 'application/json' } }));
  app.get('/api/v1/spaces', async (c) => spacesOf(await callerOf(authorizationOf(c.env.incoming), options), services));
  for (const route of routes) {
    app.on(route.method.toUpperCase(), `/api/v1/spaces/:space${route.path}`, (c) =>
      answered(c.env.incoming, { params: c.req.param(), query: new URL(c.req.url).searchParams }, { route, options }),
    );
  }
  for (const [path, group] of Map.groupBy(routes, (route) => route.path)) {
    const allow = group.map(({ method }) => (method === 'get' ? 'GET, HEAD' : method.toUpperCase())).join(', ');
    app.all(`/api/v1/spaces/:space${path}`, async (c) => {
      // Who is nobody learns nothing of what there is.
      await callerOf(authorizationOf(c.env.incoming), options);
      return spaceProblem('method-not-allowed', `Use ${allow} here.`, {}, { allow });
    });
  }
  app.notFound(() => spaceProblem('not-found', 'See /api/v1/openapi.json for what there is.'));
  app.onError((error, c) => {
    if (error instanceof SpaceRefusal) return error.answer;
    const why = `${error.name}: ${error.message}`.slice(0, 300);
    log({ event: 'request-failed', method: c.req.method, route: c.req.routePath, why });
    return spaceProblem('internal-error', 'Try again; the log says what failed.');
  });
  return app;
}

/** They name Spaces and agents of every tenant, and anybody may ask: the whole of them is in the log. */
function shownProblems(problems: readonly string[], isLocal: boolean): readonly string[] {
  if (isLocal || problems.length === 0) return problems;
  return ['A change of the configuration was refused: the log says why.'];
}

interface Asked {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/** One call: who asks, what it may do in this Space, the body, the answer. */
async function answered(
  incoming: IncomingMessage,
  { params, query }: Asked,
  { route, options }: { readonly route: SpaceRoute; readonly options: SpaceInterfaceOptions },
): Promise<Response> {
  const caller = await callerOf(authorizationOf(incoming), options);
  const policy = options.services.registry.current().spaces.get(params['space'] ?? '');
  const decision = decideAccess(caller, policy, route.operation);
  if (policy === undefined || decision === 'hidden') throw hidden();
  if (decision === 'forbidden')
    throw new SpaceRefusal('forbidden', `The role in this Space does not allow: ${route.operation}.`);
  const body = route.body === undefined ? undefined : await readJson(incoming, route.body);
  return route.answer({ caller, policy, params, query, body });
}

const hidden = (): SpaceRefusal =>
  new SpaceRefusal('not-found', 'Look whether the id is right, and whether the key is for this Space.');

async function callerOf(
  authorization: string | undefined,
  { authenticate }: SpaceInterfaceOptions,
): Promise<Principal> {
  let caller: Principal | undefined;
  try {
    caller = await authenticate(authorization);
  } catch (error) {
    if (!(error instanceof IssuerUnavailable)) throw error;
    throw new SpaceRefusal(
      'authentication-unavailable',
      'The issuer of the token cannot be asked now. Try again.',
      {},
      { 'retry-after': '5' },
    );
  }
  if (caller !== undefined) return caller;
  const detail = 'Send Authorization: Bearer with a key or token of this Space.';
  throw new SpaceRefusal('unauthenticated', detail, {}, { 'www-authenticate': 'Bearer' });
}

/** Several of them are told, so that none of them counts. */
function authorizationOf(incoming: IncomingMessage): string | undefined {
  return incoming.headersDistinct['authorization']?.join(', ');
}

function spacesOf(caller: Principal, { registry }: InterfaceParts): Response {
  const spaces = [...registry.current().spaces.values()].flatMap((space) => {
    const role = roleIn(caller, space);
    return role === undefined
      ? []
      : [{ spaceId: space.id, tenant: space.tenant, role, publicEgress: space.egress.public }];
  });
  return answer({ spaces });
}

const TUNNEL = /^\/api\/v1\/spaces\/([^/?]+)\/agents\/([^/?]+)\/tunnel$/;

/** An agent that dials out: let in like any other call, then a tunnel. */
async function upgrade(
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  options: SpaceInterfaceOptions,
): Promise<void> {
  socket.on('error', () => undefined);
  const refuse = (code: SpaceProblemCode, status: string): void => {
    const head = `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\nx-problem: ${code}\r\n\r\n`;
    // Node has let go of this connection: who does not hang up would hold it for ever.
    socket.end(head, () => socket.destroy());
  };
  const [match, space = '', agent = ''] = TUNNEL.exec(incoming.url ?? '') ?? [];
  if (match === undefined) return refuse('not-found', '404 Not Found');
  if (strangerRefusal(incoming, options.local()) !== undefined) return refuse('origin-refused', '403 Forbidden');
  try {
    const caller = await callerOf(authorizationOf(incoming), options);
    const policy = options.services.registry.current().spaces.get(space);
    const decision = decideAccess(caller, policy, 'connect');
    const known = decision === 'allowed' ? await options.services.directory.agent(space, agent) : undefined;
    if (decision === 'forbidden') return refuse('forbidden', '403 Forbidden');
    if (known?.reach !== 'tunnel') return refuse('not-found', '404 Not Found');
  } catch (error) {
    const code = error instanceof SpaceRefusal ? error.code : 'internal-error';
    return refuse(code, code === 'unauthenticated' ? '401 Unauthorized' : '503 Service Unavailable');
  }
  if (!socket.destroyed) options.acceptTunnel({ space, agent }, incoming, socket, head);
}
