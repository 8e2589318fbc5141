import { type CryptoKey, createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { ACCESS_LIMITS } from '../../../core/access/limits.ts';
import type { Clock } from '../../../ports/clock.ts';
import { IssuerUnavailable } from '../../../ports/space/authenticate.ts';
import type { TokenIssuer } from '../../../ports/space/space-configuration.ts';
import { type FetchJson, fetchKeySet } from './fetch-key-set.ts';

export interface IssuerOutside {
  readonly fetch: FetchJson;
  readonly clock: Clock;
  /** Hears of each reading of keys that failed, so that stale keys are not used in silence. */
  readonly failed: (failure: IssuerUnavailable) => void;
}

interface KeySet {
  readonly find: (...asked: Parameters<JWTVerifyGetKey>) => Promise<CryptoKey>;
  readonly readAt: number;
}

/**
 * The keys of one issuer. They are read again when they are no longer fresh or when a token names a key that is not among
 * them, and never more often than `issuerKeysRetryMs`, however many calls want them. While the issuer does not answer,
 * those that were read last are used until they are stale.
 */
export class IssuerKeys {
  readonly #issuer: TokenIssuer;
  readonly #outside: IssuerOutside;
  #set: KeySet | undefined;
  #tried: { readonly at: number; readonly failure?: IssuerUnavailable } | undefined;
  #reading: Promise<void> | undefined;

  constructor(issuer: TokenIssuer, outside: IssuerOutside) {
    this.#issuer = issuer;
    this.#outside = outside;
  }

  /** The key that a token names. Rejects with `IssuerUnavailable`, and with an error of jose when there is no such key. */
  readonly find: KeySet['find'] = async (...asked) => {
    const set = await this.#usable();
    try {
      return await set.find(...asked);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
    }
    await this.#readAgain();
    if (this.#tried?.failure !== undefined) throw this.#tried.failure;
    return (this.#set ?? set).find(...asked);
  };

  async #usable(): Promise<KeySet> {
    if (!this.#isYounger(this.#set?.readAt, ACCESS_LIMITS.issuerKeysFreshMs)) {
      const reading = this.#readAgain();
      const isUsable = this.#isYounger(this.#set?.readAt, ACCESS_LIMITS.issuerKeysStaleMs);
      // An issuer that failed may take long to fail again: nobody waits for that who has keys.
      if (!(isUsable && this.#tried?.failure)) await reading;
    }
    if (this.#set !== undefined && this.#isYounger(this.#set.readAt, ACCESS_LIMITS.issuerKeysStaleMs)) return this.#set;
    throw this.#tried?.failure ?? new IssuerUnavailable(this.#issuer.name, 'it has no keys yet');
  }

  /** A time ahead of the clock, which may have been set back, is never young. */
  #isYounger(at: number | undefined, thanMs: number): boolean {
    const age = at === undefined ? -1 : this.#outside.clock.now() - at;
    return age >= 0 && age < thanMs;
  }

  /** One reading at a time, for all who want it. Never rejects. */
  #readAgain(): Promise<void> {
    if (this.#reading !== undefined) return this.#reading;
    if (this.#isYounger(this.#tried?.at, ACCESS_LIMITS.issuerKeysRetryMs)) return Promise.resolve();
    this.#reading = this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    const { fetch, clock, failed } = this.#outside;
    const late = new AbortController();
    const callOff = clock.wakeAt(clock.now() + ACCESS_LIMITS.issuerAnswerMs, () => late.abort());
    try {
      const find = createLocalJWKSet(await fetchKeySet(this.#issuer, fetch, late.signal));
      this.#set = { find, readAt: clock.now() };
      this.#tried = { at: clock.now() };
    } catch (error) {
      const why = late.signal.aborted
        ? `no answer within ${ACCESS_LIMITS.issuerAnswerMs} ms`
        : 'what it gave is no key set';
      const failure = error instanceof IssuerUnavailable ? error : new IssuerUnavailable(this.#issuer.name, why);
      this.#tried = { at: clock.now(), failure };
      failed(failure);
    } finally {
      callOff();
    }
  }
}
