import type { Shape } from '../shape.ts';
import type { World } from '../world.ts';
import type { Arguments } from './arguments.ts';

/** One call under way. */
export interface Call {
  readonly args: Arguments;
  readonly world: World;
  /** A fault hides what is posted from the reading methods until then. */
  readonly visibleAtMs: number;
}

export interface Method {
  /** One of these is enough; none: every token of its kind may. */
  readonly scopes: readonly string[];
  readonly token?: 'app';
  /** Returns what stands beside `ok: true`; throws a SlackError. */
  run(call: Call): Shape;
}

export type Methods = Readonly<Record<string, Method>>;
