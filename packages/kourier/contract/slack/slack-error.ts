import type { Shape } from './shape.ts';

/** An answer `ok: false`. Also thrown at a test that does what a person cannot do. */
export class SlackError extends Error {
  readonly code: string;
  /** What stands beside `error` in the answer. */
  readonly more: Shape;

  constructor(code: string, more: Shape = {}) {
    super(code);
    this.code = code;
    this.more = more;
  }
}

/** As Slack words a block or argument that it does not take: the code says little, the messages say where. */
export function invalid(code: string, message: string): SlackError {
  return new SlackError(code, { response_metadata: { messages: [`[ERROR] ${message}`] } });
}
