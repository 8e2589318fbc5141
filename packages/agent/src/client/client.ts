import { type AgentCard, readCard } from '@agentkourier/a2a/card';
import { RPC_ERROR } from '@agentkourier/a2a/json-rpc';
import type { ListQuery, OutgoingCall, OutgoingPushConfig, PageQuery } from '@agentkourier/a2a/outgoing';
import {
  type PushConfig,
  type PushConfigPage,
  readPushConfig,
  readPushConfigs,
} from '@agentkourier/a2a/read-push-config';
import { readTask } from '@agentkourier/a2a/read-task';
import { readTaskPage } from '@agentkourier/a2a/read-task-page';
import { CLIENT_LIMITS } from '../limits.ts';
import { AgentStream, type Telling } from './agent-stream.ts';
import type { Binding } from './choose-interface.ts';
import { AgentError, TransportError, UnsupportedError } from './client-error.ts';
import type { CallSettings, ClientOptions, FollowSettings, SendOptions, StreamSettings } from './client-options.ts';
import { type Connected, connect } from './connect.ts';
import type { FollowOptions } from './follow-patience.ts';
import { isTerminal, type KeptTask, keptTaskOf } from './kept-task.ts';
import { type MessageToSend, outgoingMessage } from './message-to-send.ts';
import type { SendResult } from './outcome.ts';
import { TaskFold } from './task-fold.ts';
import { type Listening, streamResult, tellOnce, tellStream, tellTask } from './tell.ts';
import type { CallOptions } from './wire.ts';

/**
 * Calls one agent, over A2A 1.0 or 0.3, JSON-RPC or HTTP+JSON (1.0 also over gRPC), as its card says (rule P4). Every operation is a method of
 * its own name. It throws an AgentError when the agent answers with an error, a TransportError when there is no answer, an
 * UnsupportedError when the agent cannot be asked; what a message comes to is a result, whose `kind` has to be looked at.
 *
 *     const client = await Client.connect('https://agent.example')
 *     const result = await client.sendMessage('Hello')
 *     if (result.kind === 'finished') console.log(result.text)
 */
export class Client {
  readonly #connected: Connected;

  private constructor(connected: Connected) {
    this.#connected = connected;
  }

  /**
   * By the agent's URL, whose card is at `/.well-known/agent-card.json` below it, by the URL of a card (`….json`), or by a
   * card's JSON. Throws a CardError when there is no card or nothing in it that can be spoken, a CredentialsError when it
   * wants what was not given, an UnsupportedError when gRPC is to be spoken and its packages are not installed.
   */
  static async connect(agent: string | URL | object, options: ClientOptions = {}): Promise<Client> {
    return new Client(await connect(agent, options));
  }

  get card(): AgentCard {
    return this.#connected.card;
  }

  /** Where calls go, and how. */
  get endpoint(): { readonly url: string; readonly binding: Binding; readonly version: '1.0' | '0.3' } {
    const { url, chosen } = this.#connected;
    return { url: url.href, binding: chosen.binding, version: chosen.version };
  }

  /** Sends a message and waits until its task has ended or paused. A lost answer is a result, not an error. */
  async sendMessage(message: string | MessageToSend, options: SendOptions = {}): Promise<SendResult> {
    const { outgoing, listening } = this.#message(message, options);
    const { encoder } = this.#connected.wire;
    return tellOnce(listening, encoder.sendOnce(outgoing, settingsOf(options)));
  }

  /** Sends a message and streams what the agent does. Throws an UnsupportedError when its card does not say that it streams. */
  sendStreamingMessage(message: string | MessageToSend, options: StreamSettings = {}): AgentStream {
    if (!this.card.streaming) {
      throw new UnsupportedError('The card of this agent does not say that it streams: call sendMessage.');
    }
    const { outgoing, listening } = this.#message(message, options);
    const { encoder } = this.#connected.wire;
    return streamOf(listening, tellStream(listening, encoder.send(outgoing, settingsOf(options))));
  }

  /** The task as the agent has it now. `historyLength`: messages that come with it; the agent decides otherwise. */
  async getTask(taskId: string, options: CallSettings & { readonly historyLength?: number } = {}): Promise<KeptTask> {
    const { encoder } = this.#connected.wire;
    return this.#task('GetTask', encoder.getTask(taskId, options.historyLength), options);
  }

