import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { RequestEntry } from '../src/api/wire.ts';
import { approval, questions, textQuestion } from './requests.ts';
import { question, setStage } from './stage.ts';

const stage = setStage();

const asked = (request: RequestEntry): string =>
  stage.server.withThread('t', [question('1', 'go'), request], 'waiting');
const submit = (page: Page) => page.locator('.request button[type=submit]');
const focused = (page: Page) => page.locator(':focus');
/** What stands in the element that `aria-describedby` names. */
const describedBy = (page: Page, selector: string) =>
  page
    .locator(selector)
    .evaluate((element) => document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent);

test('Q11 a form says what is missing, keeps what is there over a reload, and sends all of it', async () => {
  const url = asked(
    questions(
      { question: 'Which region?', choices: ['eu-west-1', 'us-east-1'] },
      { question: 'Which add-ons?', choices: ['ingress', 'monitoring', 'service mesh'], multiple: true },
      { question: 'Any name you want?' },
    ),
  );
  const { page } = await stage.open(url);
  await page.getByRole('group', { name: 'Which region?' }).getByRole('radio', { name: 'us-east-1' }).check();
  assert.equal(await submit(page).textContent(), 'Answer questions 2 and 3 to send');
  await submit(page).click();
  assert.equal(await focused(page).getAttribute('type'), 'checkbox', 'it leads to what is missing');
  await page.locator('.field-error').nth(1).waitFor();
  assert.equal(await describedBy(page, '.question:nth-child(2)'), 'Choose at least one.');
  assert.equal(await describedBy(page, '.question textarea'), 'Write an answer.');
  assert.equal(await page.locator('.question textarea').getAttribute('aria-invalid'), 'true');
  assert.equal(stage.server.calls.length, 0);
  for (const name of ['service mesh', 'ingress']) await page.getByRole('checkbox', { name }).check();
  await page.getByLabel('Any name you want?').fill('demo\n');
  await page.reload();
  await page.getByRole('radio', { name: 'us-east-1', checked: true }).waitFor();
  assert.equal(await page.getByLabel('Any name you want?').inputValue(), 'demo\n');
  await submit(page).getByText('Send 3 answers').click();
  await page.locator('.request.settled').getByText('by you').waitFor();
  const [call] = stage.server.calls;
  assert.equal(call?.path, '/api/v1/requests/r/answer');
  assert.deepEqual(call?.body['answers'], [['us-east-1'], ['ingress', 'service mesh'], ['demo\n']]);
  assert.deepEqual(await page.locator('.answered dd').allTextContents(), [
    'us-east-1',
    'ingress',
    'service mesh',
    'demo\n',
  ]);
  assert.equal(await page.evaluate(() => localStorage.getItem('kourier.request.r')), null);
});

test('100 choices are found by their words, and chosen with the keyboard', async () => {
  const choices = Array.from({ length: 100 }, (_, at) => `pod-${at} on node-${at % 7}`);
  const url = asked(questions({ question: 'Which pod?', choices }));
  const { page } = await stage.open(url);
  await page.getByRole('radio').nth(99).waitFor();
  const box = page.locator('.choices');
  assert.ok(await box.evaluate((element) => element.clientHeight < 300 && element.scrollHeight > 2_000));
  await page.getByLabel('Filter 100 choices').fill('NODE-3 pod-1');
  await page.getByText('2 of 100').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.locator('.chosen', { hasText: 'pod-17 on node-3' }).waitFor();
  await page.getByLabel('Filter 100 choices').fill('pod-99');
  await page.keyboard.press('Enter');
  await page.locator('.chosen', { hasText: 'pod-99 on node-1' }).waitFor();
  assert.equal(stage.server.calls.length, 0, 'a search sends nothing');
  await page.keyboard.press('Escape');
  assert.equal(await page.getByRole('radio').count(), 100);
  await submit(page).press('Enter');
  await page.locator('.request.settled').waitFor();
  assert.deepEqual(stage.server.calls[0]?.body['answers'], [['pod-99 on node-1']]);
});

