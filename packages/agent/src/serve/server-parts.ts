import type { Awaitable } from '../store/task-store.ts';
import type { Dialect } from './dialect.ts';
import type { Format } from './format.ts';
import type { Outcome, Perform } from './operations.ts';
import type { Sink } from './sink.ts';

/** What a binding needs of its server. */
export interface ServerParts {
  readonly perform: Perform;
  /** The versions that are spoken here, by what a request asks for. */
  readonly dialects: ReadonlyMap<string, Dialect>;
  /** Performs and delivers; what is thrown becomes an error in the binding's format, and a bug a constant one. */
  answer(sink: Sink, format: Format, perform: () => Awaitable<Outcome>): Awaitable<void>;
}
