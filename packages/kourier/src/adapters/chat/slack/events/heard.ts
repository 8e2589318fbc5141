/** A message that a person wrote, or another bot. */
export interface HeardMessage {
  readonly kind: 'message';
  readonly channel: string;
  /** A conversation of one person with the app. */
  readonly direct: boolean;
  readonly ts: string;
  /** Of the thread that it stands in, or begins: never empty (case C160). */
  readonly threadTs: string;
  /** Of a bot without a user its id. */
  readonly user: string;
  /** Absent: a person wrote it. */
  readonly bot?: { readonly id: string; readonly name?: string };
  /** It names the app. */
  readonly mention: boolean;
  /** As `plainText` has it, with a line about what was attached and cannot be carried. */
  readonly text: string;
  readonly clientMsgId?: string;
}

/** What an event of Slack is to us. */
export type Heard =
  | HeardMessage
  /** The native stop button of a thread. */
  | {
      readonly kind: 'stop-pressed';
      readonly channel: string;
      readonly threadTs: string;
      readonly user: string;
      /** Names this press: it may come twice, and the second must not stop what came after. */
      readonly press: string;
    }
  /** The app was taken out of the workspace, or its token was. */
  | { readonly kind: 'revoked'; readonly why: string }
  /** `why`: in our words, for the log. */
  | { readonly kind: 'ignored'; readonly why: string };

/** What an envelope or a request body of the Events API is. */
export type HeardEnvelope =
  /** Slack asks whether this is us, when the address is configured. */
  | { readonly kind: 'challenge'; readonly challenge: string }
  /** `team`: the workspaces that it may be for, ours among them or not. */
  | { readonly kind: 'event'; readonly teams: readonly string[]; readonly heard: Heard; readonly messageTs?: MessageTs }
  | { readonly kind: 'ignored'; readonly why: string };

/** Any message that came by, also one that is ignored: it shows that the connection hears (case C170). */
export interface MessageTs {
  readonly channel: string;
  readonly ts: string;
}
