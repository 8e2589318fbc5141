import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Fault, Faults } from './faults.ts';
import { Arguments } from './methods/arguments.ts';
import type { Method, Methods } from './methods/method.ts';
import type { RateLimits } from './rate-limits.ts';
import { type Shape, textIn } from './shape.ts';
import { SlackError } from './slack-error.ts';
import type { World } from './world.ts';

export interface SeenCall {
  readonly method: string;
  readonly args: Shape;
  readonly atMs: number;
  /** `ok`, Slack's error code, `ratelimited`; `none` where a fault kept the effect off. */
  result: string;
}

/** The Web API: who may call, how often, with which fault, and what comes of it. */
export class WebApi {
  readonly calls: SeenCall[] = [];
  readonly #world: World;
  readonly #methods: Methods;
  readonly #faults: Faults;
  readonly #limits: RateLimits;

  constructor(world: World, methods: Methods, faults: Faults, limits: RateLimits) {
    this.#world = world;
    this.#methods = methods;
    this.#faults = faults;
    this.#limits = limits;
  }

  async answer(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const seen: SeenCall = { method: name, args: {}, atMs: this.#world.clock.now(), result: 'none' };
    this.calls.push(seen);
    try {
      const args = Arguments.read(request.headers['content-type'] ?? '', body);
      Object.assign(seen, { args: args.toJSON() });
      const method = this.#methods[name];
      if (method === undefined) throw new SlackError('unknown_method', { req_method: name });
      this.#authorize(method, request, args);
      const fault = this.#faults.take(name, args.toJSON());
      const waitSeconds = this.#limits.refuse(name, args.text('channel'));
      if (waitSeconds !== undefined) {
        seen.result = 'ratelimited';
        return limited(response, waitSeconds);
      }
      this.#perform(seen, method, args, fault, response);
    } catch (error) {
      if (!(error instanceof SlackError)) throw error;
      seen.result = error.code;
      this.#json(response, { ok: false, error: error.code, ...error.more });
    } finally {
      this.#world.changes.note();
    }
  }

  #perform(seen: SeenCall, method: Method, args: Arguments, fault: Fault, response: ServerResponse): void {
    const { clock } = this.#world;
    const run = (): Shape => {
      const visibleAtMs = clock.now() + (fault.hideForMs ?? 0);
      const outcome = attempted(() => method.run({ args, world: this.#world, visibleAtMs }));
      seen.result = textIn(outcome, 'error') ?? 'ok';
      return outcome;
    };
    const later = typeof fault.effect === 'object' ? fault.effect.afterMs : undefined;
    let outcome: Shape = { ok: true };
    if (later !== undefined) clock.wakeAt(clock.now() + later, () => void run());
    else if (fault.effect !== 'never') outcome = run();
    const { answer } = fault;
    if (answer === undefined) this.#json(response, outcome, method);
    else if (answer === 'dropped') response.destroy();
    else if (answer === 'none') return;
    else if ('error' in answer) this.#json(response, { ok: false, error: answer.error }, method);
    else if (answer.status === 429) limited(response, answer.retryAfterSeconds ?? 1);
    else response.writeHead(answer.status, { 'content-type': 'text/html' }).end('<html>upstream</html>');
  }

  #authorize(method: Method, request: IncomingMessage, args: Arguments): void {
    const { app } = this.#world;
    const given = request.headers.authorization?.replace(/^Bearer /, '') ?? args.text('token');
    if (given === undefined || given === '') throw new SlackError('not_authed');
    if (given !== app.botToken && given !== app.appToken) throw new SlackError('invalid_auth');
    const isApp = given === app.appToken;
    if (isApp !== (method.token === 'app')) throw new SlackError('not_allowed_token_type');
    if (isApp || method.scopes.length === 0 || method.scopes.some((scope) => app.scopes.has(scope))) return;
    throw new SlackError('missing_scope', { needed: method.scopes.join(','), provided: [...app.scopes].join(',') });
  }

  #json(response: ServerResponse, body: Shape, method?: Method): void {
    response
      .writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'x-oauth-scopes': [...this.#world.app.scopes].join(','),
        'x-accepted-oauth-scopes': method?.scopes.join(',') ?? '',
        'x-slack-req-id': this.#world.id('req'),
      })
      .end(JSON.stringify(body));
  }
}

function attempted(run: () => Shape): Shape {
  try {
    return { ok: true, ...run() };
  } catch (error) {
    if (error instanceof SlackError) return { ok: false, error: error.code, ...error.more };
    throw error;
  }
}

function limited(response: ServerResponse, seconds: number): void {
  response
    .writeHead(429, { 'content-type': 'application/json', 'retry-after': String(seconds) })
    .end(JSON.stringify({ ok: false, error: 'ratelimited' }));
}
