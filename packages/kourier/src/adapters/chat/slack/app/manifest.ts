import { SCOPES } from './scopes.ts';

export interface ManifestChoice {
  readonly name: string;
  /** Where Slack calls: with it the app is in mode http, without in mode socket. No slash at its end. */
  readonly url?: string;
}

const EVENTS = [
  'agent_session_stopped',
  'app_home_opened',
  'app_mention',
  'app_uninstalled',
  'message.channels',
  'message.groups',
  'message.im',
  'message.mpim',
  'tokens_revoked',
];

/** What Slack makes the app from: https://docs.slack.dev/reference/app-manifest. */
export function slackManifest({ name, url }: ManifestChoice): Readonly<Record<string, unknown>> {
  const calledAt = (path: string): object => (url === undefined ? {} : { request_url: `${url}${path}` });
  return {
    display_information: { name, description: 'Carries conversations to AI agents', background_color: '#1f2937' },
    features: {
      app_home: { home_tab_enabled: false, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      bot_user: { display_name: name, always_online: true },
      agent_view: {
        agent_description: 'Carries what you write to an AI agent, and its answer back to you.',
        suggested_prompts: [{ title: 'What can you do?', message: 'What can you do?' }],
      },
    },
    oauth_config: { scopes: { bot: Object.keys(SCOPES) } },
    settings: {
      event_subscriptions: { ...calledAt('/slack/events'), bot_events: EVENTS },
      interactivity: { is_enabled: true, ...calledAt('/slack/interactivity') },
      org_deploy_enabled: false,
      socket_mode_enabled: url === undefined,
      token_rotation_enabled: false,
    },
  };
}
