import { RPC_ERROR } from '@agentkourier/a2a/json-rpc';

type Reason = Readonly<Record<string, string>>;

/** A JSON-RPC error as it is sent. `message` is ours: nothing of a caller or of what a handler threw is repeated in it. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  /** `google.rpc.ErrorInfo` entries, as A2A 1.0 has them. */
  readonly data: readonly Readonly<Record<string, unknown>>[] | undefined;
  /** Also sent as an HTTP `Retry-After`, in whole seconds. */
  readonly retryAfterMs: number | undefined;

  constructor(code: number, message: string, info?: { reason: string; metadata?: Reason; retryAfterMs?: number }) {
    super(message);
    this.code = code;
    this.retryAfterMs = info?.retryAfterMs;
    if (info === undefined) return;
    const metadata: Reason = {
      ...info.metadata,
      ...(info.retryAfterMs === undefined ? {} : { retryAfterMs: String(info.retryAfterMs) }),
    };
    this.data = [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: info.reason,
        domain: 'a2a-protocol.org',
        metadata,
      },
    ];
  }
}

export const parseError = () => new RpcError(RPC_ERROR.parseError, 'The body is not JSON.');
export const invalidRequest = (why: string) => new RpcError(RPC_ERROR.invalidRequest, why);
export const methodNotFound = () => new RpcError(RPC_ERROR.methodNotFound, 'There is no such method.');
export const invalidParams = (why: string) => new RpcError(RPC_ERROR.invalidParams, why);
export const internalError = () => new RpcError(RPC_ERROR.internalError, 'The agent could not answer the request.');
export const taskNotFound = () =>
  new RpcError(RPC_ERROR.taskNotFound, 'The task was not found.', { reason: 'TASK_NOT_FOUND' });
/** The protocol has no code of its own for it (A2A 1.0, section 3.1.8). */
export const webhookNotFound = () =>
  new RpcError(RPC_ERROR.taskNotFound, 'The task has no webhook of this id.', { reason: 'TASK_NOT_FOUND' });
export const notCancelable = () =>
  new RpcError(RPC_ERROR.taskNotCancelable, 'The task has ended and cannot be canceled.', {
    reason: 'TASK_NOT_CANCELABLE',
  });
export const pushNotSupported = () =>
  new RpcError(RPC_ERROR.pushNotSupported, 'The agent sends no push notifications.', {
    reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
  });
export const unsupported = (why: string) =>
  new RpcError(RPC_ERROR.unsupportedOperation, why, { reason: 'UNSUPPORTED_OPERATION' });
/** Contract rule E3: the same message is welcome again after `retryAfterMs`. */
export const busy = (why: string, retryAfterMs: number) =>
  new RpcError(RPC_ERROR.unsupportedOperation, why, {
    reason: 'UNSUPPORTED_OPERATION',
    metadata: { reason: 'BUSY' },
    retryAfterMs,
  });
export const contentTypeNotSupported = (modes: readonly string[]) =>
  new RpcError(RPC_ERROR.contentTypeNotSupported, 'The agent does not read every part of the message.', {
    reason: 'CONTENT_TYPE_NOT_SUPPORTED',
    metadata: { inputModes: modes.join(', ') },
  });
export const bodyTypeNotSupported = () =>
  new RpcError(RPC_ERROR.contentTypeNotSupported, 'Content-Type must be application/json.', {
    reason: 'CONTENT_TYPE_NOT_SUPPORTED',
  });
/** Rule P6. The ids are those of the card, so they may stand in the text, which is all that most clients show. */
export const noSuchSkill = (skillIds: readonly string[]) =>
  new RpcError(RPC_ERROR.invalidParams, `The agent has no such skill; it has: ${skillIds.join(', ')}.`, {
    reason: 'UNKNOWN_SKILL',
    metadata: { skillIds: skillIds.join(', ') },
  });
export const noExtendedCard = () =>
  new RpcError(RPC_ERROR.extendedCardNotConfigured, 'The agent has no extended card.', {
    reason: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
  });
/** `spoken` has the versions that are, as its keys; the first is the best. */
export const versionNotSupported = (spoken: ReadonlyMap<string, unknown>) => {
  const versions = [...spoken.keys()];
  return new RpcError(
    RPC_ERROR.versionNotSupported,
    `The agent speaks A2A ${versions.join(' and ')}; send the header A2A-Version: ${versions[0]}.`,
    { reason: 'VERSION_NOT_SUPPORTED', metadata: { supportedVersions: versions.join(', ') } },
  );
};
