import type { Message } from './model.ts';
import { calledIn } from './people/seen.ts';
import { streamBytes } from './stream-content.ts';
import type { World } from './world.ts';

/** What must hold of everything that the app has posted, whatever went wrong on the way. */
export class Audit {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Messages of the app, wherever they stand. */
  get ours(): readonly Message[] {
    const all = [...this.#world.channels.values()].flatMap(({ messages }) => messages);
    return all.filter(({ app, deleted }) => app?.id === this.#world.app.id && !deleted);
  }

  /** Messages of one thread that carry the same marker: one thing that a person reads twice. */
  get doubled(): readonly (readonly Message[])[] {
    const marked = Map.groupBy(
      this.ours.filter(({ metadata }) => metadata !== undefined),
      ({ channel, threadTs, metadata }) => JSON.stringify([channel, threadTs, metadata]),
    );
    return [...marked.values()].filter(({ length }) => length > 1);
  }

  /** Messages of ours without a marker: nothing would find them again. */
  get unmarked(): readonly Message[] {
    return this.ours.filter(({ metadata }) => metadata === undefined);
  }

  /** Streams that still run. */
  get streaming(): readonly Message[] {
    return this.ours.filter(({ stream }) => stream?.state === 'streaming');
  }

  /** Whom the app's messages call: people, groups, `channel`, `here`, `everyone` (decision 17). */
  get called(): readonly string[] {
    return [...new Set(this.ours.flatMap(calledIn))];
  }

  /** The largest stream, in bytes. */
  get streamedBytes(): number {
    return Math.max(0, ...this.ours.map(({ stream }) => (stream === undefined ? 0 : streamBytes(stream))));
  }
}
