import type { Edited, Found, NotDone, Place, Post, Posted, Poster, PostRef } from '../src/ports/poster.ts';
import type { Life } from './machine.ts';
import type { Platform } from './platform.ts';
import type { Prng } from './prng.ts';
import type { Setting } from './setting.ts';
import { simLayout } from './sim-layout.ts';
import type { PlatformFaults } from './swarm.ts';

/** An adapter gives up a call after this long: then nobody knows. */
const CALL_MS = 10_000;
/** A late request arrives up to so long after it was made: within `checkAfterMs` of a repeat, not always within `settleMs`. */
const LATEST_POST_MS = 30_000;
/** What says something else, by so much that it cannot arrive when it is in doubt no more (`doubtMs`, less the store's word). */
const LATEST_EDIT_MS = 20_000;

/** What the auditor sees of the calls that a process makes, at the moment at which it makes them. */
export interface PostWatcher {
  posting(life: Life, key: string): void;
  editing(life: Life, ref: PostRef): void;
}

type Lost = { readonly kind: 'unknown'; readonly why: string };

const UNKNOWN: Lost = { kind: 'unknown', why: 'connection lost' };

/** One process' way to the platform. What is on its way when the process dies still arrives. */
export class SimPoster implements Poster {
  readonly platform = 'sim';
  readonly #setting: Setting;
  readonly #life: Life;
  readonly #platform: Platform;
  readonly #watcher: PostWatcher;
  readonly #chances: Prng;

  constructor(setting: Setting, life: Life, platform: Platform, watcher: PostWatcher) {
    this.#setting = setting;
    this.#life = life;
    this.#platform = platform;
    this.#watcher = watcher;
    this.#chances = setting.chances('poster');
  }

  layout: Poster['layout'] = simLayout;

  post: Poster['post'] = (place, { key, says }) => {
    this.#note(`posts ${key} in ${place}: ${says}`);
    this.#watcher.posting(this.#life, key);
    return this.#write<Posted>(key, LATEST_POST_MS, () => {
      if (isRefused(key, this.#faults)) return { kind: 'refused', why: 'the platform does not want this' };
      return { kind: 'posted', ref: this.#platform.post(place, key, says) };
    });
  };

  edit: Poster['edit'] = (_, ref, { key, says }) => {
    this.#note(`edits ${ref} ${key}: ${says}`);
    this.#watcher.editing(this.#life, ref);
    const { nowMs } = this.#setting.scheduler;
    return this.#write<Edited>(key, LATEST_EDIT_MS, () => ({
      kind: this.#platform.edit(ref, says, nowMs) ? 'edited' : 'gone',
    }));
  };

  remove: Poster['remove'] = (_, ref) => {
    this.#note(`removes ${ref}`);
    this.#watcher.editing(this.#life, ref);
    return this.#write<Edited>(ref, LATEST_EDIT_MS, () => ({ kind: this.#platform.remove(ref) ? 'edited' : 'gone' }));
  };

  find: Poster['find'] = async (place, key, sinceMs) => {
    // The platform's clock is the true one; what a process says of the past is not looked at too closely.
    const found = await this.#write<Found>(key, CALL_MS, () => ({
      kind: 'found',
      refs: this.#platform.find(place, key, 0),
    }));
    if (found.kind === 'found' && found.refs.length > 0) this.#setting.mark('post-found');
    this.#note(
      `looks for ${key} since ${sinceMs}: ${found.kind === 'found' ? found.refs.join(' ') || 'none' : found.kind}`,
    );
    return found.kind === 'unknown' ? { kind: 'not-done', why: found.why } : found;
  };

  open: Poster['open'] = async (channel: Place, post: Post) => {
    const posted = await this.post(channel, post);
    if (posted.kind === 'posted') this.#setting.mark('thread-opened-there');
    return posted.kind === 'posted' ? { ...posted, place: below(channel, posted.ref) } : posted;
  };

  get #faults(): PlatformFaults {
    const { platform } = this.#setting.swarm;
    if (!platform) throw new Error('there is no platform in this run');
    return platform;
  }

  /** Resolves once; never when the process is gone. */
  #write<Answer>(about: string, latestMs: number, effect: () => Answer): Promise<Answer | NotDone | Lost> {
    return new Promise((resolve) => {
      let isWaiting = true;
      const answer = (result: Answer | NotDone | Lost) => {
        if (!isWaiting) return;
        isWaiting = false;
        callOff();
        if (this.#life.alive) resolve(result);
      };
      const callOff = this.#setting.scheduler.after(CALL_MS, () => answer(UNKNOWN));
      this.#send(latestMs, () => this.#act(about, effect), answer);
    });
  }

  #act<Answer>(about: string, effect: () => Answer): Answer {
    if (!this.#life.alive) this.#setting.mark('late-post-of-the-dead');
    this.#setting.trace.note(this.#life.name, `${about} arrives`);
    return effect();
  }

  #send<Answer>(latestMs: number, act: () => Answer, answer: (result: Answer | NotDone | Lost) => void): void {
    const { mark } = this.#setting;
    const { limited, lostBefore, lostAfter, ...lates } = this.#faults;
    const late = latestMs === LATEST_EDIT_MS ? lates.lateEdits : lates.late;
    if (this.#chances.chance(limited)) {
      mark('post-limited');
      return this.#later(() =>
        answer({ kind: 'not-done', retryAfterMs: this.#chances.between(0, 20_000), why: '429' }),
      );
    }
    if (this.#chances.chance(lostBefore)) {
      mark('post-lost-before');
      // Some connections break, some only fall silent.
      return this.#chances.chance(0.5) ? this.#later(() => answer(UNKNOWN)) : undefined;
    }
    if (this.#chances.chance(lostAfter)) {
      mark('post-lost-after');
      return this.#later(() => {
        act();
        this.#later(() => answer(UNKNOWN));
      });
    }
    if (this.#chances.chance(late)) {
      mark('post-late');
      if (latestMs === LATEST_EDIT_MS || this.#chances.chance(0.5)) this.#later(() => answer(UNKNOWN));
      this.#setting.scheduler.after(this.#chances.between(0, latestMs), () => answer(act()));
      return;
    }
    this.#later(() => {
      const result = act();
      this.#later(() => answer(result));
    });
  }

  #later(run: () => void): void {
    this.#setting.scheduler.after(this.#chances.between(...this.#faults.latencyMs), run);
  }

  #note(what: string): void {
    this.#setting.trace.note(this.#life.name, what);
  }
}

/** Threads of a place are named after it; a message that opened one names the thread below it. */
export const below = (channel: Place, ref: PostRef): Place => `${channel}/${ref}`;

/** The same messages for ever. */
export function isRefused(key: string, { refused }: PlatformFaults): boolean {
  if (refused === 0) return false;
  let hash = 0;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return ((hash >>> 8) % 1_000) / 1_000 < refused;
}
