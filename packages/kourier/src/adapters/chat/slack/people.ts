import { LIMITS } from '../../../core/limits.ts';
import type { Actor } from '../../../core/thread/entry.ts';
import type { Clock } from '../../../ports/clock.ts';
import { HEARING } from './hearing-limits.ts';
import { jsonIn, textIn } from './json.ts';
import { Recent } from './recent.ts';
import type { SlackApi } from './slack-api.ts';

/** Who is who, as far as the app's scopes show it. */
export interface People {
  /** Never rejects and never takes long: the id alone where nothing else can be had in time. */
  actor(user: string): Promise<Actor>;
  /** What is known without asking. */
  nameOf(user: string): string | undefined;
}

interface Known {
  readonly actor: Actor;
  readonly untilMs: number;
}

/** Names are kept an hour (slack.md 1.9): `users.info` is limited, and every message needs one. */
export function slackPeople(api: SlackApi, clock: Clock): People {
  const known = new Recent<Known>(HEARING.people);
  const asking = new Map<string, Promise<Actor>>();

  async function ask(user: string): Promise<Actor> {
    const outcome = await api.call('users.info', { user });
    const found = outcome.kind === 'ok';
    const actor = found ? actorOf(user, outcome.body) : (known.get(user)?.actor ?? { id: user });
    const waitMs = found ? HEARING.personMs : Math.max(HEARING.personAgainMs, outcome.retryAfterMs ?? 0);
    known.set(user, { actor, untilMs: clock.now() + waitMs });
    asking.delete(user);
    return actor;
  }

  return {
    actor(user) {
      const fresh = known.get(user);
      if (fresh !== undefined && clock.now() < fresh.untilMs) return Promise.resolve(fresh.actor);
      const asked = asking.get(user) ?? ask(user);
      asking.set(user, asked);
      return inTime(asked, fresh?.actor ?? { id: user }, clock);
    },
    nameOf: (user) => known.get(user)?.actor.name,
  };
}

function inTime(asked: Promise<Actor>, otherwise: Actor, clock: Clock): Promise<Actor> {
  return new Promise((resolve) => {
    const calledOff = clock.wakeAt(clock.now() + HEARING.personWithinMs, () => resolve(otherwise));
    void asked.then((actor) => {
      calledOff();
      resolve(actor);
    });
  });
}

function actorOf(id: string, body: Readonly<Record<string, unknown>>): Actor {
  const user = jsonIn(body, 'user');
  const profile = jsonIn(user, 'profile');
  const names = [textIn(profile, 'display_name'), textIn(profile, 'real_name'), textIn(user, 'real_name')];
  const name = names.map(oneLine).find((each) => each !== '');
  const email = oneLine(textIn(profile, 'email'));
  return { id, ...(name === undefined ? {} : { name }), ...(email === '' ? {} : { email }) };
}

/** One line that closes no bracket, whatever somebody calls themselves; empty where there is nothing. */
export function oneLine(text: string | undefined): string {
  const clean = (text ?? '').replace(/[\p{C}\s[\]()<>]+/gu, ' ').trim();
  return [...clean].slice(0, LIMITS.actorFieldCharacters).join('');
}
