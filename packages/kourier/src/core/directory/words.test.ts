import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DIRECTORY_LIMITS } from './limits.ts';
import { termsOf, wordsOf } from './words.ts';

describe('the words of a card', () => {
  for (const [text, ...words] of [
    ['Book a flight, to São Paulo!', 'book', 'a', 'flight', 'to', 'são', 'paulo'],
    ['getWeather', 'get', 'weather', 'getweather'],
    ['HTTPServer2Go', 'http', 'server2', 'go', 'httpserver2go'],
    ['get_weather e-mail', 'get', 'weather', 'getweather', 'e', 'mail', 'email'],
    ["don't", 'don', 't', 'dont'],
    ['ＦＵＬＬ ｗｉｄｔｈ ﬁsh ②', 'full', 'width', 'fish', '2'],
    ['gpt4 v1.0', 'gpt4', 'v1', '0'],
    ['天气预报', '天气', '气预', '预报', '报'],
    ['天', '天'],
    ['東京タワーの天気', '東京', '京タ', 'タワ', 'ワー', 'ーの', 'の天', '天気', '気'],
    ['查询API状态', '查询', '询', 'api', '状态', '态'],
    ['날씨 예보', '날씨', '씨', '예보', '보'],
    ['Погода Москва', 'погода', 'москва'],
    ['हिन्दी मौसम', 'हिन्दी', 'मौसम'],
    ['… — !?', ...[]],
  ] as const) {
    it(text, () => assert.deepEqual([...wordsOf(text, 100)], words));
  }

  it('are bounded in length and number', () => {
    const [word = ''] = wordsOf('x'.repeat(10_000), 10);
    assert.equal(word.length, DIRECTORY_LIMITS.wordCharacters);
    assert.equal(wordsOf(Array.from({ length: 100 }, (_, at) => `w${at}`).join(' '), 10).size, 10);
  });
});

describe('what a question asks for', () => {
  const terms = (text: string): readonly string[] =>
    termsOf(text).map(({ word, prefix }) => (prefix ? `${word}*` : word));

  it('is each of its words, the last one also as a beginning', () => {
    assert.deepEqual(terms('Weather in Par'), ['weather', 'in', 'par*']);
    assert.deepEqual(terms('getWeather e-mail'), ['getweather', 'e', 'mail*']);
    assert.deepEqual(terms('a b a'), ['a', 'b']);
    assert.deepEqual(terms(' '), []);
  });

  it('is pairs of characters where no blanks are written', () => {
    assert.deepEqual(terms('天气预报'), ['天气', '气预', '预报']);
    assert.deepEqual(terms('天 weather'), ['天*', 'weather*']);
  });

  it('is bounded', () => {
    const many = Array.from({ length: 100 }, (_, at) => `w${at}`).join(' ');
    assert.equal(termsOf(many).length, DIRECTORY_LIMITS.questionWords);
    assert.equal(termsOf('天气'.repeat(10_000_000)).length, 2);
  });
});
