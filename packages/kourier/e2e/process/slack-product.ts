import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type FakeSlack, fakeSlack } from '../../contract/slack/fake-slack.ts';
import type { Seen } from '../../contract/slack/people/seen.ts';
import { CHANNELS, PEOPLE } from '../../contract/slack/town.ts';
import type { ChatPlatform } from '../../src/ports/registry.ts';
import { clockFor } from './clock-for.ts';
import { folderFor, ProductProcess } from './product-process.ts';

const API = { apiVersion: 'agentkourier.dev/v1alpha1' };
const SOON = {
  streamDropDelay: '50ms',
  followBackoffInitial: '50ms',
  followBackoffMax: '200ms',
  retryBackoffInitial: '50ms',
  retryBackoffMax: '200ms',
};

export type Mode = ChatPlatform['mode'];

/** The product in a process of its own, on a fake Slack, with one agent in the channel `ops`. Ada may approve, and the bot `Deploys` may ask. */
export class SlackProduct {
  readonly slack: FakeSlack;
  readonly #t: TestContext;
  readonly #mode: Mode;
  readonly #args: readonly string[];
  #product: ProductProcess | undefined;

  private constructor(t: TestContext, slack: FakeSlack, mode: Mode, args: readonly string[]) {
    this.#t = t;
    this.slack = slack;
    this.#mode = mode;
    this.#args = args;
  }

  static async start(t: TestContext, mode: Mode, agentUrl: string): Promise<SlackProduct> {
    const clock = clockFor(t);
    const slack = await fakeSlack({ clock });
    const folder = folderFor(t);
    const file = join(folder, 'kourier.yaml');
    const documents = documentsFor(slack, mode, agentUrl).map((document) => JSON.stringify(document));
    writeFileSync(file, documents.join('\n---\n'));
    const stage = new SlackProduct(t, slack, mode, ['--config', file, '--data', join(folder, 'data')]);
    t.after(() => slack.close());
    await stage.startAgain();
    return stage;
  }

  get product(): ProductProcess {
    assert.ok(this.#product);
    return this.#product;
  }

  /** Ready when this resolves. */
  async startAgain(): Promise<void> {
    this.#product = await ProductProcess.start(this.#t, ...this.#args);
    const { url } = this.#product;
    const urls = { events: `${url}/slack/events`, interactivity: `${url}/slack/interactivity` };
    this.slack.deliverTo(this.#mode === 'http' ? urls : undefined);
  }

  /** What is read of the app in the thread under a message, oldest first. */
  ours(root: { readonly ts: string }): readonly Seen[] {
    return this.slack.messages(CHANNELS.ops, root.ts).filter(({ ours }) => ours);
  }

  /** The first message of the app in the thread that is as wanted. */
  shown(root: { readonly ts: string }, is: (seen: Seen) => boolean): Promise<Seen> {
    return this.slack.until(() => this.ours(root).find(is));
  }

  /** Ends it as it should end, and looks at all that it has ever posted: nothing twice, nobody called, nothing open. */
  async end(): Promise<void> {
    this.product.signal('SIGTERM');
    assert.equal(await this.product.ended(), 0, this.product.err.join('\n'));
    const { doubled, called, unmarked, streaming } = this.slack.audit;
    assert.deepEqual(
      { doubled, called, unmarked, streaming },
      { doubled: [], called: [], unmarked: [], streaming: [] },
    );
  }
}

function documentsFor({ app, apiUrl }: FakeSlack, mode: Mode, agentUrl: string): readonly object[] {
  const ref = (key: string) => ({ name: 'slack', key });
  const way = mode === 'socket' ? { appTokenSecretRef: ref('app') } : { signingSecretRef: ref('signing') };
  const binding = {
    backend: 'agent',
    identity: { userId: 'kourier' },
    chat: { platform: 'slack', channels: [CHANNELS.ops], directMessages: true, bots: { allowed: ['B0OTHER'] } },
    interactions: {
      questions: { timeout: '1h' },
      toolApprovals: { timeout: '1h', approvers: [PEOPLE.ada] },
    },
  };
  const slack = { mode, apiUrl, botTokenSecretRef: ref('bot'), ...way };
  const stringData = { bot: app.botToken, app: app.appToken, signing: app.signingSecret };
  return [
    { ...API, kind: 'Settings', metadata: { name: 'settings' }, spec: { timings: SOON } },
    { ...API, kind: 'ChatPlatform', metadata: { name: 'slack' }, spec: { slack } },
    { ...API, kind: 'AgentBackend', metadata: { name: 'agent' }, spec: { dialect: 'a2a', url: agentUrl } },
    { ...API, kind: 'Binding', metadata: { name: 'ops' }, spec: binding },
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'slack' }, stringData },
  ];
}