test('20 questions on a phone: one after the other, and the button leads to those that are left', async () => {
  const url = asked(
    questions(...Array.from({ length: 20 }, (_, at) => ({ question: `Question ${'x'.repeat(90)} ${at}` }))),
  );
  const { page } = await stage.open(url, { viewport: { width: 360, height: 640 }, isMobile: true });
  await submit(page).getByText('Answer 20 questions to send').waitFor();
  // It begins with its heading, not with its button at the end of the page.
  await page.waitForFunction(() => {
    const { top = -1 } = document.querySelector('.request h3')?.getBoundingClientRect() ?? {};
    return top > 0 && top < innerHeight / 2;
  });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  for (let at = 0; at < 18; at++) if (at !== 7) await page.locator('.question textarea').nth(at).fill('yes');
  await submit(page).getByText('Answer questions 8, 19 and 20 to send').click();
  const boxes = page.locator('.question textarea');
  await page.waitForFunction(() => document.activeElement === document.querySelectorAll('.question textarea').item(7));
  await page.locator('.field-error').nth(2).waitFor();
  assert.equal(await page.locator('.field-error').count(), 3);
  for (const at of [7, 18, 19]) await boxes.nth(at).fill('no');
  await boxes.nth(19).press('Control+Enter');
  await page.locator('.request.settled').waitFor();
  const yes = Array.from({ length: 18 }, (_, at) => [at === 7 ? 'no' : 'yes']);
  assert.deepEqual(stage.server.calls[0]?.body['answers'], [...yes, ['no'], ['no']]);
});

test('decision 14: the box says that it answers a question, and that a message waits beside a form', async () => {
  const { page } = await stage.open(asked(textQuestion('Which cluster?')));
  const box = page.getByLabel('Message');
  await page.getByPlaceholder("Answer the agent's question").waitFor();
  await page.locator('.composer-note').waitFor();
  assert.equal(await describedBy(page, '.box textarea'), "Your message answers the agent's question.");
  await box.fill('staging');
  await box.press('Enter');
  // It stands in the turn that asked, and waits for nothing.
  await page.locator('.turn:has(.request) .message', { hasText: 'staging' }).waitFor();
  assert.equal(await page.getByText('Queued').count(), 0);
  const answer = { actor: { id: 'u1' }, answers: [['x']], approvals: [] };
  stage.server.thread('t').put({ ...textQuestion('Which cluster?'), state: 'answered', answer });
  await page.getByPlaceholder('Write to Demo agent').waitFor();
  stage.server.thread('t').put({ ...approval(), id: 'r2' });
  await page.getByText('A message waits until the request is decided.').waitFor();
  await page.getByRole('button', { name: 'Go to the request' }).click();
  assert.equal(await focused(page).getAttribute('class'), 'request open');
});

test('a text question is answered in its own box too', async () => {
  const { page } = await stage.open(asked(textQuestion('Which <b>cluster</b>?')));
  await page.getByLabel('Which <b>cluster</b>?').fill('  staging ');
  await submit(page).getByText('Send answer').click();
  await page.locator('.answered dd', { hasText: 'staging' }).waitFor();
  assert.deepEqual(stage.server.calls[0]?.body['answers'], [['  staging ']]);
});

test('a request takes the focus from an empty box, never from somebody who writes, and keeps it when it is decided', async () => {
  const url = stage.server.withThread('t', [question('1', 'go')], 'running');
  const thread = stage.server.thread('t');
  const { page } = await stage.open(url);
  const box = page.getByLabel('Message');
  await box.fill('half a thou');
  thread.put(approval({ id: 'first' }));
  await page.locator('.request').waitFor();
  await page.keyboard.type('ght');
  assert.equal(await box.inputValue(), 'half a thought');
  thread.put(approval({ id: 'first', state: 'canceled' }));
  await page.locator('.request.settled').waitFor();
  assert.equal(await box.evaluate((element) => element === document.activeElement), true);
  await box.fill('');
  thread.put(approval({ id: 'second' }));
  await page.waitForFunction(() => document.activeElement?.classList.contains('open'));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  assert.equal(await focused(page).textContent(), 'Deny');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.classList.contains('settled'));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  assert.equal(await focused(page).getAttribute('aria-label'), 'Message');
});

test('what an answer came to nothing with is still there when the request is open again', async () => {
  const open = questions({ question: 'Which region?', choices: ['eu', 'us'] });
  const { page } = await stage.open(asked(open));
  await page.getByRole('radio', { name: 'us' }).check();
  await submit(page).click();
  await page.locator('.request.settled').waitFor();
  stage.server.thread('t').put(open);
  await page.getByRole('radio', { name: 'us', checked: true }).waitFor();
  await submit(page).getByText('Send answer').click();
  await page.locator('.request.settled').waitFor();
  assert.equal(stage.server.calls.length, 2);
});
