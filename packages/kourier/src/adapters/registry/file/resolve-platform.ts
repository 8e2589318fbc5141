import { withoutEndSlashes } from '@agentkourier/a2a/without-end-slashes';
import type { ChatPlatform } from '../../../ports/registry.ts';
import type { Checked } from './documents.ts';
import { quoted, type Report } from './problem.ts';
import { resolveSecret, type SecretFault } from './resolve-secret.ts';
import type { SecretReference, Secrets } from './secrets.ts';
import { type Say, speaker } from './speaker.ts';

interface SlackSpec {
  readonly mode: 'socket' | 'http';
  readonly botTokenSecretRef: SecretReference;
  readonly appTokenSecretRef?: SecretReference;
  readonly signingSecretRef?: SecretReference;
  readonly apiUrl?: string;
}

type Reference = 'botTokenSecretRef' | 'appTokenSecretRef' | 'signingSecretRef';

const SLACK_API = 'https://slack.com/api/';

/** What each value looks like, and where in the app's settings it stands. */
const SHAPES: Readonly<Record<Reference, { readonly pattern: RegExp; readonly is: string; readonly write: string }>> = {
  botTokenSecretRef: {
    pattern: /^xoxb-[\w-]{8,512}$/,
    is: 'no bot token',
    write: 'write the Bot User OAuth Token, which begins with xoxb- (app settings: OAuth & Permissions)',
  },
  appTokenSecretRef: {
    pattern: /^xapp-[\w-]{8,512}$/,
    is: 'no app-level token',
    write: 'write the one that begins with xapp- (app settings: Basic Information, App-Level Tokens)',
  },
  signingSecretRef: {
    pattern: /^(?!xox|xapp-)[\x21-\x7e]{16,256}$/,
    is: 'no signing secret',
    write: 'write the Signing Secret (app settings: Basic Information, App Credentials)',
  },
};

const slackSpec = ({ value }: Checked): SlackSpec => (value['spec'] as { readonly slack: SlackSpec }).slack;

/** The references that the mode uses. The other mode's may stand there: then the mode is changed by one word. */
export function platformReferences(document: Checked): readonly SecretReference[] {
  const spec = slackSpec(document);
  return [spec.botTokenSecretRef, spec[secondOf(spec)]].filter((reference) => reference !== undefined);
}

const secondOf = ({ mode }: SlackSpec): 'appTokenSecretRef' | 'signingSecretRef' =>
  mode === 'socket' ? 'appTokenSecretRef' : 'signingSecretRef';

/** What is wrong with it is reported; the values are never named. */
export function resolvePlatform(document: Checked, secrets: Secrets, report: Report): ChatPlatform {
  const spec = slackSpec(document);
  const say = speaker(document, report);
  if (document.name === 'web') say(['metadata', 'name'], 'web is the built-in platform', 'write another name');
  const app = {
    kind: 'slack',
    name: document.name,
    botToken: slackSecret('botTokenSecretRef', spec, secrets, say),
    apiUrl: `${withoutEndSlashes(spec.apiUrl ?? SLACK_API)}/`,
  } as const;
  const second = slackSecret(secondOf(spec), spec, secrets, say);
  return spec.mode === 'socket'
    ? { ...app, mode: 'socket', appToken: second }
    : { ...app, mode: 'http', signingSecret: second };
}

function slackSecret(key: Reference, spec: SlackSpec, secrets: Secrets, say: Say): string {
  const reference = spec[key];
  if (reference === undefined) {
    say(['spec', 'slack'], `slack.${key} is missing: mode ${spec.mode} needs it`, `add ${key}`);
    return '';
  }
  const { pattern, is, write } = SHAPES[key];
  const fault = (text: string): SecretFault | undefined =>
    pattern.test(text) ? undefined : { what: `is ${is}`, write };
  return resolveSecret(reference, ['spec', 'slack', key], { fault, secrets, say });
}

/** An app listens once: two platforms with one bot would both answer. */
export function checkOneApp(
  platforms: readonly { readonly document: Checked; readonly platform: ChatPlatform }[],
  report: Report,
): void {
  const first = new Map<string, Checked>();
  for (const { document, platform } of platforms) {
    const other = first.get(platform.botToken);
    if (other === undefined) first.set(platform.botToken, document);
    else if (platform.botToken !== '') {
      const place = `${other.file}:${other.line([])}`;
      const what = `its bot token is that of ChatPlatform ${quoted(other.name)} at ${place}`;
      speaker(document, report)(['spec', 'slack', 'botTokenSecretRef'], what, 'keep one of them');
    }
  }
}
