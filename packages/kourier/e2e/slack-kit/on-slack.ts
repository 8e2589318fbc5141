import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { FakeSlack } from '../../contract/slack/fake-slack.ts';
import { TEAM } from '../../contract/slack/world.ts';
import type { Mode } from '../process/slack-product.ts';

type Document = Readonly<Record<string, unknown>> & { readonly kind: string };

const PLATFORM = 'slack';
const API = { apiVersion: 'agentkourier.dev/v1alpha1' };

/** The person that somebody of the web is on Slack. */
export const slackUser = (id: string): string => id.toUpperCase();

/** The channel of a binding. */
export function channelOf(binding: string): string {
  return `C${createHash('sha256').update(binding).digest('hex').slice(0, 16).toUpperCase()}`;
}

/**
 * A configuration whose bindings answer on the web, written into another folder so that each answers in a channel of its
 * own. Gives how many they are.
 */
export function writeOnSlack(from: string, to: string, slack: FakeSlack, mode: Mode): number {
  mkdirSync(to, { recursive: true });
  let bindings = 0;
  for (const file of readdirSync(from)) {
    const documents = parseAllDocuments(readFileSync(join(from, file), 'utf8')).map((each) => each.toJS() as Document);
    bindings += documents.filter(({ kind }) => kind === 'Binding').length;
    write(
      join(to, file),
      documents.map((each) => (each.kind === 'Binding' ? bindingOnSlack(each, slack) : each)),
    );
  }
  const { app, apiUrl } = slack;
  const ref = (key: string) => ({ name: PLATFORM, key });
  const way = mode === 'socket' ? { appTokenSecretRef: ref('app') } : { signingSecretRef: ref('signing') };
  const spec = { mode, apiUrl, botTokenSecretRef: ref('bot'), ...way };
  write(join(to, 'chat-platform.yaml'), [
    { ...API, kind: 'ChatPlatform', metadata: { name: PLATFORM }, spec: { slack: spec } },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: PLATFORM },
      stringData: { bot: app.botToken, app: app.appToken, signing: app.signingSecret },
    },
  ]);
  return bindings;
}

interface BindingDocument {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly interactions?: { readonly toolApprovals?: { readonly approvers?: readonly string[] } } };
}

function bindingOnSlack(document: Document, { world }: FakeSlack): Document {
  const { metadata, spec } = document as unknown as BindingDocument;
  const channel = channelOf(metadata.name);
  const members = [world.app.botUserId];
  if (!world.channels.has(channel)) world.addChannel({ id: channel, name: metadata.name, kind: 'public', members });
  const approvals = spec.interactions?.toolApprovals;
  const toolApprovals = approvals && {
    ...approvals,
    ...(approvals.approvers && { approvers: approvals.approvers.map(slackUser) }),
  };
  const interactions = spec.interactions && { ...spec.interactions, ...(toolApprovals && { toolApprovals }) };
  return {
    ...document,
    spec: { ...spec, chat: { platform: PLATFORM, channels: [channel] }, ...(interactions && { interactions }) },
  };
}

/** Somebody who takes part in a channel, as what is known of them says. */
export function takesPart({ world }: FakeSlack, channel: string, actor: Actor): string {
  const id = slackUser(actor.id);
  const name = actor.name ?? '';
  const email = actor.email === undefined ? {} : { email: actor.email };
  world.people.set(id, {
    id,
    teamId: TEAM,
    name: actor.id,
    realName: name,
    displayName: name,
    kind: 'member',
    ...email,
  });
  world.channel(channel).members.add(id);
  return id;
}

export interface Actor {
  readonly id: string;
  readonly name?: string;
  readonly email?: string;
}

function write(path: string, documents: readonly object[]): void {
  writeFileSync(path, documents.map((each) => JSON.stringify(each)).join('\n---\n'));
}
