import type { Shape } from './shape.ts';

export type PersonKind = 'member' | 'guest' | 'bot';

export interface Person {
  readonly id: string;
  /** Another one than the app's: somebody who came through Slack Connect. */
  readonly teamId: string;
  readonly name: string;
  readonly realName: string;
  /** May be empty, as many people leave it. */
  readonly displayName: string;
  readonly email?: string;
  readonly kind: PersonKind;
}

export type ChannelKind = 'public' | 'private' | 'im' | 'mpim';

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly kind: ChannelKind;
  readonly members: Set<string>;
  /** Other workspaces take part: Slack Connect. */
  readonly shared: boolean;
  readonly createdMs: number;
  archived: boolean;
  readonly messages: Message[];
}

export interface Metadata {
  readonly event_type: string;
  readonly event_payload: Shape;
}

export interface Message {
  readonly channel: string;
  readonly ts: string;
  /** The root's, also where this is the root once it has replies; absent: no thread. */
  readonly threadTs?: string;
  readonly user: string;
  readonly teamId: string;
  /** An app wrote it. */
  readonly app?: { readonly id: string; readonly botId: string; readonly name: string };
  readonly clientMsgId?: string;
  readonly files: readonly Shape[];
  readonly reactions: Map<string, Set<string>>;
  /** Selections that people made in its blocks, `block_id` → `action_id` → value. */
  readonly state: Map<string, Map<string, Shape>>;
  /** Reading methods do not show it before. */
  visibleAtMs: number;
  subtype?: string;
  text: string;
  blocks: readonly Shape[];
  attachments: readonly Shape[];
  metadata?: Metadata;
  edited?: { readonly user: string; readonly ts: string };
  stream?: Stream;
  deleted: boolean;
}

export type StreamPart =
  | { readonly kind: 'text'; text: string }
  | { readonly kind: 'task'; readonly id: string }
  | { readonly kind: 'blocks'; readonly blocks: readonly Shape[] };

export interface StreamTask {
  readonly id: string;
  title: string;
  status: string;
  details: string;
  output: string;
  sources: readonly Shape[];
}

/** `died`: Slack ended it, as it does after five minutes. */
export type StreamState = 'streaming' | 'completed' | 'died' | 'stopped-by-user';

export interface Stream {
  /** What the first call with content used; absent: none has yet. */
  mode?: 'chunks' | 'markdown';
  readonly displayMode: string;
  readonly recipientUser?: string;
  readonly startedMs: number;
  state: StreamState;
  planTitle?: string;
  readonly parts: StreamPart[];
  readonly tasks: Map<string, StreamTask>;
}

export interface App {
  readonly id: string;
  readonly name: string;
  readonly botId: string;
  readonly botUserId: string;
  readonly botToken: string;
  readonly appToken: string;
  readonly signingSecret: string;
  readonly verificationToken: string;
  /** Declared as an agent: sessions, and the native stop button. */
  readonly isAgent: boolean;
  readonly scopes: Set<string>;
  /** Bot events that the app subscribed to. */
  readonly events: Set<string>;
}

export interface View {
  readonly id: string;
  readonly user: string;
  readonly rootId: string;
  /** As the app sent it. */
  given: Shape;
  hash: string;
}

export interface Trigger {
  readonly user: string;
  readonly expiresMs: number;
  used: boolean;
}

export interface ResponseUrl {
  readonly channel: string;
  readonly ts: string;
  readonly user: string;
  readonly expiresMs: number;
  usesLeft: number;
}
