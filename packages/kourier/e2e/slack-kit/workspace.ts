import { join } from 'node:path';
import { type FakeSlack, fakeSlack } from '../../contract/slack/fake-slack.ts';
import type { RequestEntry } from '../../src/core/thread/entry.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Mode } from '../process/slack-product.ts';
import type { Timeline } from '../process/thread-client.ts';
import { type Actor, writeOnSlack } from './on-slack.ts';
import { type Answered, type GivenOnWeb, SlackPeople } from './slack-people.ts';

/** A call of the kit. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

interface Written {
  readonly actor: Actor;
  readonly text: string;
  readonly binding?: string;
  readonly mention?: boolean;
}

/**
 * The Slack of one product, and the people on it, there whatever becomes of the product. What the kit does over the web
 * is done here by people, and what it reads is the product's own timeline, as people know it. From the first double or
 * ping on the Slack no timeline is had any more.
 */
export class Workspace {
  readonly #slack: FakeSlack;
  readonly #mode: Mode;
  readonly #people: SlackPeople;
  /** Where each request was read. */
  readonly #read = new Map<string, string>();
  #begun = Promise.withResolvers<string>();
  #url = '';
  #bindings = 0;

  private constructor(slack: FakeSlack, mode: Mode) {
    this.#slack = slack;
    this.#mode = mode;
    this.#people = new SlackPeople(slack, () => {
      this.#begun = Promise.withResolvers<string>();
      return this.#begun.promise;
    });
  }

  static async open(mode: Mode, clock: Clock): Promise<Workspace> {
    return new Workspace(await fakeSlack({ clock, rateLimits: false }), mode);
  }

  /** Writes the configuration that puts the product on this Slack; its folder. */
  configure(config: string, data: string): string {
    const folder = join(data, 'on-slack');
    this.#bindings = writeOnSlack(config, folder, this.#slack, this.#mode);
    return folder;
  }

  /** From now on the product is there. */
  ready(url: string): void {
    this.#url = url;
    const urls = { events: `${url}/slack/events`, interactivity: `${url}/slack/interactivity` };
    this.#slack.deliverTo(this.#mode === 'http' ? urls : undefined);
  }

  /** A turn of the thread began. */
  began(thread: string): void {
    if (!this.#people.knows(thread)) this.#begun.resolve(thread);
  }

  async answer(asked: Asked): Promise<Answered> {
    const { method, path, body } = asked;
    if (method !== 'POST') return this.#shown(path);
    const [, area, , kind = '', id = '', what] = path.split('/');
    if (area === 'hooks') return this.#people.alert(kind, () => this.#passedOn(asked));
    if (kind === 'requests') return { status: await this.#decided(id, JSON.parse(body) as GivenOnWeb), body: '{}' };
    const { actor, text, binding = '', mention = true } = JSON.parse(body) as Written;
    if (id === '') {
      const thread = await this.#people.open(binding, actor, text);
      return { status: 201, body: JSON.stringify({ thread }) };
    }
    if (what === 'stop') await this.#people.stop(id, actor);
    else await this.#people.say(id, actor, text, mention);
    return { status: 202, body: '{}' };
  }

  close(): Promise<void> {
    return this.#slack.close();
  }

  /** As the product answers; the requests in it are remembered. */
  async #shown(path: string): Promise<Answered> {
    const { doubled, called } = this.#slack.audit;
    if (doubled.length + called.length > 0) throw new Error(`on Slack: ${JSON.stringify({ doubled, called })}`);
    const answered = await this.#passedOn({ method: 'GET', path, body: '' });
    if (!path.startsWith('/api/v1/threads/') || answered.status !== 200) return answered;
    const timeline = JSON.parse(answered.body) as Timeline;
    for (const { kind, id } of timeline.entries) if (kind === 'request') this.#read.set(id, path);
    return { ...answered, body: JSON.stringify(this.#asSeen(timeline)) };
  }

  /**
   * Nobody is asked before they can answer, and a thread is not idle before they see it whole; where the product has one
   * binding: in a crowd what is shown is late, because an app may call Slack only so often.
   */
  #asSeen(timeline: Timeline): object {
    if (this.#bindings > 1) return timeline;
    const { id: thread, status } = timeline;
    const people = this.#people;
    const entries = timeline.entries.filter(
      (entry) => entry.kind !== 'request' || entry.state !== 'open' || people.isAsked(thread, entry),
    );
    const seen = { ...timeline, entries };
    if (status !== 'idle') return seen;
    const whole = people.isWhole(thread, entries);
    return whole === true ? seen : { ...seen, status: `idle, and Slack shows ${whole}` };
  }

  async #passedOn({ method, path, body }: Asked): Promise<Answered> {
    const posted = method === 'POST' ? { body, headers: { 'content-type': 'application/json' } } : {};
    const response = await fetch(this.#url + path, { method, ...posted });
    return { status: response.status, body: await response.text() };
  }

  /** The status with which the product would have answered over the web. */
  async #decided(id: string, given: GivenOnWeb): Promise<number> {
    const { thread, entry } = await this.#requestOf(id);
    if (entry.state !== 'open') {
      await this.#people.settled(thread, entry);
      return 409;
    }
    if (!(await this.#people.answer(thread, entry, given))) return 422;
    return (await this.#requestOf(id)).entry.answer === undefined ? 403 : 202;
  }

  async #requestOf(id: string): Promise<{ thread: string; entry: RequestEntry }> {
    const { body } = await this.#passedOn({ method: 'GET', path: this.#read.get(id) ?? '', body: '' });
    const { id: thread, entries } = JSON.parse(body) as Timeline;
    const entry = entries.find((each): each is RequestEntry => each.kind === 'request' && each.id === id);
    if (entry === undefined) throw new Error(`no request ${id}`);
    return { thread, entry };
  }
}
