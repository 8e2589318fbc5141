import { type WireChoice, wireOfCard } from './card.ts';
import { type Judgement, judgeCard } from './judge-card.ts';
import type { WireVersion } from './wire-version.ts';

export interface CardReport extends Judgement {
  /** No faults; notes do not count. */
  readonly valid: boolean;
  readonly version: WireVersion;
  /** By what the version was chosen: as it was asked for, or by evidence in the card (decision 13, case C004). */
  readonly rule: WireChoice['rule'] | 'asked';
  /** The same as a half sentence. */
  readonly why: string;
}

/**
 * Judges a card, as parsed JSON, by the letter of A2A `protocol`, or of the version that the card itself asks for. Every
 * fault in one pass, each with its JSON path, what was found and what is allowed (rules C1, C3, C4, C7). Never throws.
 */
export function validateCard(card: unknown, protocol?: WireVersion): CardReport {
  const choice = protocol === undefined ? wireOfCard(card) : undefined;
  const version = protocol ?? choice?.version ?? '1.0';
  const judgement = judgeCard(card, version);
  const { rule, why } = choice ?? { rule: 'asked' as const, why: 'it was asked for' };
  return { ...judgement, valid: judgement.faults.length === 0, version, rule, why };
}
