import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Question } from '../api/wire.ts';
import { answerWords, fittingAnswers, matchingChoices, unanswered, withChoice, withText } from './answers.ts';

const text: Question = { question: 'Why?', choices: [], multiple: false };
const one: Question = { question: 'Which?', choices: ['a', 'b', 'c'], multiple: false };
const several: Question = { ...one, multiple: true };

test('a draft that fits is kept, and of one that does not only what fits', () => {
  const questions = [text, one, several];
  assert.deepEqual(fittingAnswers(questions, [['because'], ['b'], ['c', 'a']]), [['because'], ['b'], ['a', 'c']]);
  assert.deepEqual(fittingAnswers(questions, [[1], ['b', 'c'], ['a', 'z', 'a']]), [[], ['b'], ['a']]);
  for (const broken of [undefined, null, 'x', {}, [], [null, 7]]) {
    assert.deepEqual(fittingAnswers(questions, broken), [[], [], []]);
  }
});

test('Q11 one choice replaces another, several add up in the order of the choices', () => {
  assert.deepEqual(withChoice([['a']], 0, one, 'b', true), [['b']]);
  assert.deepEqual(withChoice([['c']], 0, several, 'a', true), [['a', 'c']]);
  assert.deepEqual(withChoice([['a', 'c']], 0, several, 'a', false), [['c']]);
});

test('Q11 blank text is no answer, and what was typed is sent as it is', () => {
  assert.deepEqual(unanswered([[' \n'], ['a'], []]), [0, 2]);
  assert.deepEqual(withText([[]], 0, '  x '), [['  x ']]);
  assert.deepEqual(withText([['x']], 0, ''), [[]]);
});

test('the button says what it does, or what is missing', () => {
  assert.equal(answerWords([text], []), 'Send answer');
  assert.equal(answerWords([text, one], []), 'Send 2 answers');
  assert.equal(answerWords([text], [0]), 'Write an answer to send');
  assert.equal(answerWords([one], [0]), 'Choose one to send');
  assert.equal(answerWords([several], [0]), 'Choose at least one to send');
  const five = Array.from({ length: 5 }, () => one);
  assert.equal(answerWords(five, [0, 1, 2, 3, 4]), 'Answer 5 questions to send');
  assert.equal(answerWords(five, [0, 1, 2, 4]), '4 questions left to answer');
  assert.equal(answerWords(five, [1, 3, 4]), 'Answer questions 2, 4 and 5 to send');
  assert.equal(answerWords(five, [1, 3]), 'Answer questions 2 and 4 to send');
  assert.equal(answerWords(five, [2]), 'Answer question 3 to send');
});

test('a filter finds choices by all of its words, in any order and case', () => {
  const choices = ['eu-west-1 Ireland', 'eu-central-1 Frankfurt', 'us-east-1 Virginia'];
  assert.deepEqual(matchingChoices(choices, ' frank EU '), ['eu-central-1 Frankfurt']);
  assert.equal(matchingChoices(choices, ' '), choices);
  assert.deepEqual(matchingChoices(choices, 'eu virginia'), []);
});
