/** JSON as Slack sends it: any member may be missing or another thing than it should be. */
export type Json = Readonly<Record<string, unknown>>;

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `undefined` where there is no object. */
export function jsonIn(json: Json | undefined, name: string): Json | undefined {
  const value = json?.[name];
  return isJson(value) ? value : undefined;
}

/** The objects of a list; empty where there is none. */
export function listIn(json: Json | undefined, name: string): readonly Json[] {
  const value = json?.[name];
  return Array.isArray(value) ? value.filter(isJson) : [];
}

/** `undefined` where there is no text, or an empty one (case C160). */
export function textIn(json: Json | undefined, name: string): string | undefined {
  const value = json?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** `undefined` where the text is no JSON object. */
export function parsedJson(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
