import type { Clock } from '../../../../ports/clock.ts';
import type { PostRef } from '../../../../ports/poster.ts';
import { Recent } from '../recent.ts';
import { SLACK } from '../slack-limits.ts';

/** Messages that are being edited at once, more or less. */
const MESSAGES = 1_000;
const SLOWER_EVERY = 20;

/** How often a message's live text may be edited: ever more seldom, and not without end (case C173). */
export class EditPace {
  readonly #clock: Clock;
  readonly #edited = new Recent<{ readonly times: number; readonly nextMs: number }>(MESSAGES);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `undefined`: no more live text for this message. */
  nextMs(ref: PostRef): number | undefined {
    const { times, nextMs } = this.#edited.get(ref) ?? { times: 0, nextMs: 0 };
    return times < SLACK.liveEdits ? nextMs : undefined;
  }

  note(ref: PostRef): void {
    const times = (this.#edited.get(ref)?.times ?? 0) + 1;
    const everyMs = SLACK.liveEditEveryMs * (1 + Math.floor(times / SLOWER_EVERY));
    this.#edited.set(ref, { times, nextMs: this.#clock.now() + everyMs });
  }
}
