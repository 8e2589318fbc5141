import type { App } from './model.ts';

/** Everything that the manifest asks for (slack.md 1.5). */
export const SCOPES = [
  'app_mentions:read',
  'assistant:write',
  'channels:history',
  'channels:read',
  'chat:write',
  'groups:history',
  'groups:read',
  'im:history',
  'im:read',
  'im:write',
  'mpim:history',
  'mpim:read',
  'reactions:write',
  'team:read',
  'users:read',
  'users:read.email',
] as const;

export const EVENTS = [
  'app_mention',
  'app_home_opened',
  'agent_session_stopped',
  'assistant_thread_started',
  'assistant_thread_context_changed',
  'message.channels',
  'message.groups',
  'message.im',
  'message.mpim',
] as const;

export interface AppOptions {
  /** Instead of all that the manifest asks for. */
  readonly scopes?: readonly string[];
  readonly events?: readonly string[];
  /** Declared as an agent. True unless told. */
  readonly isAgent?: boolean;
}

export function makeApp({ scopes = SCOPES, events = EVENTS, isAgent = true }: AppOptions): App {
  return {
    id: 'A0KOURIER',
    name: 'Kourier',
    botId: 'B0KOURIER',
    botUserId: 'U0KOURIER',
    botToken: 'xoxb-fake-bot-token',
    appToken: 'xapp-fake-app-token',
    signingSecret: 'fake-signing-secret',
    verificationToken: 'fake-verification-token',
    isAgent,
    scopes: new Set(scopes),
    events: new Set(events),
  };
}
