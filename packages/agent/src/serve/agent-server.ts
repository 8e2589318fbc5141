import type { IncomingMessage, ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { agentCard, PATHS, skillsOf } from '../agent/agent-card.ts';
import type { Caller } from '../agent/interrupts.ts';
import { readTurnMessage } from '../agent/read-message.ts';
import type { AgentDefinition, AnswerTurn } from '../agent/turn.ts';
import { inboundCall, refuseInbound, type VerifyInbound } from '../inbound/inbound-call.ts';
import { HEARTBEAT_EVERY_MS } from '../limits.ts';
import { PushDesk, type PushOptions } from '../push/push-desk.ts';
import { internalError, RpcError } from '../rpc-error.ts';
import { TaskDesk } from '../run/task-desk.ts';
import type { ReportFailure } from '../run/task-runner.ts';
import { MemoryTaskStore } from '../store/memory-task-store.ts';
import type { Awaitable, TaskStore } from '../store/task-store.ts';
import { basePathOf } from './base-path.ts';
import { deliver, sendBody, sendError } from './deliver.ts';
import { DIALECT_1_0, type Dialect, type ProtocolVersion } from './dialect.ts';
import type { EventStream } from './event-stream.ts';
import { FetchSink, fetchAsked } from './fetch-exchange.ts';
import type { Format } from './format.ts';
import { answerHttpJson } from './http-json.ts';
import { answerJsonRpc } from './json-rpc.ts';
import { newId as randomId } from './new-id.ts';
import { NodeSink, nodeAsked } from './node-exchange.ts';
import { type Outcome, operations } from './operations.ts';
import { ServedCard } from './served-card.ts';
import type { ServerParts } from './server-parts.ts';
import type { Asked, Sink } from './sink.ts';
import { dialect03 } from './v0.3/dialect.ts';

/** What is known of a request before its body is read. */
export type RequestHead = Pick<Asked, 'method' | 'path' | 'header'>;

export interface AgentServerOptions {
  /** Where callers reach the agent; its card names it. */
  readonly url: string;
  /** The path below which the agent is mounted, where it is not the root: `/agents/echo`. */
  readonly basePath?: string;
  /**
   * The versions of A2A that are spoken, the best first; `1.0` alone unless given. With `0.3`, whoever names no version
   * speaks 0.3 and gets its card (case C139), and the card also stands at `/.well-known/agent.json`.
   */
  readonly protocols?: readonly ProtocolVersion[];
  /** Where tasks are kept; in memory unless given. It is opened and closed with the server. */
  readonly store?: TaskStore;
  /**
   * Says who calls, from the request's head; `undefined` refuses it with 401, and throwing with 500. Callers see the
   * tasks of their own id only. Everybody is the same caller unless given: then whoever reaches the agent sees
   * everything.
   */
  readonly authenticate?: (request: RequestHead) => Caller | undefined | Promise<Caller | undefined>;
  /**
   * Says who calls where only a gateway may (rule A5): `gatewayCallers`, in place of `authenticate`. Every route, the card
   * too, answers whoever it refuses with one constant 401.
   */
  readonly inbound?: VerifyInbound;
  /** The fuller card for a caller who was authenticated (rule C6). */
  readonly extendedCard?: (caller: Caller) => object;
  /** Whether what a model thought is sent, as an artifact of its own (rule A8); it is, except with `inbound`. */
  readonly includeReasoning?: boolean;
  /** Sends push notifications to the webhooks that callers name (rule P8). Without it they are refused (-32003). */
  readonly push?: PushOptions;
  /** Gets what a turn threw, and what a webhook did not take; standard error unless given. Callers never see it. */
  readonly onError?: ReportFailure;
  readonly heartbeatEveryMs?: number;
  /** Milliseconds since the epoch, for the times of tasks. */
  readonly now?: () => number;
  readonly newId?: () => string;
}

/**
 * An agent behind a door that any server can open: a standard fetch handler, and a listener for Node's http. Call `open`
 * before the first request, and `close` after the last.
 */
export class AgentServer {
  readonly #parts: ServerParts;
  readonly #desk: TaskDesk;
  readonly #push: PushDesk | undefined;
  readonly #card: ServedCard;
  readonly #basePath: string;
  readonly #options: AgentServerOptions;
  readonly #report: ReportFailure;
  readonly #streams = new Set<EventStream>();
  #heartbeat: NodeJS.Timeout | undefined;

  /** Throws a TypeError that names what the definition lacks. */
  constructor(agent: AgentDefinition, options: AgentServerOptions) {
    const { store = new MemoryTaskStore(), extendedCard, newId = randomId, now = Date.now } = options;
    const { authenticate, inbound } = options;
    if (authenticate !== undefined && inbound !== undefined)
      throw new TypeError('inbound and authenticate both say who calls: give one of them');
    this.#options = options;
    const report = reporterOf(options.onError);
    this.#report = report;
    const push = options.push === undefined ? undefined : new PushDesk({ ...options.push, store, report, newId, now });
    this.#push = push;
    this.#basePath = basePathOf(options.basePath);
    const hasExtendedCard = extendedCard !== undefined && (authenticate !== undefined || inbound !== undefined);
    const cards = new Map(
      (options.protocols ?? ['1.0']).map((protocol) => [
        protocol,
        agentCard(agent, options.url, {
          protocol,
          extendedCard: hasExtendedCard,
          pushNotifications: push !== undefined,
        }),
      ]),
    );
    if (cards.size === 0) throw new TypeError("protocols needs a version: '1.0', '0.3' or both");
    this.#card = new ServedCard(cards, now(), inbound === undefined ? 'public' : 'private');
    const dialects = new Map<string, Dialect>(
      [...cards].map(([protocol, card]) => [protocol, protocol === '0.3' ? dialect03(card) : DIALECT_1_0]),
    );
    this.#desk = new TaskDesk({
      store,
      turnOf: (skillId) => turnOf(agent, skillId),
      read: readTurnMessage,
      report,
      newId,
      now,
      includeReasoning: options.includeReasoning ?? inbound === undefined,
      onTaken: push === undefined ? undefined : (task) => push.watch(task),
    });
    this.#parts = {
      dialects,
      perform: operations({ agent, desk: this.#desk, store, push, extendedCard }),
      answer: (sink, format, perform) => this.#deliver(sink, format, perform),
    };
  }

  /** Opens the store, ends what an earlier process left in the middle of its work, and sends what it still owed. */
  async open(): Promise<void> {
    await this.#desk.open();
    await this.#push?.open();
    this.#heartbeat = setInterval(() => {
      for (const stream of this.#streams) stream.beat();
    }, this.#options.heartbeatEveryMs ?? HEARTBEAT_EVERY_MS);
    this.#heartbeat.unref();
  }

  /** Aborts the turns that run, breaks the open streams off, and closes the store. Paused tasks wait for the next start. */
  async close(): Promise<void> {
    clearInterval(this.#heartbeat);
    await this.#push?.close();
    await this.#desk.close();
  }

  /** Answers a standard request: mount it on Hono, on workers, wherever fetch handlers go. */
  readonly fetch = async (request: Request): Promise<Response> => {
    const sink = new FetchSink();
    request.signal.addEventListener('abort', () => sink.leave(), { once: true });
    this.#receive(fetchAsked(request, this.#basePath), sink);
    return sink.response;
  };

  /** Answers a request of Node's http server, or of Express, without the cost of standard requests. */
  readonly listener = (request: IncomingMessage, response: ServerResponse): void => {
    this.#receive(nodeAsked(request, this.#basePath), new NodeSink(response));
  };

  /** A connection that breaks while its body is read leaves nobody to answer. */
  #receive(asked: Asked | undefined, sink: Sink): void {
    try {
      const { inbound } = this.#options;
      const answered = inbound === undefined ? this.#route(asked, sink) : this.#answer(asked, sink, inbound);
      if (answered instanceof Promise) answered.catch(() => sink.destroy());
    } catch {
      sink.destroy();
    }
  }

  #deliver(sink: Sink, format: Format, perform: () => Awaitable<Outcome>): Awaitable<void> {
    try {
      const outcome = perform();
      if (outcome instanceof Promise) return this.#deliverLater(sink, format, outcome);
      deliver(outcome, { sink, format, desk: this.#desk, streams: this.#streams });
    } catch (error) {
      if (!(error instanceof RpcError)) this.#report(error, { taskId: '', contextId: '' });
      sendError(sink, format, error instanceof RpcError ? error : internalError());
    }
  }

  #deliverLater(sink: Sink, format: Format, outcome: Promise<Outcome>): Promise<void> {
    const failed = (error: unknown) =>
      this.#deliver(sink, format, () => {
        throw error;
      });
    return outcome.then((done) => this.#deliver(sink, format, () => done), failed);
  }

  async #answer(asked: Asked | undefined, sink: Sink, inbound: VerifyInbound): Promise<void> {
    // On what every request comes through, and not on paths: a path that is spelt in another way is no way around.
    const report = (error: unknown) => this.#report(error, { taskId: '', contextId: '' });
    const call = asked === undefined ? undefined : await inboundCall(asked, inbound, report);
    if (call === undefined) return refuseInbound(sink);
    const isProbe = call.caller.kind === 'probe';
    if (isProbe && !this.#card.isAt(call.asked.path)) return refuseInbound(sink);
    return this.#route(call.asked, sink, { id: call.caller.id });
  }

  #route(asked: Asked | undefined, sink: Sink, verified?: Caller): Awaitable<void> {
    if (asked === undefined) return sendBody(sink, 404, '', '');
    if (this.#card.isAt(asked.path)) return this.#card.answer(asked, sink);
    const isJsonRpc = JSON_RPC_PATHS.includes(asked.path);
    if (!isJsonRpc && !asked.path.startsWith(`${PATHS.httpJson}/`)) return sendBody(sink, 404, '', '');
    if (isJsonRpc && asked.method !== 'POST') return sendBody(sink, 405, '', '', { allow: 'POST' });
    // Only a browser sends Origin, and no web page has business with an agent that nothing guards.
    if (asked.header('origin') !== undefined) return sendBody(sink, 403, '', '');
    const isAsked = verified === undefined && this.#options.authenticate !== undefined;
    if (isAsked) return this.#callerOf(asked).then((caller) => this.#bind(asked, sink, caller));
    return this.#bind(asked, sink, verified ?? EVERYBODY);
  }

  #bind(asked: Asked, sink: Sink, caller: Caller | 'unknown' | undefined): Awaitable<void> {
    if (caller === 'unknown') return sendBody(sink, 500, '', '');
    if (caller === undefined) return sendBody(sink, 401, '', '', { 'www-authenticate': 'Bearer' });
    if (!asked.path.startsWith(`${PATHS.httpJson}/`)) return answerJsonRpc(asked, sink, caller, this.#parts);
    return answerHttpJson(asked, asked.path.slice(PATHS.httpJson.length), { sink, caller, server: this.#parts });
  }

  /** `unknown` when it cannot be told who calls, which is not the caller's fault. */
  async #callerOf(asked: Asked): Promise<Caller | 'unknown' | undefined> {
    const { authenticate } = this.#options;
    try {
      return await authenticate?.(asked);
    } catch (error) {
      this.#report(error, { taskId: '', contextId: '' });
      return 'unknown';
    }
  }
}

