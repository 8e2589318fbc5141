import type { RequestListener } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { LIMITS } from '../core/limits.ts';
import type { Agents } from '../ports/agent.ts';
import type { Clock } from '../ports/clock.ts';
import type { Registry } from '../ports/registry.ts';
import type { Store } from '../ports/store.ts';
import type { ThreadFeed } from '../ports/thread-feed.ts';
import type { Webhook } from '../ports/webhook.ts';
import type { CourierDoor } from './courier-door.ts';
import { EventStreams } from './events/event-streams.ts';
import { type Listening, listening } from './listening.ts';
import { isLoopback, localRefusal } from './local-guard.ts';
import { openApiDocument } from './openapi.ts';
import { problem, sendProblem } from './problem.ts';
import { readBody } from './read-body.ts';
import { alertmanagerResource } from './resources/alertmanager.ts';
import { auditResource } from './resources/audit.ts';
import { bindingsResource } from './resources/bindings.ts';
import { eventsResource } from './resources/events.ts';
import { genericHookResource, isGenericHookCall } from './resources/generic-hook.ts';
import { healthResource, type MetricsText } from './resources/health.ts';
import { messagesResource } from './resources/messages.ts';
import { pagesResource } from './resources/pages.ts';
import { requestsResource } from './resources/requests.ts';
import { stopResource } from './resources/stop.ts';
import { threadsResource } from './resources/threads.ts';
import { isWebhookCall, webhookAnswer } from './resources/webhooks.ts';
import { get, type HttpContext, jsonText, type Route } from './route.ts';

/** An answer that failed for a reason of ours. `why` names the error, never what was asked or said. */
export interface RequestFailed {
  readonly event: 'request-failed';
  readonly method: string;
  /** As the route is written, not as it was called. */
  readonly route: string;
  readonly why: string;
}

export interface HttpInterfaceOptions {
  readonly courier: CourierDoor;
  readonly store: Pick<Store, 'timeline' | 'changes' | 'audit' | 'threadAt'>;
  readonly agents: Pick<Agents, 'describe'>;
  readonly registry: Pick<Registry, 'current' | 'problems'>;
  readonly feed: ThreadFeed;
  readonly clock: Clock;
  readonly metrics: MetricsText;
  /** What is not ready, one line each. */
  readonly ready: () => readonly string[];
  readonly log: (line: RequestFailed) => void;
  readonly limits?: Partial<HttpLimits>;
  /** Loopback, the actor from the body. The only mode there is. */
  readonly local: true;
  /** The folder of the built web page. */
  readonly pages?: string;
  /** Where platforms call us. They answer for their callers, so these may be called under any name. */
  readonly webhooks?: readonly Webhook[];
}

export type HttpLimits = Readonly<Record<keyof typeof LIMITS | 'closeGraceMs', number>>;

export interface HttpInterface {
  /** Rejects for a host that is not loopback, and when the port is taken. Port 0: a free one. */
  listen(place: { readonly host: string; readonly port: number }): Promise<Listening>;
  /** Event streams open now. */
  openStreams(): number;
}

/** A call's end is awaited this long when closing; with the courier's own stop it stays under ten seconds. */
const CLOSE_GRACE_MS = 2_000;

export function httpInterface(options: HttpInterfaceOptions): HttpInterface {
  const limits: HttpLimits = { ...LIMITS, closeGraceMs: CLOSE_GRACE_MS, ...options.limits };
  const streams = new EventStreams({ ...options, limits });
  const answer = guarded(application(options, limits, streams), options.webhooks);
  return {
    openStreams: () => streams.size,
    async listen(place) {
      if (!isLoopback(place.host)) {
        throw new Error(
          `local mode takes the actor from the body, so it listens on loopback only, not on ${place.host}`,
        );
      }
      return listening(answer, place, { ...limits, clock: options.clock, closing: () => streams.close() });
    },
  };
}

function routesOf(options: HttpInterfaceOptions, streams: EventStreams): readonly Route[] {
  const routes: Route[] = [
    ...healthResource(options),
    ...bindingsResource(options),
    ...threadsResource(options),
    ...messagesResource(options),
    ...eventsResource(streams),
    ...stopResource(options),
    ...requestsResource(options),
    ...auditResource(options),
    ...alertmanagerResource(options),
    ...genericHookResource(options),
  ];
  const answers = { 200: { description: 'The document' } };
  routes.push(get('/api/v1/openapi.json', { summary: 'This document', answers }, () => jsonText(document)));
  const document = JSON.stringify(openApiDocument(routes));
  return routes;
}

function application(options: HttpInterfaceOptions, limits: HttpLimits, streams: EventStreams) {
  const app = new Hono<{ Bindings: HttpBindings }>();
  const routes = routesOf(options, streams);
  for (const route of routes) app[route.method](route.path, (c) => answered(c, route, limits));
  for (const [path, group] of Map.groupBy(routes, (route) => route.path)) {
    const allow = group.map(({ method }) => (method === 'get' ? 'GET, HEAD' : 'POST')).join(', ');
    const detail = `Use ${allow} here.`;
    app.all(path, () => problem('method-not-allowed', detail, { headers: { allow } }));
  }
  for (const webhook of options.webhooks ?? []) {
    app.post(webhook.path, (c) => webhookAnswer(c, webhook));
    app.all(webhook.path, () => problem('method-not-allowed', 'Use POST here.', { headers: { allow: 'POST' } }));
  }
  const page = pagesResource(options.pages);
  app.notFound((c) => page(c) ?? problem('not-found', 'See /api/v1/openapi.json for what there is.'));
  app.onError((error, c) => {
    const why = `${error.name}: ${error.message}`.slice(0, 300);
    options.log({ event: 'request-failed', method: c.req.method, route: c.req.routePath, why });
    return problem('internal-error', 'Send the same again, with its idempotency key; the log says what failed.');
  });
  return app;
}

const NO_BYTES = new Uint8Array();

async function answered(c: HttpContext, route: Route, limits: HttpLimits): Promise<Response> {
  const admitted = route.admit?.(c);
  if (admitted instanceof Response) return admitted;
  if (route.body === undefined) return route.answer(c, undefined, NO_BYTES);
  const read = await readBody(c.env.incoming, route.body, limits, admitted);
  return read.kind === 'refused' ? read.answer : route.answer(c, read.body, read.bytes);
}

/** Before anything is routed: a stranger's call gets no further, whatever it asks for. */
function guarded(app: Hono<{ Bindings: HttpBindings }>, webhooks: readonly Webhook[] = []): RequestListener {
  // Without it the adapter would replace the process's own Request and Response.
  const listener = getRequestListener((request, env) => app.fetch(request, env as HttpBindings), {
    overrideGlobalObjects: false,
  });
  return (incoming, outgoing) => {
    const isSigned = isWebhookCall(incoming, webhooks) || isGenericHookCall(incoming);
    const refusal = isSigned ? undefined : localRefusal(incoming);
    if (refusal === undefined) return void listener(incoming, outgoing);
    incoming.resume();
    return sendProblem(outgoing, refusal.code, refusal.detail);
  };
}
