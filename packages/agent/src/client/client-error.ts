/** What every error of a client says. No message of one holds a credential, and none is logged here. */
export class ClientError extends Error {
  override readonly name: string = 'ClientError';
}

export interface AgentErrorFacts {
  /** Of JSON-RPC and A2A, `-32001`; in the HTTP+JSON binding the code that the error's reason has there, else that of its status. */
  readonly code: number | undefined;
  /** Of HTTP; over gRPC the one that its status stands for. */
  readonly status: number;
  readonly retryAfterMs: number | undefined;
  /** As the agent wrote it: `data` of JSON-RPC, `details` of HTTP+JSON. */
  readonly data: unknown;
}

/** The agent answered, and with an error: a JSON-RPC error, or an HTTP status that is no success. */
export class AgentError extends ClientError implements AgentErrorFacts {
  override readonly name = 'AgentError';
  readonly code: number | undefined;
  readonly status: number;
  readonly retryAfterMs: number | undefined;
  readonly data: unknown;

  constructor(message: string, { code, status, retryAfterMs, data }: AgentErrorFacts) {
    super(message);
    this.code = code;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.data = data;
  }
}

/** Whether what was sent reached the agent. `not-delivered` is certain: it may be sent again. */
export type Delivery = 'not-delivered' | 'unknown' | 'delivered';

/** No answer that can be read: no connection, a lost one, silence, or a body that is no answer. */
export class TransportError extends ClientError {
  override readonly name = 'TransportError';
  readonly delivery: Delivery;
  /** The task that an answer named which is not to be believed otherwise (case C029). */
  readonly taskId: string | undefined;

  constructor(message: string, delivery: Delivery = 'unknown', taskId?: string) {
    super(message);
    this.delivery = delivery;
    this.taskId = taskId;
  }
}

/** The agent cannot be asked that: its card or its version of A2A has no such thing. Nothing was sent. */
export class UnsupportedError extends ClientError {
  override readonly name = 'UnsupportedError';
}

/** There is no card, or none of what it offers can be spoken. Nothing was sent but the question for the card. */
export class CardError extends ClientError {
  override readonly name = 'CardError';
}

/** What the card asks for was not given, may not go where it would go, or a token could not be had. */
export class CredentialsError extends ClientError {
  override readonly name = 'CredentialsError';
}