/** Whoever calls a server that asks nobody. */
const EVERYBODY: Caller = { id: '' };

/** With and without the slash that some clients put behind an endpoint, and that no redirect may cost (case C113). */
const JSON_RPC_PATHS: readonly string[] = ['', '/', PATHS.jsonRpc, `${PATHS.jsonRpc}/`];

/** The turn of the skill that was picked, else the agent's own, else that of its first skill. */
function turnOf(agent: AgentDefinition, skillId: string): AnswerTurn {
  const skills = agent.skills ?? [];
  const turn = skills.find(({ id }) => id === skillId)?.turn ?? agent.turn ?? skills.find((skill) => skill.turn)?.turn;
  if (turn === undefined) throw new TypeError(`no turn answers the skill ${skillId || skillsOf(agent)[0]?.id}`);
  return turn;
}

/** Who reports is in the middle of ending a task: a log that fails must not keep it from that. */
function reporterOf(onError: ReportFailure = reportToStandardError): ReportFailure {
  return async (error, turn) => {
    try {
      await onError(error, turn);
    } catch (failure) {
      reportToStandardError(error, turn);
      reportToStandardError(failure, turn);
    }
  };
}

function reportToStandardError(error: unknown, { taskId }: { readonly taskId: string }): void {
  process.stderr.write(`agent: task ${taskId}: ${printed(error)}\n`);
}

/** What a turn threw may throw while it is printed, and whoever waits for the turn's end would wait for ever. */
function printed(error: unknown): string {
  try {
    return inspect(error);
  } catch {
    return 'what was thrown cannot be printed';
  }
}
