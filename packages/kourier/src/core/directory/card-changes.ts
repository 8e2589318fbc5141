import { isJson, listOf } from './json.ts';
import { DIRECTORY_LIMITS } from './limits.ts';
import type { CardChange, Json } from './registered-agent.ts';
import { sameJson } from './same-json.ts';

/**
 * What differs between two cards, member by member. Skills, interfaces and extensions are told apart by their id, URL or
 * URI, so that one that moved, or one before it that is gone, changes nothing else. A path counts elements as the later
 * card does, that of one that was removed as the earlier did. Past `cardChanges` the last one, of `$`, counts the rest.
 */
export function cardChanges(before: Json, after: Json): readonly CardChange[] {
  const changes = new Changes();
  compare(before, after, { path: '$', depth: DIRECTORY_LIMITS.cardChangeDepth }, changes);
  return changes.list();
}

interface Place {
  readonly path: string;
  readonly depth: number;
}

class Changes {
  readonly #changes: CardChange[] = [];
  #more = 0;

  /** A side that is `undefined` was not there. */
  add(path: string, before: unknown, after: unknown): void {
    if (this.#changes.length >= DIRECTORY_LIMITS.cardChanges) {
      this.#more += 1;
      return;
    }
    const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
    this.#changes.push({
      path: cut(path),
      kind,
      ...(before === undefined ? {} : { before: cut(JSON.stringify(before)) }),
      ...(after === undefined ? {} : { after: cut(JSON.stringify(after)) }),
    });
  }

  list(): readonly CardChange[] {
    if (this.#more === 0) return this.#changes;
    return [...this.#changes, { path: '$', kind: 'changed', after: JSON.stringify(`${this.#more} more changes`) }];
  }
}

function compare(before: unknown, after: unknown, { path, depth }: Place, into: Changes): void {
  if (sameJson(before, after, depth)) return;
  if (depth > 0 && isJson(before) && isJson(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const [old, now] = [ownOf(before, name), ownOf(after, name)];
      compare(old, now, { path: memberPath(path, name), depth: depth - 1 }, into);
    }
    return;
  }
  const identity = Array.isArray(before) && Array.isArray(after) ? identityOf([before, after]) : undefined;
  if (depth === 0 || identity === undefined) return into.add(path, before, after);
  compareLists([listOf(before), listOf(after)], identity, { path, depth }, into);
}

type Identity = (item: unknown) => string | undefined;

/** Elements that are told apart by a name of their own. */
function compareLists(
  [before, after]: readonly [readonly unknown[], readonly unknown[]],
  identity: Identity,
  { path, depth }: Place,
  into: Changes,
): void {
  const placesOf = (list: readonly unknown[]): ReadonlyMap<string | undefined, number> =>
    new Map(list.map((item, at) => [identity(item), at]));
  const [old, now] = [placesOf(before), placesOf(after)];
  for (const [name, at] of now) {
    const was = old.get(name);
    const place = { path: `${path}[${at}]`, depth: depth - 1 };
    if (was === undefined) into.add(place.path, undefined, after[at]);
    else compare(before[was], after[at], place, into);
  }
  for (const [name, at] of old) if (!now.has(name)) into.add(`${path}[${at}]`, before[at], undefined);
  const [stayed, stays] = [
    [...old.keys()].filter((name) => now.has(name)),
    [...now.keys()].filter((name) => old.has(name)),
  ];
  // Which interface comes first is which one the agent prefers.
  if (stayed.some((name, at) => name !== stays[at])) into.add(path, stayed, stays);
}

/** By what each element of the lists is told from the others in its own; the first that tells all apart. */
const IDENTITIES: readonly Identity[] = [
  ...['id', 'uri', 'url'].map((name) => (item: unknown) => textOf(item, name)),
  (item) => {
    const url = textOf(item, 'url');
    if (url === undefined) return undefined;
    const how = ['protocolBinding', 'transport', 'protocolVersion', 'tenant'].map((name) => textOf(item, name));
    return [url, ...how.filter((word) => word !== undefined)].join(' ');
  },
];

function identityOf(lists: readonly (readonly unknown[])[]): Identity | undefined {
  return IDENTITIES.find((identity) =>
    lists.every((list) => {
      const names = new Set(list.map(identity));
      return names.size === list.length && !names.has(undefined);
    }),
  );
}

function textOf(item: unknown, name: string): string | undefined {
  const value = isJson(item) ? ownOf(item, name) : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Not what every object inherits. */
function ownOf(value: Json, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function memberPath(path: string, name: string): string {
  return /^[A-Za-z_$][\w$-]*$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
}

function cut(text: string): string {
  const most = DIRECTORY_LIMITS.cardChangeCharacters;
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
