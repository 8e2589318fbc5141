import type { Finding } from '../../../../ports/finding.ts';
import type { Binding, ChatPlatform } from '../../../../ports/registry.ts';
import { type AskSlack, askSlack, type SlackAnswer } from './ask-slack.ts';
import { diagnoseApprovers, diagnoseChannel } from './diagnose-places.ts';
import { diagnoseScopes } from './diagnose-scopes.ts';
import type { Said } from './said.ts';

/**
 * Whether an app can do what these bindings of it ask: its tokens, scopes, channels and approvers. It reads only: no
 * message is posted, and no connection is opened.
 */
export async function diagnoseSlack(platform: ChatPlatform, bindings: readonly Binding[]): Promise<readonly Finding[]> {
  const say: Said = (verdict, what, todo) => finding(verdict, `platform ${platform.name}: ${what}`, todo);
  const ask = askSlack(platform.apiUrl, platform.botToken);
  const self = await ask('auth.test');
  const reach = plainText(platform.apiUrl)
    ? [
        say(
          'warn',
          `${platform.apiUrl} is not https: the tokens cross the network in plain text`,
          'write https in apiUrl',
        ),
      ]
    : [];
  if (self.kind !== 'ok')
    return [...reach, botTokenFinding(platform, self, say), ...(await connection(platform, undefined, say))];
  const { user, team } = self.result;
  const bot = String(user);
  const scopes = diagnoseScopes(self.result.response_metadata?.scopes, bindings, say);
  const appId = await appIdOf(ask, self.result['bot_id']);
  const places = bindings.flatMap(({ name, chat }) =>
    chat.channels.map((channel) => diagnoseChannel(ask, { binding: name, channel, bot }, say)),
  );
  const approvers = bindings.map((binding) => diagnoseApprovers(ask, binding, say));
  return [
    ...reach,
    say('ok', `the bot token is good: @${bot} in ${String(team)}`),
    ...scopes,
    ...(await connection(platform, appId, say)),
    ...(await Promise.all(places)),
    ...(await Promise.all(approvers)).flat(),
  ];
}

function finding(verdict: Finding['verdict'], what: string, todo?: string): Finding {
  return { verdict, what, ...(todo === undefined ? {} : { todo }) };
}

function plainText(apiUrl: string): boolean {
  const { protocol, hostname } = new URL(apiUrl);
  return protocol === 'http:' && !/^(127\.|localhost$|\[::1\]$)/.test(hostname);
}

function botTokenFinding({ apiUrl }: ChatPlatform, answer: Exclude<SlackAnswer, { kind: 'ok' }>, say: Said): Finding {
  if (answer.kind === 'unreachable')
    return say('fail', `${apiUrl} cannot be reached: ${answer.why}`, 'open the way to it, or correct apiUrl');
  return say(
    'fail',
    `the bot token is refused: ${answer.error}`,
    'install the app, and put its Bot User OAuth Token into the secret (app settings: OAuth & Permissions)',
  );
}

/** Needs a scope of its own: without an answer it is not compared. */
async function appIdOf(ask: AskSlack, botId: unknown): Promise<string | undefined> {
  if (typeof botId !== 'string') return undefined;
  const answer = await ask('bots.info', { bot: botId });
  const bot = answer.kind === 'ok' ? (answer.result['bot'] as { readonly app_id?: unknown } | undefined) : undefined;
  return typeof bot?.app_id === 'string' ? bot.app_id : undefined;
}

async function connection(platform: ChatPlatform, appId: string | undefined, say: Said): Promise<readonly Finding[]> {
  if (platform.mode === 'http')
    return [
      say(
        'ok',
        'mode http: whether the signing secret is right shows when Slack calls',
        'let Slack reach POST /slack/events and /slack/interactivity, and save both Request URLs while kourier up runs',
      ),
    ];
  // As an app token is written: xapp-1-APP-…
  const tokenApp = /^xapp-\d+-(A[A-Z0-9]+)-/.exec(platform.appToken)?.[1];
  if (tokenApp !== undefined && appId !== undefined && tokenApp !== appId)
    return [say('fail', `the app token is of app ${tokenApp}, the bot token of ${appId}`, 'take both from one app')];
  const answer = await askSlack(platform.apiUrl, platform.appToken)('apps.connections.open');
  if (answer.kind === 'ok') return [say('ok', 'the app token opens Socket Mode')];
  if (answer.kind === 'unreachable')
    return [say('fail', `Socket Mode cannot be asked for: ${answer.why}`, 'open the way to Slack, or correct apiUrl')];
  const todo =
    answer.error === 'missing_scope'
      ? 'give it the scope connections:write (app settings: Basic Information, App-Level Tokens)'
      : 'turn Socket Mode on, and put an App-Level Token with connections:write into the secret (app settings: Basic Information)';
  return [say('fail', `the app token is refused: ${answer.error}`, todo)];
}
