import { createHash } from 'node:crypto';
import { arrayOf, isObject, type JsonObject, textOf, textsOf } from '@agentkourier/a2a/json-value';
import type { AgentStream } from '../client/agent-stream.ts';
import { chooseInterface } from '../client/choose-interface.ts';
import { Client } from '../client/client.ts';
import type { FollowSettings } from '../client/client-options.ts';
import { takeCard } from '../client/find-card.ts';
import type { FollowOptions } from '../client/follow-patience.ts';
import type { KeptTask } from '../client/kept-task.ts';
import { type MessageToSend, outgoingMessage } from '../client/message-to-send.ts';
import { callerIn } from './caller-in.ts';
import { type Permit, type Prepare, permittingFetch } from './permitting-fetch.ts';
import { type Route, readRoute } from './read-route.ts';
import { sendOnce } from './send-once.ts';
import { type SpaceAddress, SpaceApi } from './space-api.ts';
import { type SpaceEnvironment, spaceOf } from './space-environment.ts';
import { SpaceError } from './space-error.ts';

/** An agent as discovery lists it. Its words are whatever its author wrote: untrusted (case C023). */
export interface ListedAgent {
  readonly agentId: string;
  readonly versionId: string;
  readonly name: string;
  readonly description: string;
  readonly skills: readonly { readonly id: string; readonly name: string; readonly tags: readonly string[] }[];
  readonly callable: boolean;
  /** Why it cannot be called; only asked for with `blocked`. */
  readonly blockedReason: string | undefined;
  /** The base of the agent at the gateway. */
  readonly url: string;
}

export interface Discover {
  readonly text?: string;
  /** The id of a skill, or a tag. */
  readonly skill?: string;
  /** Also those that cannot be called, with their reason. */
  readonly blocked?: boolean;
  readonly limit?: number;
  readonly cursor?: string;
  readonly signal?: AbortSignal;
}

/** What a Space has on record of a task. */
export interface SpaceTask {
  readonly taskId: string;
  readonly agentId: string;
  readonly status: string | undefined;
  readonly remoteTaskId: string | undefined;
}

export interface SpaceCallOptions {
  /** Refused when the agent has another revision by now. */
  readonly expectedVersionId?: string;
  /** The same key with the same message is the same task; with another message it is refused (`idempotency-conflict`). */
  readonly idempotencyKey?: string;
  readonly follow?: boolean | FollowOptions;
  readonly signal?: AbortSignal;
}

/** A call under way. */
export interface SpaceCall {
  /** Of the Space; known once the call was permitted. */
  readonly taskId: Promise<string>;
  readonly stream: AgentStream;
}

/**
 * Finds and calls the agents of one Space (rule A3): discover, prepare, send, and the Space binds and records. There is no
 * way past the gateway: an agent's own address is not known here.
 *
 *     const space = new SpaceClient({ url: 'https://space.example', space: 'space-demo', key })
 *     const { agents } = await space.discover({ skill: 'research' })
 *     const { stream } = await space.call(agents[0].agentId, 'Summarize this week')
 */
export class SpaceClient {
  readonly #api: SpaceApi;
  readonly #address: SpaceAddress;

  constructor(address: SpaceAddress) {
    this.#address = address;
    this.#api = new SpaceApi(address);
  }

  /**
   * Of the Space that `KOURIER_SPACE_URL`, `KOURIER_SPACE_ID` and `KOURIER_SPACE_KEY` name. A process that only takes calls
   * needs none: without them this throws a `SpaceError` `A2A_SPACE_NOT_CONFIGURED` that names what is missing (rule A7).
   */
  static fromEnvironment(environment: SpaceEnvironment = process.env): SpaceClient {
    return new SpaceClient(spaceOf(environment));
  }

  async discover({ signal, blocked, ...query }: Discover = {}): Promise<{
    readonly agents: readonly ListedAgent[];
    readonly nextCursor: string | undefined;
  }> {
    const { text, skill, limit, cursor } = query;
    const asked = { q: text, skill, cursor, limit: limit?.toString(), blocked: blocked === true ? 'true' : undefined };
    const given = Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
    const page = await this.#api.get(`/agents?${new URLSearchParams(Object.fromEntries(given))}`, signal);
    return {
      agents: arrayOf(page['agents']).filter(isObject).map(listedAgent),
      nextCursor: textOf(page['nextCursor']),
    };
  }

