import {
  type GatewayCallersOptions,
  gatewayCallers,
  type InboundRefusal,
  type VerifyInbound,
} from '@agentkourier/agent';
import { parsed } from './cli/card/read-json.ts';
import { UsageError } from './cli/usage-error.ts';
import { LIMITS } from './core/limits.ts';

const MEMBERS: readonly string[] = [
  ...['issuer', 'keys', 'keysUrl'],
  ...['account', 'tenant', 'agent', 'runtime', 'registration'],
];

export interface InboundFileReading {
  /** Throws Node's errors, and a RangeError past `maxBytes`. */
  readonly readText: (path: string, maxBytes: number) => Promise<string>;
  readonly complain: (line: string) => void;
}

/**
 * What `kourier a2a serve --inbound FILE` demands of callers: the options of `gatewayCallers` as JSON. Each reason for
 * which a call is refused is complained of once. Rejects with a `UsageError` that names the file.
 */
export async function inboundOf(file: string, { readText, complain }: InboundFileReading): Promise<VerifyInbound> {
  const remedy = 'write the options of docs/inbound.md';
  const text = await readText(file, LIMITS.cardBytes).catch((error: unknown) => {
    throw new UsageError(`${file} cannot be read: ${wordsOf(error)}`, 'write the path of a JSON file');
  });
  const read = parsed(text, file);
  if ('why' in read) throw new UsageError(`${file}${read.line}: ${read.why}`, remedy);
  const given = Object.keys(read.value ?? {});
  const [unknown] = [...given.filter((name) => !MEMBERS.includes(name)), ...read.duplicates];
  if (unknown !== undefined) throw new UsageError(`${file}: ${unknown} is no option, or stands there twice`, remedy);
  const told = new Set<InboundRefusal>();
  const onRefused = (why: InboundRefusal, cause?: unknown): void => {
    if (told.has(why)) return;
    told.add(why);
    const reason = cause === undefined ? why : `${why}: ${wordsOf(cause)}`;
    complain(`kourier: a call was refused (${reason}); docs/inbound.md says what to do. This is said once.`);
  };
  try {
    return gatewayCallers({ ...(read.value as GatewayCallersOptions), onRefused });
  } catch (error) {
    throw new UsageError(`${file}: ${wordsOf(error)}`, remedy);
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
