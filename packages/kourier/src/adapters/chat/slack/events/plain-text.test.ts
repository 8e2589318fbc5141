import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mentions, plainText } from './plain-text.ts';

const names = {
  self: { user: 'U0BOT', name: 'kourier' },
  nameOf: (user: string) => (user === 'U1' ? 'Ada' : undefined),
};

describe('what a person wrote, as they see it', () => {
  for (const [wire, said] of [
    ['<@U0BOT> restart', 'restart'],
    ['<@U0BOT|kourier>: restart', 'restart'],
    ['<@U0BOT> <@U0BOT>, restart', 'restart'],
    ['restart, please <@U0BOT>', 'restart, please '],
    ['can <@U0BOT> restart it?', 'can @kourier restart it?'],
    ['<@U0BOT>', ''],
    ['ask <@U1> or <@U2> or <@U3|eve>', 'ask @Ada or @U2 or @eve'],
    ['in <#C1|ops> or <#C2> or <#C3|>', 'in #ops or #C2 or #C3'],
    ['<!here> <!channel> <!subteam^S1|@ops> <!subteam^S2>', '@here @channel @ops @S2'],
    ['<!date^1700000000^{date}|14 Nov 2023>', '14 Nov 2023'],
    ['<https://a.example/x?a=1&amp;b=2>', 'https://a.example/x?a=1&b=2'],
    ['<https://a.example|the page>', 'the page (https://a.example)'],
    ['<https://a.example|a.example>', 'https://a.example'],
    ['<mailto:a@b.example|a@b.example>', 'a@b.example'],
    ['if a &lt; b &amp;&amp; b &gt; c', 'if a < b && b > c'],
    // Somebody who writes about markup: unescaped once.
    ['&amp;lt; and &lt;@U1&gt;', '&lt; and <@U1>'],
    ['a <not\nmarkup> b', 'a <not\nmarkup> b'],
  ] as const) {
    it(`C167 ${JSON.stringify(wire)}`, () => assert.equal(plainText(wire, names), said));
  }

  it('is read in a time that grows with the text alone', () => {
    for (const part of ['<@U0BOT> ', '<@U0BOT|', ' ', '<', '&', '<@U0BOT>,,,,']) {
      const long = part.repeat(40_000 / part.length);
      assert.ok(plainText(`x${long}x`, names).length > 0);
    }
  });

  it('names the app, with or without its label', () => {
    assert.ok(mentions('hi <@U0BOT>', 'U0BOT') && mentions('hi <@U0BOT|kourier>', 'U0BOT'));
    assert.ok(!mentions('hi <@U0BOTS> &lt;@U0BOT&gt;', 'U0BOT'));
  });
});
