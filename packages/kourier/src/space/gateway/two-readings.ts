import type { JsonObject } from '@agentkourier/a2a/json-value';

/** The request, its params, the message or the configuration in them; nothing deeper is judged. */
const JUDGED_DEPTH = 4;

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
/** What closes them comes two after. */
const BRACE = 0x7b;
const BRACKET = 0x5b;
const WHITE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Whether an object that the gateway judges has a member twice, in valid JSON. Readers differ in which of them counts: the
 * agent may take the one that was not judged.
 */
export function hasRepeatedMember(json: string): boolean {
  const names: (Set<string> | undefined)[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(json, at);
      if (names.length <= JUDGED_DEPTH && isName(json, end + 1)) {
        const name = String(JSON.parse(json.slice(at, end + 1)));
        const known = names.at(-1);
        if (known?.has(name)) return true;
        known?.add(name);
      }
      at = end;
    } else if (code === BRACE || code === BRACKET) names.push(names.length < JUDGED_DEPTH ? new Set() : undefined);
    else if (code === BRACE + 2 || code === BRACKET + 2) names.pop();
  }
  return false;
}

function endOfString(json: string, begin: number): number {
  for (let end = json.indexOf('"', begin + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let before = end - 1;
    while (json.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return json.length;
}

function isName(json: string, after: number): boolean {
  let at = after;
  while (WHITE.has(json.charCodeAt(at))) at += 1;
  return json.charCodeAt(at) === COLON;
}

/**
 * A member that some readers take for one of `names`, and that the gateway did not judge as that: protocol buffers read
 * `task_id` as `taskId`, others read `TaskID` so.
 */
export function disguisedName(value: JsonObject, names: readonly string[]): string | undefined {
  const folded = new Map(names.map((name) => [fold(name), name]));
  return Object.keys(value).find((key) => (folded.get(fold(key)) ?? key) !== key);
}

/** Alike for readers that mind neither case nor dashes, in whatever letters: the long s is one, too. */
export const fold = (name: string): string => name.normalize('NFKC').replace(/[_-]/g, '').toLowerCase();
