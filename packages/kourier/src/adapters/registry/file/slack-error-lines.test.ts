import { type RefusedTable, testRefused } from './fixtures/test-refused.ts';

const API = 'apiVersion: agentkourier.dev/v1alpha1';
const BACKEND = `${API}\nkind: AgentBackend\nmetadata: { name: research }\n`;
const BINDING = `${API}\nkind: Binding\nmetadata: { name: ops }\n`;
const PLATFORM = `${API}\nkind: ChatPlatform\nmetadata: { name: slack }\n`;
const SECRET = 'apiVersion: v1\nkind: Secret\nmetadata: { name: slack }\n';
const A2A = `${BACKEND}spec: { dialect: a2a, url: http://127.0.0.1:9001 }\n`;

/** A platform, and the Secret with its tokens in the document below it. */
function slack({
  mode = 'socket',
  bot = 'xoxb-hush-hush-hush',
  token = 'xapp-hush-hush-hush',
  app = APP_TOKEN,
}): string {
  const refs = `botTokenSecretRef: { name: slack, key: bot }${app === '' ? '' : `, ${app}`}`;
  return `${PLATFORM}spec: { slack: { mode: ${mode}, ${refs} } }\n---\n${SECRET}stringData: { bot: ${bot}, app: ${token} }\n`;
}
const APP_TOKEN = 'appTokenSecretRef: { name: slack, key: app }';
const onSlack = (chat: string): string =>
  `backend: research, identity: { userId: alice }, chat: { platform: slack, ${chat} }`;
const opsOnSlack = (chat: string): string => `${slack({})}---\n${A2A}---\n${BINDING}spec: { ${onSlack(chat)} }\n`;
const onSlackToo = (chat: string): string => `${BINDING.replace('name: ops', 'name: sre')}spec: { ${onSlack(chat)} }\n`;

const TABLE: RefusedTable = {
  'a misspelt platform': [
    `${opsOnSlack('channels: [C1]').replace('platform: slack', 'platform: slak')}`,
    'f.yaml:19: Binding ops: platform slak is not known; write slack',
  ],
  'a platform that is refused is no second mistake': [
    `${PLATFORM}spec: { slack: { mode: sockt } }\n---\n${A2A}---\n${BINDING}spec: { ${onSlack('channels: [C0OPS]')} }\n`,
    'f.yaml:4: ChatPlatform slack: slack.botTokenSecretRef is missing; add botTokenSecretRef',
    'f.yaml:4: ChatPlatform slack: slack.mode is not known; write socket',
  ],
  'slack without a place': [
    opsOnSlack('directMessages: false, channels: []'),
    'f.yaml:19: Binding ops: chat has no channels and no directMessages; add one: channels: [C…]',
  ],
  'the name of a channel in place of its id': [
    opsOnSlack('channels: [C0OPS, "#ops", D0DIRECT, c0ops]'),
    ...['[1] #ops', '[2] D0DIRECT', '[3] c0ops'].map(
      (channel) =>
        `f.yaml:19: Binding ops: chat.channels${channel} is no id of a channel; write the channel's id, as C0123ABCD (in Slack: the channel's name, About, at the end)`,
    ),
  ],
  'the name of a bot in place of its id': [
    opsOnSlack('channels: [C0OPS], bots: { allowed: [B0OTHER, deploys, U0DEPLOYS] }'),
    'f.yaml:19: Binding ops: chat.bots.allowed[1] deploys is no id of a bot; write its bot id, as B0123ABCD, or its member id, as U0123ABCD',
  ],
  'no turns for a bot': [
    opsOnSlack('channels: [C0OPS], bots: { allowed: [B0OTHER], turnsInARow: 0 }'),
    'f.yaml:19: Binding ops: chat.bots.turnsInARow must be >= 1; correct it',
  ],
  'a channel twice': [
    opsOnSlack('channels: [C0OPS, G0SECRET, C0OPS]'),
    'f.yaml:19: Binding ops: channel C0OPS stands here twice; keep one of them',
  ],
  'a channel of two bindings': [
    `${opsOnSlack('channels: [C0OPS]')}---\n${onSlackToo('channels: [C0SRE, C0OPS]')}`,
    'f.yaml:24: Binding sre: channel C0OPS of platform slack already belongs to Binding ops at f.yaml:19; keep it in one of them',
  ],
  'direct messages of two bindings': [
    `${opsOnSlack('channels: [C0OPS], directMessages: true')}---\n${onSlackToo('directMessages: true')}`,
    'f.yaml:24: Binding sre: direct messages of platform slack already belong to Binding ops at f.yaml:19; keep it in one of them',
  ],

  'mode socket without its token': [
    slack({ app: '' }),
    'f.yaml:4: ChatPlatform slack: slack.appTokenSecretRef is missing: mode socket needs it; add appTokenSecretRef',
  ],
  'mode http without its secret': [
    slack({ mode: 'http' }),
    'f.yaml:4: ChatPlatform slack: slack.signingSecretRef is missing: mode http needs it; add signingSecretRef',
  ],
  'the tokens of an app mixed up': [
    slack({ bot: 'xapp-hush-hush-hush', token: 'xoxb-hush-hush-hush' }),
    'f.yaml:4: ChatPlatform slack: the value of secret slack, key bot, is no bot token; write the Bot User OAuth Token, which begins with xoxb- (app settings: OAuth & Permissions)',
    'f.yaml:4: ChatPlatform slack: the value of secret slack, key app, is no app-level token; write the one that begins with xapp- (app settings: Basic Information, App-Level Tokens)',
  ],
  'a token of a person, and one with a blank in it': [
    slack({ bot: 'xoxp-hush-hush-hush', token: 'xapp-hush hush-hush' }),
    'f.yaml:4: ChatPlatform slack: the value of secret slack, key bot, is no bot token; write the Bot User OAuth Token, which begins with xoxb- (app settings: OAuth & Permissions)',
    'f.yaml:4: ChatPlatform slack: the value of secret slack, key app, is no app-level token; write the one that begins with xapp- (app settings: Basic Information, App-Level Tokens)',
  ],
  'a token in place of the signing secret': [
    slack({ mode: 'http', app: 'signingSecretRef: { name: slack, key: app }' }),
    'f.yaml:4: ChatPlatform slack: the value of secret slack, key app, is no signing secret; write the Signing Secret (app settings: Basic Information, App Credentials)',
  ],
  'an unknown secret of an app': [
    slack({ app: 'appTokenSecretRef: { name: slack, key: aap }' }),
    'f.yaml:4: ChatPlatform slack: secret slack has no key aap; write app',
  ],
  'the built-in name': [
    slack({}).replace('name: slack }', 'name: web }'),
    'f.yaml:3: ChatPlatform web: web is the built-in platform; write another name',
  ],
  'one app as two platforms': [
    `${slack({})}---\n${slack({}).split('---\n')[0]?.replace('name: slack }', 'name: other }')}`,
    'f.yaml:14: ChatPlatform other: its bot token is that of ChatPlatform slack at f.yaml:1; keep one of them',
  ],
  'a misspelt chat platform': [
    `${PLATFORM}spec:\n  slack: { mode: sockt, botTokenSecretRef: { name: slack, key: bot-token } }\n`,
    'f.yaml:5: ChatPlatform slack: slack.mode is not known; write socket',
  ],
};

testRefused(TABLE);
