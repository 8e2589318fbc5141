import { LIMITS } from '../../../core/limits.ts';
import type { Failure } from '../../../ports/agent.ts';
import { unknown } from './failures.ts';

/**
 * How much has come of what is not whole yet, over every call: each frame has its limit, and many at once have one
 * together, so that a crowd of large ones cannot take all memory. Whoever finds no room tries again later.
 */
export class Unfinished {
  #held = 0;

  /** One call's share of it, 0 to begin with. */
  share(): Share {
    let mine = 0;
    const set = (size: number): void => {
      const counted = size > LIMITS.smallFrameBytes ? size : 0;
      this.#held += counted - mine;
      mine = counted;
    };
    return {
      grow: (size) => {
        const grows = size > mine;
        set(size);
        return mine > 0 && grows && this.#held > LIMITS.unfinishedBytes ? NO_ROOM : undefined;
      },
      end: () => set(0),
    };
  }
}

export interface Share {
  /** It has come to so much: the failure when there is no room for it. */
  grow(size: number): Failure | undefined;
  end(): void;
}

const NO_ROOM = unknown('agents send more at once than there is room for');
