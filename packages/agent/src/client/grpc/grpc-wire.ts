import type { JsonObject } from '@agentkourier/a2a/json-value';
import type { StreamEvent } from '@agentkourier/a2a/model';
import type { Encoder, OutgoingCall } from '@agentkourier/a2a/outgoing';
import { readEvent } from '@agentkourier/a2a/read-event';
import { ENCODER_1_0 } from '@agentkourier/a2a/v1.0/encode';
import { callHeaders } from '../call-headers.ts';
import type { ClientClock } from '../client-clock.ts';
import { AgentError, TransportError, UnsupportedError } from '../client-error.ts';
import type { CallOptions, Tokens, Wire, WireOptions } from '../wire.ts';
import { grpcError } from './grpc-error.ts';
import type { GrpcPeer } from './load-grpc.ts';

export interface GrpcWireOptions extends WireOptions {
  readonly peer: GrpcPeer;
  readonly clock: ClientClock;
  readonly headersMs: number;
  readonly idleMs: number;
}

interface Sent {
  readonly params: JsonObject;
  readonly options: { readonly signal: AbortSignal; readonly serviceParameters: Record<string, string> };
}

/** Calls of one agent over gRPC, A2A 1.0, by the official SDK's transport. What its messages do not know is lost there. */
export class GrpcWire implements Wire {
  readonly #options: GrpcWireOptions;

  constructor(options: GrpcWireOptions) {
    this.#options = options;
  }

  get encoder(): Encoder {
    return ENCODER_1_0;
  }

