import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { serveAgent } from '@agentkourier/agent';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, type Opened, openPage } from './browser.ts';
import { configFor } from './config-for.ts';
import { Kourier } from './kourier.ts';

let browser: Browser | undefined;
let demo: Kourier | undefined;
let opened: Opened[] = [];

before(async () => {
  demo = await Kourier.start();
  browser = await launchBrowser();
});
after(async () => {
  await browser?.close();
  await demo?.remove();
});
afterEach(async () => {
  const complaints = opened.flatMap((page) => page.complaints);
  await Promise.all(opened.map(({ context }) => context.close()));
  opened = [];
  assert.deepEqual(complaints, []);
});

async function open(url = demo?.url): Promise<Page> {
  assert.ok(browser !== undefined && url !== undefined);
  const page = await openPage(browser, url);
  opened.push(page);
  return page.page;
}

async function write(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message').fill(text);
  await page.getByLabel('Message').press('Enter');
}

const ready = (page: Page) => page.locator('.pill.idle').waitFor();

test('the demo agent greets a newcomer, and the answer is the same after a reload', async () => {
  const page = await open();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await write(page, 'hello');
  await page.waitForURL('**/threads/*');
  await page.locator('.answer', { hasText: 'Hello!' }).waitFor();
  await ready(page);
  const whole = (await page.locator('.answer').allTextContents()).join('');
  assert.match(whole, /^Hello!.*--config mine\.yaml/s);
  await page.reload();
  await ready(page);
  assert.equal((await page.locator('.answer').allTextContents()).join(''), whole);
  assert.equal(await page.locator('.message').count(), 1);
  await page.getByRole('navigation').getByRole('link', { name: 'hello' }).waitFor();
  // Known from its card, which is read on the first turn.
  await page.locator('.topbar-title', { hasText: 'Demo agent' }).waitFor();
});

test('a slow answer grows, is reloaded in the middle, and then stopped', async () => {
  const page = await open();
  await write(page, 'be slow');
  const growing = page.locator('.answer.streaming', { hasText: 'You asked' });
  await growing.waitFor();
  const early = (await growing.textContent()) ?? '';
  await page.reload();
  await page.locator('.answer.streaming', { hasText: 'You asked me to' }).waitFor();
  assert.doesNotMatch(early, /the rest goes on arriving/, 'it was shown while it grew');
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.locator('.notice[data-code="task-canceled"]').waitFor();
  await ready(page);
});

test('an agent that fails, and one that says nothing, leave a notice', async () => {
  const page = await open();
  await write(page, 'fail');
  await page.locator('.notice[data-code="task-failed"]', { hasText: "The agent's task failed." }).waitFor();
  await write(page, 'stay silent');
  await page.locator('.notice[data-code="no-output"]', { hasText: 'finished without any output' }).waitFor();
  await ready(page);
});

test('kourier is killed in mid-answer and started again: the page comes back to the whole answer', async () => {
  const goOn = Promise.withResolvers<void>();
  const agent = await serveAgent({
    name: 'Patient agent',
    description: 'Waits for its listener.',
    async *turn() {
      yield 'The first half, ';
      await goOn.promise;
      yield 'and the second.';
    },
  });
  const folder = await mkdtemp(join(tmpdir(), 'kourier-config-'));
  await writeFile(join(folder, 'patient.yaml'), configFor('patient', agent.url));
  const kourier = await Kourier.start('--config', folder);
  try {
    const page = await open(kourier.url);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await write(page, 'tell me');
    await page.locator('.answer', { hasText: 'The first half,' }).waitFor();
    await kourier.kill();
    await page.getByText('Reconnecting…').waitFor();
    assert.match((await page.locator('.answer').textContent()) ?? '', /The first half,/);
    await write(page, 'written while it was away');
    goOn.resolve();
    await kourier.start();
    await page
      .locator('.answer', { hasText: /^The first half, and the second\.$/ })
      .first()
      .waitFor();
    await page.locator('.message time').nth(1).waitFor();
    await ready(page);
    assert.equal(await page.locator('.message').count(), 2);
    assert.equal(await page.locator('.answer').count(), 2);
  } finally {
    await kourier.remove();
    await agent.close();
    await rm(folder, { recursive: true });
  }
});
