/** The browser's own drawer. Where it is locked (private windows, policies) the page works and forgets. */
const PREFIX = 'kourier.';

export function readItem(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

export function writeItem(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, value);
  } catch {
    // Full or locked: what is on the page is still there.
  }
}

/** `undefined` when it is absent, broken or not what `isRight` expects. */
export function readJson<Value>(name: string, isRight: (value: unknown) => value is Value): Value | undefined {
  try {
    const value: unknown = JSON.parse(readItem(name) ?? 'null');
    return isRight(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function itemNames(start: string): readonly string[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX + start))
      .map((key) => key.slice(PREFIX.length));
  } catch {
    return [];
  }
}

/** Random, unlike crypto.randomUUID also on a page that came over plain HTTP. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