  async result(call: OutgoingCall, options: CallOptions): Promise<unknown> {
    const { headersMs } = this.#options;
    return this.#authorized(call, options, async (sent, waiting) => {
      try {
        return await waiting.within(options.headersMs ?? headersMs, this.#once(call.method, sent));
      } finally {
        waiting.end();
      }
    });
  }

  async done(call: OutgoingCall, options: CallOptions): Promise<void> {
    await this.result(call, options);
  }

  async *events(call: OutgoingCall, options: CallOptions, idleMs: () => number): AsyncGenerator<StreamEvent, void> {
    const { sdk } = this.#options.peer;
    const { stream, first, waiting } = await this.#authorized(call, options, async (sent, waiting) => {
      const stream = this.#stream(call.method, sent);
      return { stream, waiting, first: await waiting.within(idleMs(), stream.next()) };
    });
    try {
      for (let next = first; !next.done; next = await waiting.within(idleMs(), stream.next())) {
        const event = readEvent(sdk.StreamResponse.toJSON(next.value));
        if (event !== undefined) yield event;
      }
    } finally {
      waiting.end();
    }
  }

  /** Signs a call and makes it, and once more with other tokens where these were refused. */
  async #authorized<T>(
    { params }: OutgoingCall,
    options: CallOptions,
    make: (sent: Sent, waiting: Waiting) => Promise<T>,
  ): Promise<T> {
    const { url, tenant, authorize, clock } = this.#options;
    const { skillId, signal } = options;
    const attempt = async (refused?: Tokens) => {
      const unsigned = { url, headers: callHeaders(this.#options, ENCODER_1_0, options), skillId, signal };
      const { headers, tokens, url: signed } = await authorize(unsigned, refused);
      if (signed.search !== url.search) throw new UnsupportedError('gRPC has no query for the API key of the card.');
      const waiting = new Waiting(clock, signal);
      const sent = {
        params: tenant === undefined ? params : { ...params, tenant },
        options: waiting.options({ ...headers }),
      };
      return { tokens, made: make(sent, waiting) };
    };
    const { tokens, made } = await attempt();
    try {
      return await made;
    } catch (error) {
      if (!(error instanceof AgentError) || error.status !== 401 || tokens.size === 0) throw error;
      return (await attempt(tokens)).made;
    }
  }

  async #once(method: string, { params, options }: Sent): Promise<unknown> {
    const { sdk, transport } = this.#options.peer;
    switch (method) {
      case 'SendMessage': {
        const sent = await transport.sendMessage(sdk.SendMessageRequest.fromJSON(params), options);
        return 'messageId' in sent ? { message: sdk.Message.toJSON(sent) } : { task: sdk.Task.toJSON(sent) };
      }
      case 'GetTask':
        return sdk.Task.toJSON(await transport.getTask(sdk.GetTaskRequest.fromJSON(params), options));
      case 'CancelTask':
        return sdk.Task.toJSON(await transport.cancelTask(sdk.CancelTaskRequest.fromJSON(params), options));
      case 'ListTasks': {
        const page = await transport.listTasks(sdk.ListTasksRequest.fromJSON(params), options);
        return sdk.ListTasksResponse.toJSON(page);
      }
      case 'GetExtendedAgentCard': {
        const request = sdk.GetExtendedAgentCardRequest.fromJSON(params);
        return sdk.AgentCard.toJSON(await transport.getExtendedAgentCard(request, options));
      }
      default:
        return this.#pushConfig(method, { params, options });
    }
  }

  async #pushConfig(method: string, { params, options }: Sent): Promise<unknown> {
    const { sdk, transport } = this.#options.peer;
    const { TaskPushNotificationConfig } = sdk;
    switch (method) {
      case 'CreateTaskPushNotificationConfig': {
        const config = TaskPushNotificationConfig.fromJSON(params);
        return TaskPushNotificationConfig.toJSON(await transport.createTaskPushNotificationConfig(config, options));
      }
      case 'GetTaskPushNotificationConfig': {
        const request = sdk.GetTaskPushNotificationConfigRequest.fromJSON(params);
        return TaskPushNotificationConfig.toJSON(await transport.getTaskPushNotificationConfig(request, options));
      }
      case 'ListTaskPushNotificationConfigs': {
        const request = sdk.ListTaskPushNotificationConfigsRequest.fromJSON(params);
        const page = await transport.listTaskPushNotificationConfig(request, options);
        return sdk.ListTaskPushNotificationConfigsResponse.toJSON(page);
      }
      default: {
        const request = sdk.DeleteTaskPushNotificationConfigRequest.fromJSON(params);
        return transport.deleteTaskPushNotificationConfig(request, options);
      }
    }
  }

  #stream(method: string, { params, options }: Sent) {
    const { sdk, transport } = this.#options.peer;
    return method === 'SubscribeToTask'
      ? transport.resubscribeTask(sdk.SubscribeToTaskRequest.fromJSON(params), options)
      : transport.sendMessageStream(sdk.SendMessageRequest.fromJSON(params), options);
  }
}

/** Bounds each wait of one call; the call ends with the caller's signal, with its first silence, or when it is left. */
class Waiting {
  readonly #cut = new AbortController();
  readonly #clock: ClientClock;
  readonly #signal: AbortSignal | undefined;
  readonly #off = () => this.#cut.abort();

  constructor(clock: ClientClock, signal: AbortSignal | undefined) {
    this.#clock = clock;
    this.#signal = signal;
    signal?.throwIfAborted();
    signal?.addEventListener('abort', this.#off, { once: true });
  }

  options(serviceParameters: Record<string, string>): Sent['options'] {
    return { signal: this.#cut.signal, serviceParameters };
  }

  async within<T>(ms: number, work: Promise<T>): Promise<T> {
    let silent = false;
    const callOff = this.#clock.after(ms, () => {
      silent = true;
      this.#cut.abort();
    });
    try {
      return await work;
    } catch (error) {
      this.end();
      this.#signal?.throwIfAborted();
      throw silent ? new TransportError(`Nothing came for ${ms} ms.`) : grpcError(error);
    } finally {
      callOff();
    }
  }

  end(): void {
    this.#signal?.removeEventListener('abort', this.#off);
    this.#cut.abort();
  }
}
