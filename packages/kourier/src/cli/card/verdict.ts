import type { CardFinding, CardNote } from '@agentkourier/a2a/judge-card';
import { inert } from '../inert.ts';

/** A fault of a card, or of how it is served. */
export interface Wrong extends Omit<CardFinding, 'problem'> {
  readonly problem: CardFinding['problem'] | 'misplaced' | 'not-served';
}

export interface Noted extends Omit<CardNote, 'kind'> {
  readonly kind: CardNote['kind'] | 'live';
}

/** A line names a path and says two half sentences. */
const LINE_CHARACTERS = 1_000;

/** One line: what others wrote makes no line and no colour of its own (case C023). */
export const line = (text: string): string => `${inert(text, LINE_CHARACTERS)}\n`;

export const wrongLine = ({ path, message }: Wrong): string => line(`FAIL  ${path}: ${message}`);
export const noteLine = ({ path, message }: Noted): string => line(`note  ${path}: ${message}`);

export const jsonText = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
export const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
