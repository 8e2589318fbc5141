import { RPC_ERROR } from '@agentkourier/a2a/json-rpc';
import { type Format, frame } from './format.ts';
import type { Asked } from './sink.ts';

/** HTTP status and google.rpc.Code of each error (A2A 1.0.1, section 5.4). */
const STATUS: Readonly<Record<number, readonly [number, string]>> = {
  [RPC_ERROR.taskNotFound]: [404, 'NOT_FOUND'],
  [RPC_ERROR.methodNotFound]: [404, 'NOT_FOUND'],
  [RPC_ERROR.taskNotCancelable]: [400, 'FAILED_PRECONDITION'],
  [RPC_ERROR.pushNotSupported]: [400, 'FAILED_PRECONDITION'],
  [RPC_ERROR.unsupportedOperation]: [400, 'FAILED_PRECONDITION'],
  [RPC_ERROR.extendedCardNotConfigured]: [400, 'FAILED_PRECONDITION'],
  [RPC_ERROR.versionNotSupported]: [400, 'FAILED_PRECONDITION'],
  [RPC_ERROR.internalError]: [500, 'INTERNAL'],
};

export const statusOf = (code: number): readonly [number, string] => STATUS[code] ?? [400, 'INVALID_ARGUMENT'];

/** The media type that the caller names, because 1.0.1 and 1.0.0 differ: `application/a2a+json` for whoever knows it. */
export function httpJsonFormat(asked: Asked): Format {
  const knows = [asked.header('accept'), asked.header('content-type')].some((type) =>
    type?.includes('application/a2a+json'),
  );
  return {
    contentType: knows ? 'application/a2a+json' : 'application/json',
    sent: (task) => JSON.stringify({ task }),
    frames: (news) => frame(news.json),
    result: (result) => JSON.stringify(result),
    error: ({ code, message, data }, given) => {
      const [own, name] = statusOf(code);
      const status = given ?? own;
      return { status, body: JSON.stringify({ error: { code: status, status: name, message, details: data ?? [] } }) };
    },
  };
}
