import { LIMITS } from '../../../core/limits.ts';
import { nearest } from '../../../core/nearest.ts';

/** What is wrong with the configuration, where, and what to write instead. Never holds a value, only names and keys. */
export interface Problem {
  /** A file as it was given, or the option that said it. */
  readonly file: string;
  readonly line?: number;
  readonly what: string;
  readonly write: string;
}

export type Report = (problem: Problem) => void;

/** `FILE:LINE: what is wrong; what to write instead`, in the order of files and lines, each once, the rest counted. */
export function problemLines(problems: readonly Problem[]): readonly string[] {
  const sorted = problems.toSorted((a, b) => compare(a.file, b.file) || (a.line ?? 0) - (b.line ?? 0));
  const lines = [...new Set(sorted.map(problemLine))];
  if (lines.length <= LIMITS.configurationProblems) return lines;
  const more = lines.length - LIMITS.configurationProblems;
  return [...lines.slice(0, LIMITS.configurationProblems), `and ${more} more; correct these first`];
}

function problemLine({ file, line, what, write }: Problem): string {
  return `${inert(file)}${line === undefined ? '' : `:${line}`}: ${what}; ${write}`;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A name or key as it can stand in a line: one line, no control or direction characters, and not without end. */
export function quoted(name: string): string {
  return inert(name.length > 64 ? `${name.slice(0, 63)}…` : name);
}

function inert(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '?');
}

/** `write NAME` for the nearest known name, else the known ones. */
export function writeOneOf(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  if (near !== undefined) return `write ${quoted(near)}`;
  if (known.length === 0) return 'leave it out';
  return `write ${known.length === 1 ? '' : 'one of '}${listed(known)}`;
}

export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 12).map(quoted).join(', ');
  return names.length > 12 ? `${shown} …` : shown;
}
