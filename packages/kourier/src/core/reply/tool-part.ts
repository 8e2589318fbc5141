import { LIMITS } from '../limits.ts';
import type { Part } from './agent-event.ts';

/** A tool call or its result, as the frameworks that write one mark it (rule T1). */
export interface ToolPart {
  readonly kind: 'call' | 'result';
  /** The call's id, which its result repeats. */
  readonly callId?: string;
  readonly name: string;
  /** A call's arguments, or what a result returned. */
  readonly content: unknown;
  /** Equal for parts that say the same, whatever the order of their keys. */
  readonly says: string;
}

const KEYS = ['adk_type', 'kagent_type', 'kagent.dev/a2a/part-type'] as const;
const KINDS: ReadonlyMap<unknown, ToolPart['kind']> = new Map([
  ['function_call', 'call'],
  ['function_response', 'result'],
]);

/** `undefined` for every other part: it stays unread. */
export function toolPart(part: Part): ToolPart | undefined {
  const kind = kindOf(part);
  if (kind === undefined || part.kind !== 'data' || !isRecord(part.data)) return undefined;
  const { data } = part;
  const { id, name, args, response } = data;
  if (!isName(name)) return undefined;
  return {
    kind,
    ...(typeof id === 'string' && id !== '' && id.length <= LIMITS.idCharacters ? { callId: id } : {}),
    name,
    content: kind === 'call' ? args : response,
    says: `${kind} ${sortedJson(data)}`,
  };
}

/** The same, at no cost of what the part says. */
export const isToolPart = (part: Part): boolean =>
  kindOf(part) !== undefined && part.kind === 'data' && isRecord(part.data) && isName(part.data['name']);

function kindOf(part: Part): ToolPart['kind'] | undefined {
  if (part.kind !== 'data' || !part.metadata) return undefined;
  const { metadata } = part;
  const [key, ...others] = KEYS.filter((name) => Object.hasOwn(metadata, name));
  return key === undefined || others.length > 0 ? undefined : KINDS.get(metadata[key]);
}

const isName = (name: unknown): name is string => typeof name === 'string' && name !== '';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    isRecord(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
  );
}
