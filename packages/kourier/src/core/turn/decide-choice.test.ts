import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AgentId } from '../thread/ids.ts';
import type { Choice, NoAgent } from './call-outcome.ts';
import {
  CLOSED,
  CUT,
  cancelAnswered,
  contextId,
  ended,
  failed,
  type Happened,
  named,
  readFailed,
  settledAs,
  stopAsked,
  story,
  takenUp,
  woke,
} from './fixtures/story.ts';

const WEATHER = 'space-demo/weather' as AgentId;
const rules = { choosesAgent: true };
const chosen = (choice: Choice): Happened => ({ kind: 'chosen', choice });
const toWeather = chosen({ kind: 'agent', agent: WEATHER });
const nobody = (reason: NoAgent, agents: readonly string[] = []): Happened =>
  chosen({ kind: 'no-agent', reason, agents, why: '' });
const nextTurn: Happened = {
  kind: 'turn-taken',
  turn: { id: 't2', messageId: 'm2', text: 'And?', words: 'And?', traceId: '0'.repeat(32), acceptedAtMs: 0 },
} as Happened;

describe('a thread whose binding names a Space', () => {
  it('asks who answers it before anything is sent, and has the agent from the commit on that owes the send', () => {
    const it = story({ rules });
    assert.deepEqual(it.step, { kind: 'choose', words: 'Hi' });
    assert.equal('words' in (it.thread.turn ?? {}), false);
    assert.equal(it.happen(toWeather).owed, 'send');
    assert.equal(it.thread.agent, WEATHER);
  });

  it('stays with its agent: no other turn asks again, and neither does one that is taken up', () => {
    const it = story({ rules }).happen(toWeather, takenUp);
    assert.deepEqual([it.owed, it.thread.agent], ['send', WEATHER]);
    it.happen(named, ended(CLOSED, settledAs('completed', true)), nextTurn);
    assert.deepEqual([it.owed, it.thread.agent], ['send', WEATHER]);
  });

  it('is asked about again after a restart, when nobody was chosen yet', () => {
    const it = story({ rules }).happen(takenUp);
    assert.deepEqual([it.owed, it.happen(toWeather).owed], ['choose', 'send']);
  });

  it('is told why nobody gets the message, and the next one asks again', () => {
    const told = (...given: Parameters<typeof nobody>) => {
      const it = story({ rules }).happen(nobody(...given));
      assert.deepEqual([it.owed, it.notices], ['settled refused', ['no-agent']]);
      assert.equal(it.happen(nextTurn).owed, 'choose');
      return story({ rules }).happen(nobody(...given)).last?.notices[0]?.text ?? '';
    };
    assert.match(told('tie', ['a', 'b']), /^The message was not sent: several agents .* \(a, b\)\. .*more exactly/);
    assert.match(told('tie', [...'abcdefgh']), /\(a, b, c, d, e\)/);
    assert.match(told('blocked', ['a']), /cannot be called now \(a\)\. Write again later/);
    assert.match(told('no-space'), /the Space that this binding names is not there, or not for its key/);
    assert.match(told('unknown-skill'), /has the skill that this binding names/);
    assert.match(told('nothing-fits'), /no agent of the Space fits it/);
  });

  it('is told at once when the Space does not know us', () => {
    const it = story({ rules }).happen(chosen(failed('credentials')));
    assert.deepEqual([it.owed, it.notices], ['settled refused', ['credentials-rejected']]);
    assert.match(it.last?.notices[0]?.text ?? '', /^The Space rejected the key/);
  });

  it('is told at once when the Space lets nobody call its agent, and stays with it', () => {
    for (const [reason, words] of [
      [
        'disabled',
        /^The agent of this thread \(weather\) cannot be called: it is turned off in its Space\. Write again/,
      ],
      ['gone', /its Space has no such agent, or not for this binding/],
      ['other', /its Space has blocked it/],
    ] as const) {
      const blocked = { kind: 'blocked', reason, agent: 'weather', why: '' } as const;
      const it = story({ rules }).happen(toWeather, ended(blocked));
      assert.deepEqual([it.owed, it.notices], ['settled refused', ['no-agent']]);
      assert.match(it.last?.notices[0]?.text ?? '', words);
      assert.deepEqual([it.happen(nextTurn).owed, it.thread.agent], ['send', WEATHER]);
      // Whatever is asked of it: its task cannot be had, and not be stopped.
      const running = () => story({ rules }).happen(toWeather, named, ended(CUT), woke);
      assert.deepEqual(running().happen(readFailed(blocked)).notices, ['no-agent']);
      assert.deepEqual(running().happen(stopAsked, cancelAnswered(blocked)).notices, ['no-agent']);
      const unsure = story({ context: contextId }).happen(ended(failed('unknown')), woke);
      assert.deepEqual(unsure.happen({ kind: 'looked-up', lookup: blocked }).notices, ['no-agent']);
    }
  });

  it('E5: asks again while the Space cannot be reached, and gives up like a send', () => {
    const it = story({ rules, giveUpAfterMs: 5_000 }).happen(chosen(failed('not-sent')));
    assert.equal(it.owed, 'wait 1000 choose');
    assert.equal(it.happen(woke).owed, 'choose');
    it.happen(chosen(failed('not-sent', 60_000)));
    assert.equal(it.owed, 'wait 4000 choose');
    assert.deepEqual([it.happen(woke).owed, it.notices], ['settled unreachable', ['unreachable']]);
    assert.match(it.last?.notices[0]?.text ?? '', /the agent could not be reached, because its Space/);
  });

  it('counts what was trouble with the Space no further against its agent', () => {
    const it = story({ rules, giveUpAfterMs: 5_000 })
      .happen(chosen(failed('not-sent')), woke, toWeather)
      .after(4_500);
    assert.equal(it.happen(ended(failed('not-sent'))).owed, 'wait 1000 send');
  });

  it('is taken back at once by a stop: nobody has been sent anything', () => {
    const asking = story({ rules }).happen(stopAsked);
    assert.deepEqual([asking.owed, asking.notices], ['settled canceled', ['task-canceled']]);
    assert.equal(asking.happen(toWeather).thread.agent, undefined);
    const waiting = story({ rules }).happen(chosen(failed('not-sent')), stopAsked);
    assert.deepEqual([waiting.owed, waiting.notices], ['settled canceled', ['task-canceled']]);
  });

  it('R3: takes no context along that another agent gave, and the thread is told', () => {
    const it = story({ rules, context: contextId }).happen(toWeather);
    assert.deepEqual([it.thread.contextId, it.notices], [undefined, ['context-lost']]);
  });
});

describe('a choice that comes late', () => {
  it('changes nothing', () => {
    const it = story({ rules }).happen(toWeather, chosen({ kind: 'agent', agent: 'space-demo/other' as AgentId }));
    assert.equal(it.thread.agent, WEATHER);
    assert.equal(story().happen(toWeather).thread.agent, undefined);
  });
});
