import type { FakeSlack } from '../../contract/slack/fake-slack.ts';
import type { Message } from '../../contract/slack/model.ts';
import type { Seen } from '../../contract/slack/people/seen.ts';
import { type Shape, shapesIn, textIn } from '../../contract/slack/shape.ts';
import type { Entry, RequestEntry } from '../../src/core/thread/entry.ts';
import { type Actor, channelOf, takesPart } from './on-slack.ts';

/** What a call of the kit gets. */
export interface Answered {
  readonly status: number;
  readonly body: string;
}

export interface GivenOnWeb {
  readonly actor: Actor;
  readonly answers?: readonly (readonly string[])[];
  readonly approvals?: readonly { readonly id: string; readonly approved: boolean }[];
}

/** Does on Slack what was to be done over the web. */
export class SlackPeople {
  readonly #slack: FakeSlack;
  readonly #roots = new Map<string, Message>();
  /** Resolves with the next thread whose first turn begins. */
  readonly #begun: () => Promise<string>;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(slack: FakeSlack, begun: () => Promise<string>) {
    this.#slack = slack;
    this.#begun = begun;
  }

  knows(thread: string): boolean {
    return this.#roots.has(thread);
  }

  /** The new thread's id. One at a time, so that whose thread began is known. */
  open(binding: string, actor: Actor, text: string): Promise<string> {
    const channel = channelOf(binding);
    return this.#alone(async () => {
      const user = takesPart(this.#slack, channel, actor);
      const begun = this.#begun();
      const root = this.#slack.people.mention(channel, user, text);
      const thread = await begun;
      this.#roots.set(thread, root);
      return thread;
    });
  }

  /** An alert is no person: its turn begins where the product shows it. */
  alert(binding: string, notify: () => Promise<Answered>): Promise<Answered> {
    const { until, world } = this.#slack;
    return this.#alone(async () => {
      const begun = this.#begun();
      const answered = await notify();
      const { thread = '' } = JSON.parse(answered.body) as { thread?: string };
      if (answered.status !== 202 || this.knows(thread)) return answered;
      await begun;
      const { messages } = world.channel(channelOf(binding));
      const root = await until(() => messages.find(({ app }) => app?.id === world.app.id));
      this.#roots.set(thread, root);
      return answered;
    });
  }

  /** Accepted when this resolves. */
  say(thread: string, actor: Actor, text: string, mention: boolean): Promise<void> {
    const root = this.#root(thread);
    return this.#alone(async () => {
      const { people, until, deliveries } = this.#slack;
      const user = takesPart(this.#slack, root.channel, actor);
      const said = people[mention ? 'mention' : 'say'](root.channel, user, text, { thread: root.ts });
      await until(() => deliveries.of(said.ts).every(({ state }) => state === 'acknowledged'));
    });
  }

  async stop(thread: string, actor: Actor): Promise<void> {
    const { until, world, people } = this.#slack;
    const { channel, ts } = this.#root(thread);
    const user = takesPart(this.#slack, channel, actor);
    await until(() => world.sessions.get(`${channel}/${ts}`)?.status === 'processing');
    people.stop(channel, ts, user);
  }

  /** Presses what decides all at once where there is such a button, else fills the modal. False where that is not taken. */
  async answer(thread: string, request: RequestEntry, given: GivenOnWeb): Promise<boolean> {
    const { people, until, world } = this.#slack;
    const user = takesPart(this.#slack, this.#root(thread).channel, given.actor);
    const prompt = await until(() => this.#prompt(thread, request));
    const decisive = decisiveButton(prompt, request, given);
    if (decisive !== undefined) return (await people.click(prompt.message, decisive, user)) === 'taken';
    const opener = prompt.buttons.find(({ actionId }) => /\.(?:decide|answer)$/.test(actionId))?.actionId ?? '';
    await people.click(prompt.message, opener, user);
    const view = await until(() =>
      world.viewsOf(user).find(({ given: shown }) => shown['private_metadata'] === request.id),
    );
    const fields = shapesIn(view.given, 'blocks').filter(({ type }) => type === 'input');
    return (await people.submit(view, values(fields, request, given), user)).kind === 'closed';
  }

  /** Resolves when there is nothing to press for it any more. */
  async settled(thread: string, request: RequestEntry): Promise<void> {
    await this.#slack.until(() => this.#prompt(thread, request) === undefined);
  }

  /** Whether somebody can answer it. */
  isAsked(thread: string, request: RequestEntry): boolean {
    return this.#prompt(thread, request) !== undefined;
  }

  /** Whether the thread shows what the courier wrote in it, each once, and nothing goes on in it; else what it shows. */
  isWhole(thread: string, entries: readonly Entry[]): true | string {
    const wanted = entries.flatMap((entry) => (entry.kind === 'answer' || entry.kind === 'notice' ? [entry.text] : []));
    const { channel, ts } = this.#root(thread);
    const seen = this.#slack.messages(channel, ts).filter(({ ours }) => ours);
    const shown = seen.map(({ text }) => text);
    const isOver = seen.every(({ streaming, buttons }) => !streaming && buttons.length === 0);
    const isWhole = wanted.every((each) => times(each, shown) === times(each, wanted));
    return (isOver && isWhole) || JSON.stringify(seen.map(({ text, streaming }) => (streaming ? `${text}…` : text)));
  }

  #prompt(thread: string, { id }: RequestEntry): Seen | undefined {
    const { channel, ts } = this.#root(thread);
    const shown = this.#slack.messages(channel, ts);
    return shown.find(({ buttons }) => buttons.some(({ value }) => value === id));
  }

  #root(thread: string): Message {
    const root = this.#roots.get(thread);
    if (root === undefined) throw new Error(`no thread ${thread}`);
    return root;
  }

  #alone<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(act);
    this.#turn = done.catch(() => undefined);
    return done;
  }
}

const times = (part: string, texts: readonly string[]): number => texts.join('\n').split(part.trim()).length - 1;

function decisiveButton({ buttons }: Seen, request: RequestEntry, given: GivenOnWeb): string | undefined {
  const ending = (end: string) => buttons.find(({ actionId }) => actionId.endsWith(end))?.actionId;
  const { answers: [[answer] = []] = [], approvals } = given;
  if (approvals === undefined) {
    const place = request.questions[0]?.choices.indexOf(answer ?? '') ?? -1;
    return request.questions.length === 1 && place >= 0 ? ending(`.choose.${place}`) : undefined;
  }
  if (approvals.every(({ approved }) => approved)) return ending('.approve');
  return approvals.every(({ approved }) => !approved) ? ending('.deny') : undefined;
}

function values(fields: readonly Shape[], request: RequestEntry, { answers, approvals }: GivenOnWeb) {
  return Object.fromEntries(
    fields.map((field, place) => {
      const id = textIn(field, 'block_id') ?? '';
      if (approvals !== undefined) {
        const approved = approvals.find((each) => each.id === request.tools[place]?.id)?.approved;
        return [id, approved === true ? 'approve' : 'deny'];
      }
      const given = answers?.[place] ?? [];
      const { choices = [], multiple = false } = request.questions[place] ?? {};
      const chosen = choices.length === 0 ? given : given.map((each) => String(choices.indexOf(each)));
      return [id, multiple ? chosen : (chosen[0] ?? '')];
    }),
  );
}
