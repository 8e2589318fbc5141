import type { Rules } from '../core/turn/decision.ts';
import type { World } from './world.ts';

/** What holds for a binding's threads now. One that is gone allows nothing. */
export function rulesOf({ registry }: World, binding: string): Rules {
  const { timings, bindings } = registry.current();
  const { backend, space, interactions = {} } = bindings.get(binding) ?? {};
  return { timings, dialect: backend?.dialect ?? 'a2a', choosesAgent: space !== undefined, interactions };
}
