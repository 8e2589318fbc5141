import { holdsAtMost } from '@agentkourier/a2a/json-value';
import { SPACE_LIMITS } from '../limits.ts';

/** Whether a JSON text is worth making a value of: an empty array is two characters, and a hundred bytes in memory. */
export function hasFewContainers(text: string): boolean {
  const { callContainers } = SPACE_LIMITS;
  return text.length <= callContainers || holdsAtMost(text, callContainers);
}
