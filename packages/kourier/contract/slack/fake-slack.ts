import type { Clock } from '../../src/ports/clock.ts';
import { type AppOptions, makeApp } from './app.ts';
import { Audit } from './audit.ts';
import { Changes } from './changes.ts';
import { Deliveries } from './delivery/deliveries.ts';
import { postToApp, type RequestUrls, verifyUrl } from './delivery/http-hooks.ts';
import { SocketHub } from './delivery/socket-hub.ts';
import type { Transport } from './delivery/transport.ts';
import { Faults } from './faults.ts';
import { chatWriteMethods } from './methods/chat-write.ts';
import { CONVERSATION_METHODS } from './methods/conversations.ts';
import { PEOPLE_METHODS } from './methods/people.ts';
import { REACTION_METHODS } from './methods/reactions.ts';
import { SESSION_METHODS } from './methods/sessions.ts';
import { socketMethods } from './methods/sockets.ts';
import { streamMethods } from './methods/streams.ts';
import { VIEW_METHODS } from './methods/views.ts';
import type { App } from './model.ts';
import { People } from './people/people.ts';
import { seenIn } from './people/seen.ts';
import { RateLimits } from './rate-limits.ts';
import { respond } from './response-urls.ts';
import { listen, portOf } from './server.ts';
import { TestClock } from './test-clock.ts';
import { settle } from './town.ts';
import { WebApi } from './web-api.ts';
import { World } from './world.ts';

export interface FakeSlackOptions extends AppOptions {
  /** Everything that waits goes by it. A TestClock unless told: then nothing happens by time until it is advanced. */
  readonly clock?: Clock;
  /** 0 ≤ x < 1: which socket, which twin first. The same sequence every time unless told. */
  readonly random?: () => number;
  /** Calls past the tiers are answered 429. True unless told. */
  readonly rateLimits?: boolean;
  /** Where the app wants its events by HTTP; without it they go by Socket Mode. */
  readonly requestUrls?: RequestUrls;
}

export type FakeSlack = Awaited<ReturnType<typeof fakeSlack>>;

/** A Slack of one workspace and one app on loopback, with all that bites (slack.md 1). */
export async function fakeSlack(options: FakeSlackOptions = {}) {
  const changes = new Changes();
  const { clock = new TestClock() } = options;
  const app: App = makeApp(options);
  const world = new World(clock, changes, app, options.random ?? sequence());
  settle(world);
  const sockets = new SocketHub(world);
  let urls = options.requestUrls;
  const transport: Transport = (envelope, attempt) =>
    urls === undefined ? sockets.deliver(envelope, attempt) : postToApp(world, urls, envelope, attempt);
  const deliveries = new Deliveries(world, transport);
  const { emit } = deliveries;
  const faults = new Faults();
  const limits = new RateLimits(clock, options.rateLimits ?? true);
  let port = 0;
  const methods = {
    ...PEOPLE_METHODS,
    ...CONVERSATION_METHODS,
    ...SESSION_METHODS,
    ...REACTION_METHODS,
    ...VIEW_METHODS,
    ...chatWriteMethods(emit),
    ...streamMethods(emit),
    ...socketMethods(() => `ws://127.0.0.1:${port}/link/?ticket=${sockets.ticket()}&app_id=${app.id}`),
  };
  const api = new WebApi(world, methods, faults, limits);
  const server = await listen(api, sockets, (path, body) => respond(world, emit, path, body));
  port = portOf(server);
  return {
    /** For `slackApiUrl`. */
    apiUrl: `http://127.0.0.1:${port}/api/`,
    url: `http://127.0.0.1:${port}`,
    app,
    clock,
    world,
    sockets,
    deliveries,
    faults,
    limits,
    people: new People(world, deliveries, () => `http://127.0.0.1:${port}`),
    audit: new Audit(world),
    /** Every call of the Web API, in order. */
    calls: api.calls,
    /** What a person sees (see `seenIn`). */
    messages: (channel: string, thread?: string) => seenIn(world, channel, thread),
    /** What a person sees that nobody else does, oldest first. */
    privately: (user: string) => world.ephemerals.filter((each) => each.user === user),
    /** Resolves once `look` finds something; asked again after every change. */
    until: <T>(look: () => T | undefined | null | false): Promise<T> => changes.until(look),
    /** Events go there from now on; without URLs by Socket Mode. */
    deliverTo(to: RequestUrls | undefined): void {
      urls = to;
    },
    /** What Slack asks of an events URL that is entered. */
    verifies: (to: RequestUrls): Promise<boolean> => verifyUrl(world, to),
    async close(): Promise<void> {
      await sockets.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Looks like chance, and is the same every time. */
function sequence(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
