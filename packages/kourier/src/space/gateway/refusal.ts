import { RPC_ERROR } from '@agentkourier/a2a/json-rpc';
import type { Endpoint } from '../../core/directory/registered-agent.ts';

/**
 * Why the gateway does not carry a call, for the caller: in the words of the binding and version that it speaks. The
 * message is ours and constant: nothing of the caller or the agent is repeated in it.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** As JSON-RPC has it. */
  readonly code: number;
  /** Of its `google.rpc.ErrorInfo`: stable. */
  readonly reason: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** The HTTP status, where it is not what the binding has for the code: the call failed below the protocol. */
  readonly status: number | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: number,
    message: string,
    info: {
      readonly reason: string;
      readonly metadata?: Readonly<Record<string, string>>;
      readonly status?: number;
      readonly retryAfterSeconds?: number;
    },
  ) {
    super(message);
    this.code = code;
    this.reason = info.reason;
    this.metadata = info.metadata ?? {};
    this.status = info.status;
    this.retryAfterSeconds = info.retryAfterSeconds;
  }
}

export const invalidRequest = (why: string, status?: number): Refusal =>
  new Refusal(RPC_ERROR.invalidRequest, why, {
    reason: 'INVALID_REQUEST',
    ...(status === undefined ? {} : { status }),
  });

export const invalidParams = (why: string): Refusal =>
  new Refusal(RPC_ERROR.invalidParams, why, { reason: 'INVALID_PARAMS' });

export const parseError = (): Refusal =>
  new Refusal(RPC_ERROR.parseError, 'The body is not JSON.', { reason: 'PARSE_ERROR' });

export const bodyTypeNotSupported = (): Refusal =>
  new Refusal(RPC_ERROR.contentTypeNotSupported, 'Content-Type must be application/json.', {
    reason: 'CONTENT_TYPE_NOT_SUPPORTED',
    status: 415,
  });

export const noSuchMethod = (): Refusal =>
  new Refusal(RPC_ERROR.methodNotFound, 'There is no such method.', { reason: 'METHOD_NOT_FOUND' });

/** Of a task that is not there, and of one that is another caller's: the two cannot be told apart (case C110). */
export const taskNotFound = (): Refusal =>
  new Refusal(RPC_ERROR.taskNotFound, 'The task was not found.', { reason: 'TASK_NOT_FOUND' });

export const contextNotFound = (): Refusal =>
  new Refusal(RPC_ERROR.invalidParams, 'The context was not found.', { reason: 'CONTEXT_NOT_FOUND' });

/** Tells those that the agent speaks over this binding. */
export function versionNotSupported(endpoints: readonly Endpoint[], spokenOver: Endpoint['binding']): Refusal {
  const spoken = endpoints.flatMap(({ binding, version }) => (binding === spokenOver ? [version] : []));
  return new Refusal(
    RPC_ERROR.versionNotSupported,
    'The agent does not speak this version here; see supportedVersions.',
    {
      reason: 'VERSION_NOT_SUPPORTED',
      metadata: { supportedVersions: [...new Set(spoken)].join(', ') },
    },
  );
}

export const noExtendedCard = (): Refusal =>
  new Refusal(RPC_ERROR.extendedCardNotConfigured, 'The gateway publishes no extended card.', {
    reason: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
  });

/** The implementation-defined range of JSON-RPC: neither -32603, which callers read as a crash, nor a code of A2A. */
const GATEWAY_ERROR = -32_090;

/** A call that the policy, or the state of the agent, does not let through. `reason` is stable. */
export const notCallable = (reason: string, isTemporary: boolean): Refusal =>
  new Refusal(GATEWAY_ERROR, 'The agent cannot be called now; see reason.', {
    reason: 'AGENT_NOT_CALLABLE',
    metadata: { reason },
    ...(isTemporary ? { status: 503, retryAfterSeconds: 5 } : { status: 409 }),
  });

export const permitRefused = (reason: string): Refusal =>
  new Refusal(GATEWAY_ERROR, 'The permit does not allow this call; see reason.', {
    reason: 'PERMIT_REFUSED',
    metadata: { reason },
    status: 403,
  });

export const callLoops = (): Refusal =>
  new Refusal(GATEWAY_ERROR, 'The call came back to where it was.', { reason: 'CALL_LOOPS', status: 508 });

/** A call that did not come to its end at the agent; `isSent`: the agent may have got it. */
export const upstreamFailed = (
  reason: string,
  { isSent, retryAfterSeconds }: { readonly isSent: boolean; readonly retryAfterSeconds?: number },
): Refusal =>
  new Refusal(
    GATEWAY_ERROR,
    isSent ? 'The agent did not answer as it should; it may have got the call.' : 'The agent was not reached.',
    {
      reason: 'UPSTREAM_FAILED',
      metadata: { reason, sent: String(isSent) },
      status: isSent ? 502 : 503,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    },
  );

export const bindingConflict = (): Refusal =>
  new Refusal(RPC_ERROR.invalidAgentResponse, 'The agent answered for another task.', {
    reason: 'A2A_REMOTE_BINDING_CONFLICT',
    status: 502,
  });
