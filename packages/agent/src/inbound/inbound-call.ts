import type { CallerKind } from '@agentkourier/a2a/forwarded-identity';
import type { Caller } from '../agent/interrupts.ts';
import { AGENT_LIMITS } from '../limits.ts';
import { sendBody } from '../serve/deliver.ts';
import type { Asked, Sink } from '../serve/sink.ts';

/** A request, as it is before anything was made of it. */
export interface InboundRequest {
  readonly method: string;
  /** Path and query, as they stand in the request line. */
  readonly target: string;
  /** By its name in small letters; several of one name joined with a comma. */
  header(name: string): string | undefined;
  /** Its exact bytes; `undefined` when they are over `AGENT_LIMITS.bodyBytes`, or the connection broke. */
  body(): Promise<Uint8Array | undefined>;
}

export interface VerifiedCaller extends Caller {
  /** A `probe` gets the card and nothing else. */
  readonly kind: CallerKind;
}

/** Says who makes a request (rule A5). `undefined`, and throwing, refuse it: the caller is told the same constant words. */
export type VerifyInbound = (request: InboundRequest) => Promise<VerifiedCaller | undefined>;

/** The request that was verified, with the body that was. */
export interface InboundCall {
  readonly asked: Asked;
  readonly caller: VerifiedCaller;
}

/** Never rejects: what the verifier throws is reported, and the request refused. */
export async function inboundCall(
  asked: Asked,
  verify: VerifyInbound,
  report: (error: unknown) => void,
): Promise<InboundCall | undefined> {
  const { method, target } = asked;
  let held: Promise<Uint8Array | undefined> | undefined;
  const body = (): Promise<Uint8Array | undefined> => {
    held ??= asked.body(AGENT_LIMITS.bodyBytes).catch(() => undefined);
    return held;
  };
  const header = (name: string): string | undefined => asked.header(name);
  try {
    const caller = await verify({ method, target, header, body });
    if (caller === undefined) return undefined;
    return { asked: { method, target, path: asked.path, query: asked.query, header, body }, caller };
  } catch (error) {
    report(error);
    return undefined;
  }
}

/** The same for every failure and every path: whoever is refused learns nothing of why, nor of what is there. */
export function refuseInbound(sink: Sink): void {
  const body = '{"error":"verified gateway identity is required"}';
  sendBody(sink, 401, body, 'application/json', { 'www-authenticate': 'A2A-Forwarded-Identity' });
}
