import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inertText } from './inert-text.ts';
import { DIRECTORY_LIMITS } from './limits.ts';
import { listingOf } from './listing.ts';

describe('what is listed of a card', () => {
  it('is its name, its description and its skills, each with the modes that it has or inherits', () => {
    const skills = [
      {
        id: 'one',
        name: 'One',
        description: 'The first.',
        tags: ['a', 'b'],
        examples: ['do it'],
        outputModes: ['image/png'],
      },
      { id: 'two' },
    ];
    const card = {
      name: 'N',
      description: 'D',
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/html'],
      skills,
    };
    const [plain, html] = [['text/plain'], ['text/html']];
    assert.deepEqual(listingOf(card), {
      name: 'N',
      description: 'D',
      inputModes: plain,
      outputModes: html,
      skills: [
        { ...skills[0], inputModes: plain, outputModes: ['image/png'] },
        { id: 'two', name: '', description: '', tags: [], examples: [], inputModes: plain, outputModes: html },
      ],
    });
  });

  it('is empty where the card says nothing, or says it in another type', () => {
    const nothing = { name: '', description: '', skills: [], inputModes: [], outputModes: [] };
    assert.deepEqual(listingOf({}), nothing);
    assert.deepEqual(listingOf({ name: 7, description: null, skills: 'all', defaultInputModes: {} }), nothing);
    const { skills } = listingOf({ skills: [null, 'x', [], { id: 5, tags: [1, 'ok', ''], examples: 'no' }] });
    assert.deepEqual(
      skills.map(({ id, tags, examples }) => ({ id, tags, examples })),
      [{ id: '', tags: ['ok'], examples: [] }],
    );
  });

  it('C023 is bounded: a description of a megabyte, names and lists without end', () => {
    const long = 'x'.repeat(1_000_000);
    const skill = {
      id: long,
      name: long,
      description: long,
      tags: Array(1_000).fill(long),
      examples: Array(1_000).fill(long),
    };
    const listing = listingOf({ name: long, description: long, skills: Array(1_000).fill(skill) });
    assert.equal(listing.name.length, DIRECTORY_LIMITS.listedNameCharacters);
    assert.equal(listing.description.length, DIRECTORY_LIMITS.listedTextCharacters);
    assert.ok(listing.description.endsWith('x…'));
    assert.equal(listing.skills.length, DIRECTORY_LIMITS.listedSkills);
    const [first] = listing.skills;
    assert.equal(first?.tags.length, DIRECTORY_LIMITS.listedTags);
    assert.equal(first?.examples.length, DIRECTORY_LIMITS.listedExamples);
  });
});

describe('C023 what a card says is inert', () => {
  for (const [what, text, shown] of [
    ['direction overrides and isolates', 'a\u202Egnp.exe\u202C \u2066b\u2069', 'agnp.exe b'],
    ['marks of direction', '\u200Fa\u200E', 'a'],
    ['control characters', 'a\u0000b\u001B[31mc\u007F\u0085d', 'a b [31mc d'],
    ['line breaks and blanks of any kind', 'a\r\n\tb\u2028c\u2029d\u00A0\u3000e', 'a b c d e'],
    ['invisible characters', 'a\u200Bb\u2060c\uFEFFd\u00ADe\u3164f\u034Fg', 'abcdefg'],
    ['hidden letters (tags, variation selectors)', `a${String.fromCodePoint(0xe0041, 0xe0100)}\uFE0Fb`, 'ab'],
    ['half a pair', 'a\uD83Db\uDE00', 'ab'],
    ['words of every script', 'Größe 天气 مرحبا 😀', 'Größe 天气 مرحبا 😀'],
  ] as const) {
    it(what, () => assert.equal(inertText(text, 100), shown));
  }

  it('and is cut without half a pair', () => {
    assert.equal(inertText('abc', 3), 'abc');
    assert.equal(inertText('abcd', 3), 'ab…');
    assert.equal(inertText('a😀bc', 3), 'a…');
  });

  it('and says that it was cut where nothing of the beginning is shown', () => {
    assert.equal(inertText(`${'\u200B'.repeat(100)}a`, 3), '…');
  });
});
