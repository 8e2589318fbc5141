import type { Timings } from '../core/timings.ts';

/** The configuration as it stands: what files or custom resources say, resolved and checked. Immutable. */
export interface Configuration {
  readonly bindings: ReadonlyMap<string, Binding>;
  /** By name. The built-in web is none of them. */
  readonly platforms: ReadonlyMap<string, ChatPlatform>;
  readonly timings: Timings;
  /** Where the store is to be; only read at the start. */
  readonly store: StoreChoice;
}

export type Binding = BindingOfThreads & BindingAgent;

/** Who answers its threads. */
export type BindingAgent = ToBackend | ToSpace;

/** The agent is named. */
interface ToBackend {
  readonly backend: Backend;
  /** kagent-v1 only. */
  readonly agent?: { readonly namespace: string; readonly name: string };
  readonly identity: Identity;
  readonly space?: undefined;
}

/** Each thread gets an agent of a Space, and keeps it. All are called through its gateway, which speaks a2a. */
interface ToSpace {
  readonly space: SpaceConnection & { readonly pick: SpacePick };
  readonly backend?: undefined;
  readonly agent?: undefined;
  readonly identity?: undefined;
}

/** `agent`: this one. `skill`: one who has it. `message`: whom the first message of the thread is for. */
export type SpacePick =
  | { readonly by: 'agent'; readonly agentId: string }
  | { readonly by: 'skill'; readonly skillId: string }
  | { readonly by: 'message' };

export interface SpaceConnection {
  readonly name: string;
  /** Of the gateway, as written. */
  readonly url: string;
  /** Of the Space. */
  readonly id: string;
  /** Who the courier is to the Space. Never logged. */
  readonly key?: string;
}

interface BindingOfThreads {
  readonly name: string;
  readonly chat: BindingChat;
  /** Absent: the binding does not allow it (rules M4, Q9). */
  readonly interactions: {
    readonly questions?: { readonly timeoutMs: number };
    readonly toolApprovals?: { readonly timeoutMs: number; readonly approvers?: readonly string[] };
  };
  /** Ways in for other programs, beside Alertmanager's; absent: shut. The secret signs each event, and is never logged. */
  readonly hooks?: { readonly generic?: { readonly secret: string } };
}

/** What a binding answers in. On web, all threads that are opened with it. */
export interface BindingChat {
  /** `web`, or the name of a `ChatPlatform`. */
  readonly platform: string;
  /** The platform's ids of channels; no other binding of the platform has one of them. Empty on web. */
  readonly channels: readonly string[];
  /** Direct messages to the app: of one binding of a platform at most. False on web. */
  readonly directMessages: boolean;
  /** Other bots whose mentions begin turns, by the platform's ids; absent: none do. Absent on web. */
  readonly bots?: {
    readonly allowed: readonly string[];
    /** Of a thread, without a person's message in between. */
    readonly turnsInARow: number;
  };
}

/** One app in one Slack workspace. Tokens and secret are never logged. */
export type ChatPlatform = SlackApp &
  (
    | { readonly mode: 'socket'; readonly appToken: string }
    /** Slack calls us: every call is signed with this. */
    | { readonly mode: 'http'; readonly signingSecret: string }
  );

interface SlackApp {
  readonly kind: 'slack';
  /** The document's name: the platform's id. (Its display name is Slack.) */
  readonly name: string;
  readonly botToken: string;
  /** With a slash at its end, as `https://slack.com/api/`. */
  readonly apiUrl: string;
}

export interface Backend {
  readonly name: string;
  readonly dialect: 'a2a' | 'kagent-v1';
  /** As written. */
  readonly url: string;
  /** `AgentBackend.spec.card.url` (decision 1). */
  readonly cardUrl?: string;
  /** Static headers on every call; values from secrets are resolved. Never logged. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly egress: 'direct' | 'public';
}

/** Exactly one. The token is a secret: never logged. */
export type Identity = { readonly token: string } | { readonly userId: string };

export type StoreChoice =
  | { readonly kind: 'sqlite'; readonly path?: string }
  | { readonly kind: 'postgres'; readonly url: string };

export interface Registry {
  /** The last good configuration. */
  current(): Configuration;
  /** Calls back after each change that was taken up; the function returned ends it. */
  watch(changed: (configuration: Configuration) => void): () => void;
  /** Why the newest change was refused, one line each (`FILE:LINE: what; remedy`); empty when `current` is the newest. */
  problems(): readonly string[];
}
