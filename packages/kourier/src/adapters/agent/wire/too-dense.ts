import { holdsAtMost } from '@agentkourier/a2a/json-value';
import { LIMITS } from '../../../core/limits.ts';
import type { Failure } from '../../../ports/agent.ts';

/** A text this short cannot hold enough to matter, and nearly every frame is shorter. */
const LOOKED_AT_CHARACTERS = 256 * 1_024;

/**
 * Of a text that would take far more memory as a value than as a text; `undefined` for every other one. To be asked
 * before it is parsed.
 */
export function tooDense(text: string): Failure | undefined {
  if (text.length < LOOKED_AT_CHARACTERS || holdsAtMost(text, LIMITS.jsonContainers)) return undefined;
  return { kind: 'too-large', why: `there are more than ${LIMITS.jsonContainers} objects and arrays in one text` };
}
