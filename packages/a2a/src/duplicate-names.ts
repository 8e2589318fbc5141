import { memberPath } from './card/findings.ts';

/** Strings and punctuation; between them a JSON text has only white space, numbers and three words. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/gs;

interface Open {
  readonly path: string;
  /** Absent: an array. */
  readonly names?: Set<string>;
  /** Elements that were begun. */
  count: number;
  isNameNext: boolean;
  child: string;
}

/**
 * The paths of members that an object of a valid JSON text has more than once. Readers differ in which of them counts, so
 * such a text says two things at once, and a signature would cover one of them (RFC 8785 §3.1, RFC 7493 §2.3).
 */
export function duplicateNames(json: string): readonly string[] {
  const duplicates: string[] = [];
  const open: Open[] = [];
  for (const [token] of json.matchAll(TOKENS)) {
    const inner = open.at(-1);
    if (token === '{' || token === '[') {
      const path = inner === undefined ? '$' : childPath(inner);
      open.push({
        path,
        count: 0,
        child: '',
        ...(token === '{' ? { names: new Set(), isNameNext: true } : { isNameNext: false }),
      });
    } else if (token === '}' || token === ']') open.pop();
    else if (inner === undefined) continue;
    else if (token === ',') {
      inner.count += 1;
      inner.isNameNext = inner.names !== undefined;
    } else if (inner.isNameNext) {
      const name = String(JSON.parse(token));
      inner.isNameNext = false;
      inner.child = memberPath(inner.path, name);
      if (inner.names?.has(name)) duplicates.push(inner.child);
      inner.names?.add(name);
    }
  }
  return duplicates;
}

function childPath({ names, path, child, count }: Open): string {
  return names === undefined ? `${path}[${count}]` : child;
}