  /** The agents of all pages. */
  async *discoverAll(query: Omit<Discover, 'cursor'> = {}): AsyncGenerator<ListedAgent, void> {
    let cursor: string | undefined;
    do {
      const page = await this.discover({ ...query, ...(cursor === undefined ? {} : { cursor }) });
      yield* page.agents;
      if (page.nextCursor === cursor) return;
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }

  /** Which agent fits a message; no fit and a tie are answers. */
  async route(asked: { readonly text?: string; readonly skillId?: string }, signal?: AbortSignal): Promise<Route> {
    return readRoute(await this.#api.post('/route', asked, signal));
  }

  /** Sends a message to an agent of the Space, and streams what it does; of one that does not stream, its answer alone. */
  call(agentId: string, message: string | MessageToSend, options: SpaceCallOptions = {}): Promise<SpaceCall> {
    const { expectedVersionId, idempotencyKey, ...settings } = options;
    const asked = { agentId, expectedVersionId, idempotencyKey };
    const said = idempotencyKey === undefined ? message : this.#named(message, `${agentId} ${idempotencyKey}`);
    return this.#send(agentId, said, { settings, path: '/calls', asked });
  }

  /** Answers a task that waits, or goes on with one, by its id of the Space. */
  async continueTask(
    taskId: string,
    message: string | MessageToSend,
    options: Omit<SpaceCallOptions, 'expectedVersionId' | 'idempotencyKey'> = {},
  ): Promise<SpaceCall> {
    const { agentId, remoteTaskId } = bound(await this.task(taskId, options.signal));
    const said = { ...(typeof message === 'string' ? { parts: message } : message), taskId: remoteTaskId };
    const asked = { operation: 'send_message' };
    const path = `/tasks/${encodeURIComponent(taskId)}/operations`;
    return this.#send(agentId, said, { settings: options, path, asked });
  }

  /** A task as the Space has it on record; its agent is not asked. */
  async task(taskId: string, signal?: AbortSignal): Promise<SpaceTask> {
    return spaceTask(await this.#api.get(`/tasks/${encodeURIComponent(taskId)}`, signal));
  }

  /** A task as its agent has it now. Works from a fresh process: the id is all that is needed. */
  async status(taskId: string, signal?: AbortSignal): Promise<KeptTask> {
    const { agentId, remoteTaskId } = bound(await this.task(taskId, signal));
    const client = await this.#client(agentId, undefined, signal);
    return client.getTask(remoteTaskId, signal === undefined ? {} : { signal });
  }

  /** Asks the agent to stop a task; the task as the agent then has it. */
  async cancel(taskId: string, signal?: AbortSignal): Promise<KeptTask> {
    const { agentId, remoteTaskId } = bound(await this.task(taskId, signal));
    const client = await this.#client(agentId, undefined, signal);
    return client.cancelTask(remoteTaskId, signal === undefined ? {} : { signal });
  }

  /** The same message under the same key is the same to the Space and to the agent: it has the same id each time. */
  #named(message: string | MessageToSend, key: string): MessageToSend {
    const said = typeof message === 'string' ? { parts: message } : message;
    const { space, key: credential = '' } = this.#address;
    const content = JSON.stringify([space, callerIn(credential), key, outgoingMessage(said, () => '')]);
    return { messageId: `key-${createHash('sha256').update(content).digest('hex')}`, ...said };
  }

  async #send(
    agentId: string,
    message: string | MessageToSend,
    { settings, path, asked }: { readonly settings: FollowSettings; readonly path: string; readonly asked: object },
  ): Promise<SpaceCall> {
    const named = Promise.withResolvers<string>();
    named.promise.catch(() => undefined);
    const prepare = async (hashed: Prepare): Promise<Permit> => {
      try {
        const permit = await this.#prepare(path, { ...asked, ...hashed }, settings.signal);
        named.resolve(permit.taskId);
        return permit;
      } catch (error) {
        named.reject(error);
        throw error;
      }
    };
    const client = await this.#client(agentId, prepare, settings.signal);
    const send = client.card.streaming ? client.sendStreamingMessage.bind(client) : sendOnce.bind(undefined, client);
    return { taskId: named.promise, stream: send(message, settings) };
  }

  async #prepare(path: string, body: object, signal: AbortSignal | undefined): Promise<Permit> {
    const { taskId, permit } = await this.#api.post(path, body, signal);
    if (typeof taskId === 'string' && typeof permit === 'string') return { taskId, permit };
    throw new SpaceError(
      'unavailable',
      'A2A_SPACE_ANSWER_UNKNOWN',
      'The Space gave no permit: look whether its URL is right.',
    );
  }

  /** Calls go where the Space was named, whatever it calls itself: that may not be to be reached from here (case C008). */
  async #client(
    agentId: string,
    prepare: ((asked: Prepare) => Promise<Permit>) | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Client> {
    const { fetch = globalThis.fetch } = this.#address;
    const card = await this.#api.card(agentId, signal);
    const { url: published } = chooseInterface(takeCard(card));
    const [, below = ''] = published.split(this.#api.pathOf(agentId));
    return Client.connect(card, {
      endpoint: this.#api.placeOf(agentId) + below,
      headers: this.#api.headers,
      fetch: prepare === undefined ? fetch : permittingFetch(fetch, prepare),
      ...(signal === undefined ? {} : { signal }),
    });
  }
}

/** A task that the agent has named. */
function bound({ agentId, remoteTaskId }: SpaceTask): { readonly agentId: string; readonly remoteTaskId: string } {
  if (remoteTaskId !== undefined) return { agentId, remoteTaskId };
  const why = 'The agent has not named its task: the call did not get so far, or it was answered without one.';
  throw new SpaceError('invalid', 'A2A_REMOTE_TASK_NOT_BOUND', why);
}

function listedAgent(agent: JsonObject): ListedAgent {
  const text = (name: string): string => textOf(agent[name]) ?? '';
  return {
    agentId: text('agentId'),
    versionId: text('versionId'),
    name: text('name'),
    description: text('description'),
    skills: arrayOf(agent['skills'])
      .filter(isObject)
      .map((skill) => ({
        id: textOf(skill['id']) ?? '',
        name: textOf(skill['name']) ?? '',
        tags: textsOf(skill['tags']),
      })),
    // What does not say that it can be called cannot.
    callable: agent['callable'] === true,
    blockedReason: textOf(agent['blockedReason']),
    url: text('url'),
  };
}

function spaceTask(task: JsonObject): SpaceTask {
  return {
    taskId: textOf(task['taskId']) ?? '',
    agentId: textOf(task['agentId']) ?? '',
    status: textOf(task['status']),
    remoteTaskId: textOf(task['remoteTaskId']),
  };
}
