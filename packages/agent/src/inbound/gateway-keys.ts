import { type CardKey, verificationKeys } from '@agentkourier/a2a/signature/keys';
import { readBoundedJson } from '../egress/read-bounded-json.ts';
import { INBOUND_LIMITS } from '../limits.ts';

/** The keys among which a key id selects; throws when they cannot be had. */
export type KeysFor = (keyId: string) => Promise<readonly CardKey[]>;

/** Throws a TypeError when there is no key among them. */
export function givenKeys(jwks: object): KeysFor {
  const keys = keysIn(jwks);
  return async () => keys;
}

export interface FetchedKeysOptions {
  readonly url: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * The keys at an address: asked for when they are wanted, again when they are old, and again for an id that is not among
 * them, though not more often than `INBOUND_LIMITS.keysRefetchMs`. Old ones do not count: a key may have been withdrawn.
 * Throws a TypeError for an address over which others could hand in their own.
 */
export function fetchedKeys({ url, fetch, now }: FetchedKeysOptions): KeysFor {
  judgeAddress(url);
  let held: { readonly keys: readonly CardKey[]; readonly atMs: number } | undefined;
  let failure: unknown;
  let triedAtMs = Number.NEGATIVE_INFINITY;
  let trying: Promise<void> | undefined;

  const isWithin = (sinceMs: number, limitMs: number): boolean => now() >= sinceMs && now() - sinceMs < limitMs;
  const fresh = (): readonly CardKey[] | undefined =>
    held !== undefined && isWithin(held.atMs, INBOUND_LIMITS.keysMaxAgeMs) ? held.keys : undefined;
  const load = async (): Promise<void> => {
    const atMs = now();
    triedAtMs = atMs;
    try {
      held = { keys: await fetchKeys(url, fetch), atMs };
    } catch (error) {
      failure = error;
    }
    trying = undefined;
  };

  return async (keyId) => {
    if (fresh()?.some(({ id }) => id === keyId) !== true) {
      if (trying === undefined && !isWithin(triedAtMs, INBOUND_LIMITS.keysRefetchMs)) trying = load();
      await trying;
    }
    const keys = fresh();
    if (keys === undefined) throw new Error(`the gateway's keys cannot be had from ${url}`, { cause: failure });
    return keys;
  };
}

async function fetchKeys(url: string, fetch: FetchedKeysOptions['fetch']): Promise<readonly CardKey[]> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(INBOUND_LIMITS.keysFetchMs),
  });
  if (response.status === 200) return keysIn(await readBoundedJson(response, INBOUND_LIMITS.keysBytes));
  await response.body?.cancel();
  throw new Error(`HTTP ${response.status}`);
}

function keysIn(jwks: unknown): readonly CardKey[] {
  const reading = verificationKeys(jwks);
  if (reading.kind === 'unusable') throw new TypeError(`the gateway's keys cannot be used: ${reading.why}`);
  return reading.value;
}

function judgeAddress(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:') return;
  const isLocal = url !== undefined && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (isLocal && url.protocol === 'http:') return;
  throw new TypeError('keysUrl must be https, or http on loopback: over any other way give the keys themselves');
}
