import { createHash } from 'node:crypto';
import { callLoops } from './refusal.ts';

const NAME_CHARACTERS = 32;

/**
 * The header `Via` (RFC 9110 section 7.6.3) of a call that goes on from here: the gateways that it came over, and this one
 * for this agent, whose `base` it is. Throws a `Refusal` for one that was here before, by a card that leads back, or by two
 * gateways that are each other's agents: each round would hold one more connection until there is none left.
 */
export function viaHere(via: string | undefined, base: string): string {
  const here = `kourier-${createHash('sha256').update(base).digest('hex').slice(0, NAME_CHARACTERS)}`;
  const wasHere = (via ?? '').split(',').some((hop) => hop.trim().split(/\s+/)[1] === here);
  if (wasHere) throw callLoops();
  return `${via === undefined || via === '' ? '' : `${via}, `}1.1 ${here}`;
}
