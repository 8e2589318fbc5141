import { type PosterBench, posterContract } from '../../../../contract/poster.ts';
import { fakeSlack } from '../../../../contract/slack/fake-slack.ts';
import type { Fault } from '../../../../contract/slack/faults.ts';
import { TestClock } from '../../../../contract/slack/test-clock.ts';
import { CHANNELS, PEOPLE } from '../../../../contract/slack/town.ts';
import { TEAM } from '../../../../contract/slack/world.ts';
import type { Place, Poster } from '../../../ports/poster.ts';
import { PassingTime } from './fixtures/passing-time.ts';
import { posterOn } from './fixtures/poster-stage.ts';
import { readRef, readWhere } from './message-ref.ts';
import { placeOf } from './slack-place.ts';

const FAULTS: Readonly<Record<Parameters<PosterBench['failNext']>[0], Fault>> = {
  'lost-before': { effect: 'never', answer: 'dropped' },
  'lost-after': { answer: 'dropped' },
  limited: { effect: 'never', answer: { status: 429, retryAfterSeconds: 3 } },
};
/** Who asks in the contract's own threads. */
const ASKER = 'U1';

posterContract('Slack', async () => {
  const clock = new TestClock();
  const slack = await fakeSlack({ clock });
  const time = new PassingTime(clock);
  const { world } = slack;
  const channel = CHANNELS.ops;
  world.people.set(ASKER, { ...world.person(PEOPLE.ada), id: ASKER });
  world.channel(channel).members.add(ASKER);
  const { ts: threadTs } = slack.people.mention(channel, ASKER, 'Is it up?');
  const messagesAt = (place: Place) => slack.messages(channel, readWhere(place)?.threadTs);
  return {
    poster: running(posterOn(slack, clock), time),
    place: placeOf({ team: TEAM, channel, threadTs }),
    channel: `${TEAM}/${channel}`,
    nowMs: () => clock.now(),
    async seen(place) {
      const ours = messagesAt(place).filter(({ ours }) => ours);
      return ours.map(({ text }) => text);
    },
    failNext: (fault) => void slack.faults.next('chat.postMessage', FAULTS[fault]),
    async deleteByPeople(_, ref) {
      const message = world.message(channel, readRef(ref)?.ts ?? '');
      if (message === undefined) throw new Error('nothing to delete');
      slack.people.remove(message);
    },
    async close() {
      time.restore();
      await slack.close();
      if (slack.faults.waiting > 0) throw new Error('a fault did not strike');
    },
  };
});

/** Time passes while something is asked. */
function running(poster: Poster, time: PassingTime): Poster {
  const run =
    <Given extends unknown[], Answer>(call: (...given: Given) => Promise<Answer>) =>
    (...given: Given): Promise<Answer> =>
      time.during(call.apply(poster, given));
  const { platform, post, edit, remove, find, open } = poster;
  return {
    ...{ platform, layout: (entries, place) => poster.layout(entries, place) },
    ...{ post: run(post), edit: run(edit), remove: run(remove), find: run(find), open: run(open) },
  };
}
