import { arrayOf, isObject, type JsonObject, objectOf, textOf, textsOf } from '@agentkourier/a2a/json-value';

/** Which agent a message would go to, and why. */
export interface Route {
  /** `tie`: the best are too close to choose among. `none`: nobody fits; `reason` says why. */
  readonly outcome: 'agent' | 'tie' | 'none';
  readonly agentId: string | undefined;
  /** Of `none`: `unknown-skill`, `blocked`, `modes` or `nothing-fits`. */
  readonly reason: string | undefined;
  /** Of `unknown-skill`: those that are written alike. */
  readonly nearestSkillIds: readonly string[];
  /** Who can be called, the best first. */
  readonly candidates: readonly RouteCandidate[];
  /** Who would have been chosen, and cannot be called. */
  readonly blocked: readonly (RouteCandidate & { readonly blockedReason: string })[];
}

export interface RouteCandidate {
  readonly agentId: string;
  /** To compare within one answer. */
  readonly score: number;
  readonly because: readonly RouteBecause[];
}

/**
 * `skill`: it has the skill that was asked for. `words`: these words of the message stand in that field of its card.
 * `modes`: it takes and gives the media types that were asked for.
 */
export interface RouteBecause {
  readonly kind: string;
  readonly skillId: string | undefined;
  /** Such as `skill-tags` or `agent-name`. */
  readonly field: string | undefined;
  readonly words: readonly string[];
}

export function readRoute(answer: JsonObject): Route {
  const outcome = answer['outcome'];
  return {
    outcome: outcome === 'agent' || outcome === 'tie' ? outcome : 'none',
    agentId: textOf(objectOf<'agentId'>(answer['agent'])?.agentId),
    reason: textOf(answer['reason']),
    nearestSkillIds: textsOf(answer['nearestSkillIds']),
    candidates: arrayOf(answer['candidates']).filter(isObject).map(readCandidate),
    blocked: arrayOf(answer['blocked'])
      .filter(isObject)
      .map((one) => ({ ...readCandidate(one), blockedReason: textOf(one['blockedReason']) ?? '' })),
  };
}

function readCandidate(candidate: JsonObject): RouteCandidate {
  return {
    agentId: textOf(candidate['agentId']) ?? '',
    score: Number(candidate['score']) || 0,
    because: arrayOf(candidate['because'])
      .filter(isObject)
      .map((one) => ({
        kind: textOf(one['kind']) ?? '',
        skillId: textOf(one['skillId']),
        field: textOf(one['field']),
        words: textsOf(one['words']),
      })),
  };
}