  /**
   * Joins the stream of a task that runs. Its first event is the task as it is now, where the agent keeps to A2A 1.0. Of a
   * task that has ended the agent refuses it; `followTask` reads such a one, too.
   */
  subscribeToTask(taskId: string, options: FollowSettings = {}): AgentStream {
    const listening = this.#listening(options, new TaskFold(taskId));
    return streamOf(listening, tellStream(listening, this.#connected.wire.encoder.subscribe(taskId)));
  }

  /** Follows a task by GetTask and SubscribeToTask, through lost connections, until it has ended or paused. */
  followTask(taskId: string, options: CallSettings & { readonly follow?: FollowOptions } = {}): AgentStream {
    const listening = this.#listening({ follow: true, ...options }, new TaskFold(taskId));
    return streamOf(listening, tellTask(listening));
  }

  /** One page of tasks; the last has no `nextPageToken`. A2A 0.3 has no such operation: UnsupportedError. */
  async listTasks(query: ListQuery = {}, options: CallSettings = {}): Promise<TaskList> {
    const call = this.#connected.wire.encoder.listTasks(query);
    if (call === undefined) throw new UnsupportedError('A2A 0.3 cannot list tasks.');
    const page = readTaskPage(await this.#connected.wire.result(call, this.#call(options)));
    if (page === undefined) throw new TransportError('The answer to ListTasks holds no page.');
    return { ...page, tasks: page.tasks.map(keptTaskOf) };
  }

  /** The tasks of all pages. Throws a TransportError when a page's token comes again, or after 100 pages (case C127). */
  async *allTasks(query: ListQuery = {}, options: CallSettings = {}): AsyncGenerator<KeptTask, void> {
    const seen = new Set<string>();
    let pageToken = query.pageToken;
    for (let pages = 0; pages < CLIENT_LIMITS.listPages; pages += 1) {
      const page = await this.listTasks({ ...query, ...(pageToken === undefined ? {} : { pageToken }) }, options);
      yield* page.tasks;
      pageToken = page.nextPageToken;
      if (pageToken === undefined) return;
      if (seen.has(pageToken)) throw new TransportError('The agent names a page of its tasks twice.');
      seen.add(pageToken);
    }
    throw new TransportError(`The agent has more than ${CLIENT_LIMITS.listPages} pages of tasks: narrow the query.`);
  }

  /**
   * Asks the agent to stop a task, and gives the state that it answers, which may be another. An agent that cannot cancel
   * because the task has ended is asked how (case C061); otherwise its error is thrown.
   */
  async cancelTask(taskId: string, options: CallSettings = {}): Promise<KeptTask> {
    const { encoder } = this.#connected.wire;
    try {
      return await this.#task('CancelTask', encoder.cancelTask(taskId), options);
    } catch (error) {
      if (!(error instanceof AgentError) || !isNotCancelable(error)) throw error;
      const task = await this.getTask(taskId, options);
      if (isTerminal(task.state)) return task;
      throw error;
    }
  }

  /** Has the agent post what happens to a task. The answer has the configuration's id. */
  async createTaskPushNotificationConfig(
    taskId: string,
    config: OutgoingPushConfig,
    options: CallSettings = {},
  ): Promise<PushConfig> {
    return this.#pushConfig(this.#connected.wire.encoder.createPushConfig(taskId, config), options);
  }

  async getTaskPushNotificationConfig(taskId: string, id: string, options: CallSettings = {}): Promise<PushConfig> {
    return this.#pushConfig(this.#connected.wire.encoder.getPushConfig(taskId, id), options);
  }

  /** One page; A2A 0.3 has all on one. */
  async listTaskPushNotificationConfigs(
    taskId: string,
    page: PageQuery = {},
    options: CallSettings = {},
  ): Promise<PushConfigPage> {
    const { wire } = this.#connected;
    const read = readPushConfigs(await wire.result(wire.encoder.listPushConfigs(taskId, page), this.#call(options)));
    if (read === undefined) throw new TransportError('The answer holds no list of configurations.');
    return read;
  }

  async deleteTaskPushNotificationConfig(taskId: string, id: string, options: CallSettings = {}): Promise<void> {
    const { wire } = this.#connected;
    await wire.done(wire.encoder.deletePushConfig(taskId, id), this.#call(options));
  }

  /** The fuller card that an agent gives to callers that it knows (rule C6). The client goes on by its own. */
  async getExtendedAgentCard(options: CallSettings = {}): Promise<AgentCard> {
    const { wire } = this.#connected;
    const reading = readCard(await wire.result(wire.encoder.extendedCard(), this.#call(options)));
    if (reading.kind === 'card') return reading.card;
    throw new TransportError('The answer is no agent card.');
  }

  #message(message: string | MessageToSend, options: StreamSettings) {
    const given = typeof message === 'string' ? { parts: message } : message;
    const outgoing = outgoingMessage(given, this.#connected.newId);
    const listening = this.#listening(options, new TaskFold(), outgoing.messageId, given.skillId);
    return { outgoing, listening };
  }

  #listening(options: FollowSettings, fold: TaskFold, messageId?: string, skillId?: string): Listening {
    const { wire, http } = this.#connected;
    const { follow = false } = options;
    return {
      wire,
      clock: http.clock,
      idleMs: http.idleMs,
      call: this.#call(options, skillId),
      fold,
      messageId,
      follow: follow === false ? undefined : follow === true ? {} : follow,
    };
  }

  #call({ signal, headers, extensions }: CallSettings, skillId?: string): CallOptions {
    return { signal, headers, extensions, skillId };
  }

  async #task(operation: string, call: OutgoingCall, options: CallSettings): Promise<KeptTask> {
    const task = readTask(await this.#connected.wire.result(call, this.#call(options)));
    if (task === undefined) throw new TransportError(`The answer to ${operation} holds no task.`);
    return keptTaskOf(task);
  }

  async #pushConfig(call: OutgoingCall, options: CallSettings): Promise<PushConfig> {
    const config = readPushConfig(await this.#connected.wire.result(call, this.#call(options)));
    if (config === undefined) throw new TransportError('The answer holds no push notification configuration.');
    return config;
  }
}

export interface TaskList {
  readonly tasks: readonly KeptTask[];
  readonly nextPageToken: string | undefined;
  readonly totalSize: number | undefined;
}

function streamOf(listening: Listening, telling: Telling): AgentStream {
  return new AgentStream(telling, () => streamResult(listening, undefined, 'The stream was left.'));
}

/** By its code, or by the status that HTTP+JSON has for it, from an agent that tells no code. */
function isNotCancelable({ code, status }: AgentError): boolean {
  return code === RPC_ERROR.taskNotCancelable || (code === undefined && status === 409);
}

function settingsOf({ acceptedOutputModes, historyLength, pushNotificationConfig, metadata, ...others }: SendOptions) {
  return {
    ...(acceptedOutputModes === undefined ? {} : { acceptedOutputModes }),
    ...(historyLength === undefined ? {} : { historyLength }),
    ...(pushNotificationConfig === undefined ? {} : { pushNotificationConfig }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(others.returnImmediately === undefined ? {} : { returnImmediately: others.returnImmediately }),
  };
}
