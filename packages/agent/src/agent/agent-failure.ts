/** Why a turn failed, in the words that a caller can act on. */
export type FailureCategory = 'context-limit' | 'rate-limit' | 'authentication' | 'timeout' | 'permission';

const PUBLIC_TEXT: Readonly<Record<FailureCategory, string>> = {
  'context-limit': 'The agent failed: the context limit was reached.',
  'rate-limit': 'The agent failed: a rate limit was reached.',
  authentication: 'The agent failed: authentication failed.',
  timeout: 'The agent failed: something it waited for timed out.',
  permission: 'The agent failed: it lacks a permission.',
};

/**
 * Thrown by a turn to fail its task with a reason that the caller may know. `category` and `code` are sent as the
 * status message's metadata (`error_code` and `code`, contract rule E8); `cause` and any other detail stay private.
 */
export class AgentFailure extends Error {
  override readonly name = 'AgentFailure';
  readonly code: string | undefined;
  readonly category: FailureCategory | undefined;

  constructor(
    reason: { code?: string | undefined; category?: FailureCategory | undefined } = {},
    options?: ErrorOptions,
  ) {
    super(reason.category ?? reason.code ?? 'failed', options);
    this.code = reason.code;
    this.category = reason.category;
  }
}

/** What a caller reads: constant, whatever was thrown. */
export function publicText(category: FailureCategory | undefined): string {
  return category === undefined ? 'The agent failed.' : PUBLIC_TEXT[category];
}
