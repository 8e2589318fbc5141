import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { launchBrowser, openPage } from './browser.ts';
import { Kourier } from './kourier.ts';

const IMAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'images', 'thread.png');

test('the picture of a real thread in README is taken anew', {
  skip: process.env['UPDATE_IMAGES'] !== '1',
}, async () => {
  const [browser, kourier] = await Promise.all([launchBrowser(), Kourier.start()]);
  try {
    const { page } = await openPage(browser, kourier.url, {
      viewport: { width: 1120, height: 880 },
      deviceScaleFactor: 2,
      colorScheme: 'light',
    });
    await page.getByLabel('Writing as').fill('Mara');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const write = async (text: string): Promise<void> => {
      await page.getByLabel('Message').fill(text);
      await page.getByLabel('Message').press('Enter');
    };
    for (const text of ['weather in Oslo', 'note water the plants']) {
      await write(text);
      await page.waitForURL('**/threads/*');
      await page.locator('.pill.idle').waitFor();
      await page.getByRole('link', { name: 'New thread' }).click();
    }
    await write('Hello! What can you do for me?');
    await page.locator('.topbar-title', { hasText: 'Demo agent' }).waitFor();
    await page.locator('.answer.streaming', { hasText: 'shows this list' }).waitFor();
    // From here on nothing is drawn any more: a picture of a page that grows is cut in the middle.
    await page.evaluate(() => {
      window.requestAnimationFrame = () => 0;
      window.scrollTo(0, document.documentElement.scrollHeight);
      (document.activeElement as HTMLElement).blur();
    });
    await mkdir(join(IMAGE, '..'), { recursive: true });
    await page.screenshot({ path: IMAGE, animations: 'disabled' });
  } finally {
    await browser.close();
    await kourier.remove();
  }
});
