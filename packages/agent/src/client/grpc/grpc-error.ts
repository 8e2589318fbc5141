import { RPC_ERROR } from '@agentkourier/a2a/json-rpc';
import { CLIENT_LIMITS } from '../../limits.ts';
import { AgentError, TransportError } from '../client-error.ts';

/** The statuses of gRPC as HTTP has them; those that say that nothing was answered are not here. */
const HTTP_STATUS: ReadonlyMap<number, number> = new Map([
  [3, 400],
  [5, 404],
  [6, 409],
  [7, 403],
  [8, 429],
  [9, 400],
  [10, 409],
  [11, 400],
  [12, 501],
  [13, 500],
  [15, 500],
  [16, 401],
]);

/** By the names that the SDK gives to the errors of A2A. */
const CODES: ReadonlyMap<string, number> = new Map([
  ['TaskNotFoundError', RPC_ERROR.taskNotFound],
  ['TaskNotCancelableError', RPC_ERROR.taskNotCancelable],
  ['PushNotificationNotSupportedError', RPC_ERROR.pushNotSupported],
  ['UnsupportedOperationError', RPC_ERROR.unsupportedOperation],
  ['ContentTypeNotSupportedError', RPC_ERROR.contentTypeNotSupported],
  ['InvalidAgentResponseError', RPC_ERROR.invalidAgentResponse],
  ['ExtendedAgentCardNotConfiguredError', RPC_ERROR.extendedCardNotConfigured],
  ['ExtensionSupportRequiredError', RPC_ERROR.extensionRequired],
  ['VersionNotSupportedError', RPC_ERROR.versionNotSupported],
]);

/** What the SDK's transport threw, in the words of this client. */
export function grpcError(thrown: unknown): AgentError | TransportError {
  const { name, message, status } = thrown as {
    readonly name?: string;
    readonly message?: string;
    readonly status?: number;
  };
  const code = CODES.get(name ?? '');
  const http = HTTP_STATUS.get(status ?? 2);
  if (code === undefined && http === undefined)
    return new TransportError(`The call over gRPC was lost (status ${status ?? 2}).`);
  const said = (message ?? '').slice(0, CLIENT_LIMITS.errorCharacters);
  return new AgentError(
    `The agent answered ${code === undefined ? `gRPC status ${status}` : `error ${code}`}: ${said}`,
    {
      code,
      status: http ?? 500,
      retryAfterMs: undefined,
      data: undefined,
    },
  );
}
