import { CARD_LIMITS } from '../limits.ts';
import type { WireVersion } from '../wire-version.ts';

/** One thing that is wrong with a card by the letter of a version. */
export interface CardFinding {
  /** JSON path, `$.capabilities.streaming`. */
  readonly path: string;
  readonly problem:
    | 'missing'
    | 'wrong-type'
    | 'empty'
    /** A value that is none of those that the version names, or no URL where one is called. */
    | 'not-allowed'
    /** A version that is neither A2A 1.0 nor 0.3. */
    | 'unsupported'
    /** A security requirement that names no declared scheme. */
    | 'undeclared'
    | 'duplicate'
    /** Several members where one is chosen. */
    | 'ambiguous';
  /** Half sentences: `the text "yes"`, `true or false`. What is quoted of the card is cut and inert. */
  readonly found: string;
  readonly allowed: string;
  /** Both, with the version that was judged against (case C007). */
  readonly message: string;
}

/** What is no fault by the letter, and still worth a look. */
export interface CardNote {
  readonly path: string;
  readonly kind: /** Kept, covered by signatures, and read by nobody. */
    | 'unknown-field'
    /** Tools, permissions, the choice of a model: none of them belongs in a card (rule C7). */
    | 'not-of-a-card'
    /** The other version's way to say it. */
    | 'other-version'
    /** The card mixes both versions (case C004). */
    | 'half-migrated'
    | 'both-versions'
    | 'advice';
  readonly message: string;
}

export interface Judgement {
  readonly faults: readonly CardFinding[];
  readonly notes: readonly CardNote[];
  /** Faults and notes past the limit of each. */
  readonly more: number;
}

/** Collects what a judge finds. */
export class Findings {
  readonly version: WireVersion;
  readonly faults: CardFinding[] = [];
  readonly notes: CardNote[] = [];
  #more = 0;

  constructor(version: WireVersion) {
    this.version = version;
  }

  get judgement(): Judgement {
    return { faults: this.faults, notes: this.notes, more: this.#more };
  }

  fault(path: string, problem: CardFinding['problem'], found: string, allowed: string): void {
    if (this.faults.length >= CARD_LIMITS.cardFindings) this.#more += 1;
    else {
      const verb = problem === 'missing' ? 'requires' : 'allows';
      const message = `found ${found}; A2A ${this.version} ${verb} ${allowed}`;
      this.faults.push({ path, problem, found, allowed, message });
    }
  }

  note(path: string, kind: CardNote['kind'], message: string): void {
    if (this.notes.length >= CARD_LIMITS.cardFindings) this.#more += 1;
    else this.notes.push({ path, kind, message });
  }
}

/** The path of a member; a name that is no identifier stands in brackets. */
export function memberPath(path: string, name: string): string {
  return /^[A-Za-z_$][\w$]{0,79}$/.test(name) ? `${path}.${name}` : `${path}[${quoted(name)}]`;
}

/** Text of a card as part of a line: inert, and cut (case C023). */
export function quoted(text: string): string {
  const short = text.length > CARD_LIMITS.quotedCharacters ? `${text.slice(0, CARD_LIMITS.quotedCharacters)}…` : text;
  return JSON.stringify(short).replace(UNSAFE, '?');
}

/** Control and direction characters, which could draw what is not there. */
export const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** What a value is, as a half sentence. */
export function told(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return `the text ${quoted(value)}`;
  if (typeof value === 'number') return `the number ${value}`;
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
