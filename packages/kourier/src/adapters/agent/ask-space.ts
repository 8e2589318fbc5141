import type { Readable } from 'node:stream';
import { arrayOf, isObject, objectOf, parseJson, textOf } from '@agentkourier/a2a/json-value';
import { withoutEndSlashes } from '@agentkourier/a2a/without-end-slashes';
import { LIMITS } from '../../core/limits.ts';
import type { NoAgent } from '../../core/turn/call-outcome.ts';
import type { CallOptions, Choice, Failure } from '../../ports/agent.ts';
import type { Binding, SpaceConnection, SpacePick } from '../../ports/registry.ts';
import { agentIdOf } from './reached.ts';
import { discard, exchange } from './wire/exchange.ts';
import { notSent, statusFailure } from './wire/failures.ts';
import { traceHeaders } from './wire/headers.ts';
import { ERROR_BODY_BYTES, readBody } from './wire/read-body.ts';
import type { Way } from './wire/way.ts';

export interface Asking {
  readonly way: Way;
  readonly spanId: string;
  readonly responseHeadersMs: number;
}

/** Ids as a Space gives them; anything else is no agent of one. */
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Who of the Space takes a message: whom the binding names, or whom the Space's `route` says (rule C8). */
export async function askSpace(
  space: NonNullable<Binding['space']>,
  words: string,
  options: CallOptions,
  { way, spanId, responseHeadersMs }: Asking,
): Promise<Choice> {
  const { pick } = space;
  if (pick.by === 'agent') return { kind: 'agent', agent: agentIdOf(space, pick.agentId) };
  const { signal, traceId } = options;
  const answer = await exchange({
    method: 'POST',
    url: routeUrl(space),
    headers: {
      ...traceHeaders(traceId, spanId),
      accept: 'application/json',
      'content-type': 'application/json',
    },
    body: JSON.stringify(question(pick, words)),
    headersMs: responseHeadersMs,
    ...{ way, signal },
  });
  if (answer.kind === 'called-off') return notSent('the call was called off');
  if (answer.kind !== 'answer') return unanswered(answer);
  const { status, retryAfterMs, target, body } = answer;
  if (status < 200 || status > 299) {
    if (status === 404 && (await isOfSpace(body, { withinMs: responseHeadersMs, signal }))) return NO_SPACE;
    discard(body);
    return unanswered(statusFailure(status, retryAfterMs, target));
  }
  const reading = await readBody(body, { maxBytes: LIMITS.bodyBytes, withinMs: responseHeadersMs, signal });
  return (reading.kind === 'text' && choiceIn(space, parseJson(reading.text))) || notSent('the Space gave no answer');
}

function routeUrl({ url, id }: SpaceConnection): URL {
  return new URL(`${withoutEndSlashes(url)}/api/v1/spaces/${encodeURIComponent(id)}/route`);
}

function question(pick: Exclude<SpacePick, { by: 'agent' }>, words: string): object {
  const text = words.slice(0, LIMITS.routedCharacters);
  return pick.by === 'skill' ? { text, skillId: pick.skillId } : { text };
}

const NO_SPACE: Choice = { kind: 'no-agent', reason: 'no-space', agents: [], why: 'no-space' };

/** A gateway says in its own words that it has no such Space; whoever else answers 404 may be a proxy on the way to it. */
async function isOfSpace(body: Readable, limits: { withinMs: number; signal: AbortSignal }): Promise<boolean> {
  const reading = await readBody(body, { maxBytes: ERROR_BODY_BYTES, ...limits });
  return reading.kind === 'text' && objectOf<'code'>(parseJson(reading.text))?.code === 'not-found';
}

/** Nobody has been sent anything, whatever went wrong. */
function unanswered(failure: Failure): Failure {
  const why = `the Space: ${failure.why}`;
  if (failure.kind === 'credentials') return { kind: 'credentials', why };
  return notSent(why, 'retryAfterMs' in failure ? failure.retryAfterMs : undefined);
}

/** `undefined`: this is no answer of a Space. */
function choiceIn(space: SpaceConnection, answer: unknown): Choice | undefined {
  if (!isObject(answer)) return undefined;
  const none = (reason: NoAgent, those: unknown): Choice => {
    const agents = arrayOf(those)
      .map(agentIdIn)
      .filter((id) => id !== undefined);
    return { kind: 'no-agent', reason, agents, why: [reason, ...agents].join(' ') };
  };
  switch (answer['outcome']) {
    case 'agent': {
      const agentId = agentIdIn(answer['agent']);
      return agentId === undefined ? undefined : { kind: 'agent', agent: agentIdOf(space, agentId) };
    }
    case 'tie':
      // The best two are sure to be alike, whoever else comes near.
      return none('tie', arrayOf(answer['candidates']).slice(0, 2));
    case 'none': {
      const reason = textOf(answer['reason']);
      if (reason === 'blocked') return none('blocked', answer['blocked']);
      return none(reason === 'unknown-skill' ? 'unknown-skill' : 'nothing-fits', []);
    }
    default:
      return undefined;
  }
}

function agentIdIn(candidate: unknown): string | undefined {
  const id = textOf(objectOf<'agentId'>(candidate)?.agentId);
  return id !== undefined && ID.test(id) ? id : undefined;
}
