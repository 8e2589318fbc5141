import assert from 'node:assert/strict';
import { test } from 'node:test';
import { question, setStage } from './stage.ts';

const stage = setStage();

test('a message that is lost on its way back is sent again with its key, and stands there once', async () => {
  stage.server.refusals = ['drop', 'drop'];
  stage.server.withThread('t', []);
  const { page } = await stage.open(`${stage.server.url}/threads/t`);
  await page.getByLabel('Message').fill('only once');
  await page.getByLabel('Message').press('Enter');
  await page.locator('.message time').waitFor();
  await page.locator('.outgoing').waitFor({ state: 'detached' });
  const keys = new Set(stage.server.calls.map(({ body }) => body['idempotencyKey']));
  assert.deepEqual([keys.size, (await page.getByText('only once', { exact: true }).count()) > 0], [1, true]);
  assert.equal(stage.server.thread('t').timeline().entries.length, 1);
});

test('a message that waits for the server survives a reload, and arrives when the server does', async () => {
  const url = stage.server.withThread('t', []);
  const { page } = await stage.open(url);
  await page.getByText('Ready').waitFor();
  await stage.server.stop();
  await page.getByText('Reconnecting…').waitFor();
  await page.getByLabel('Message').fill('for later');
  await page.getByLabel('Message').press('Enter');
  await page.getByText('Not sent yet, trying again…').waitFor();
  await stage.server.start();
  await page.reload();
  await page.locator('.message time').waitFor();
  assert.deepEqual(
    stage.server
      .thread('t')
      .timeline()
      .entries.map((entry) => entry.kind === 'message' && entry.text),
    ['for later'],
  );
});

test('a refused message comes back into the box, with the reason beside it', async () => {
  stage.server.refusals = [{ status: 429, code: 'thread-full', detail: 'A hundred messages wait already.' }];
  stage.server.withThread('t', []);
  const { page } = await stage.open(`${stage.server.url}/threads/t`);
  await page.getByLabel('Message').fill('one too many');
  await page.getByLabel('Message').press('Enter');
  await page.getByRole('alert').getByText('A hundred messages wait already.').waitFor();
  assert.equal(await page.getByLabel('Message').inputValue(), 'one too many');
  assert.equal(await page.locator('.message').count(), 0);
  await page.getByLabel('Message').press('Enter');
  await page.locator('.message time').waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
});

test('a server that dies in mid-answer and comes back: the page says so, resumes, and shows the whole answer', async () => {
  const url = stage.server.withThread('t', [question('1', 'go')], 'running');
  const thread = stage.server.thread('t');
  thread.answer('1', 'Half of the', true);
  const { page } = await stage.open(url);
  await page.locator('.answer', { hasText: 'Half of the' }).waitFor();
  await stage.server.stop();
  await page.getByText('Reconnecting…').waitFor();
  await page.locator('.answer', { hasText: 'Half of the' }).waitFor();
  thread.answer('1', 'Half of the answer, and the other half.', false);
  thread.setStatus('idle');
  await stage.server.start();
  await page.locator('.answer', { hasText: 'Half of the answer, and the other half.' }).waitFor();
  await page.getByText('Ready').waitFor();
  assert.deepEqual(thread.resumedFrom.slice(0, 2), [0, 3], 'the browser resumed from the last event');
});

test('a page that nobody looks at lets go of its stream, and is whole again when it is seen', async () => {
  const url = stage.server.withThread('t', [question('1', 'go')], 'running');
  const thread = stage.server.thread('t');
  const { page } = await stage.open(url, {}, async (fresh) => fresh.clock.install());
  await page.getByText('Running').waitFor();
  const hide = (hidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  const left = thread.readerLeft();
  await hide(true);
  await page.clock.runFor(61_000);
  await left;
  thread.answer('1', 'Said to nobody.', false);
  await hide(false);
  await page.locator('.answer', { hasText: 'Said to nobody.' }).waitFor();
});
