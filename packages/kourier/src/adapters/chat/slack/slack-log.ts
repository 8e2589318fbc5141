/** One line of the log: never a token, a person's words or an agent's. Must not block and must not throw. */
export type SlackLog = (level: 'debug' | 'info' | 'warn' | 'error', line: SlackLine) => void;

export interface SlackLine {
  readonly event: `slack-${string}`;
  /** The platform's id. */
  readonly platform: string;
  readonly why?: string;
  readonly [detail: string]: unknown;
}

const WHY_CHARACTERS = 300;

/** An error in words for the log. */
export function whyOf(error: unknown): string {
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return words.slice(0, WHY_CHARACTERS);
}
