import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { AskingAgent } from './asking-agent.ts';
import { launchBrowser, openPage } from './browser.ts';
import { configFor } from './config-for.ts';
import { Kourier } from './kourier.ts';

const IMAGES = join(import.meta.dirname, '..', '..', '..', 'docs', 'images');
const skip = process.env['UPDATE_IMAGES'] !== '1';
const LOOK = { viewport: { width: 1120, height: 880 }, deviceScaleFactor: 2, colorScheme: 'light' } as const;

async function write(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message').fill(text);
  await page.getByLabel('Message').press('Enter');
}

/** From here on nothing is drawn any more: a picture of a page that grows is cut in the middle. */
async function take(page: Page, name: string): Promise<void> {
  await page.evaluate(() => {
    window.requestAnimationFrame = () => 0;
    window.scrollTo(0, document.documentElement.scrollHeight);
    (document.activeElement as HTMLElement).blur();
  });
  await mkdir(IMAGES, { recursive: true });
  await page.screenshot({ path: join(IMAGES, name), animations: 'disabled' });
}

test('the picture of a real thread in README is taken anew', { skip }, async () => {
  const [browser, kourier] = await Promise.all([launchBrowser(), Kourier.start()]);
  try {
    const { page } = await openPage(browser, kourier.url, LOOK);
    await page.getByLabel('Writing as').fill('Mara');
    await page.getByRole('heading', { level: 1 }).waitFor();
    for (const text of ['weather in Oslo', 'note water the plants']) {
      await write(page, text);
      await page.waitForURL('**/threads/*');
      await page.locator('.pill.idle').waitFor();
      await page.getByRole('link', { name: 'New thread' }).click();
    }
    await write(page, 'Hello! What can you do for me?');
    await page.locator('.topbar-title', { hasText: 'Demo agent' }).waitFor();
    await page.locator('.answer.streaming', { hasText: 'shows this list' }).waitFor();
    await take(page, 'thread.png');
  } finally {
    await browser.close();
    await kourier.remove();
  }
});

/** The tools of the picture: one that is harmless, and one that a person should look at. */
const SCALE = { name: 'scale_deployment', args: { namespace: 'payments', deployment: 'checkout', replicas: 8 } };
const SCRIPT =
  'set -euo pipefail\nredis-cli -h cache-0 --scan --pattern "cart:*" |\n\txargs redis-cli -h cache-0 del\n';
const RUN = { name: 'run_script', args: { host: 'cache-0', script: SCRIPT } };
const POD = { name: 'get_pods', args: { namespace: 'payments' } };

test('the picture of an open approval in README is taken anew', { skip }, async () => {
  const agent = await AskingAgent.start(
    'Ops agent',
    { kind: 'say', text: 'I will look at the pods first.' },
    { kind: 'call', id: 'call-1', ...POD },
    { kind: 'result', id: 'call-1', name: POD.name, response: { ready: '4/4', cpu: '93 %' } },
    { kind: 'say', text: 'All four pods run at **93 %** CPU. I suggest eight, and the cache emptied once.' },
    { kind: 'call', id: 'call-2', ...SCALE },
    {
      kind: 'ask',
      text: 'Two changes to production',
      payload: {
        type: 'tool_approval_request',
        hint: 'Two changes to production',
        tools: [SCALE, RUN].map((tool, at) => ({ id: `confirm-${at}`, ...tool })),
      },
    },
  );
  const folder = await mkdtemp(join(tmpdir(), 'kourier-config-'));
  await writeFile(
    join(folder, 'ops.yaml'),
    configFor('ops', agent.url, 'interactions: { toolApprovals: { timeout: 1h } }'),
  );
  const [browser, kourier] = await Promise.all([launchBrowser(), Kourier.start('--config', folder)]);
  try {
    const { page } = await openPage(browser, kourier.url, { ...LOOK, viewport: { width: 1120, height: 1090 } });
    await page.getByLabel('Writing as').fill('Mara');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await write(page, 'Checkout is slow, customers are complaining.');
    await page.locator('.topbar-title', { hasText: 'Ops agent' }).waitFor();
    await page.getByRole('group', { name: SCALE.name }).getByText('Approve').click();
    await page.getByRole('group', { name: RUN.name }).getByText('Deny').click();
    await page.getByRole('button', { name: 'Approve 1, deny 1' }).waitFor();
    await page.mouse.move(0, 0);
    await take(page, 'approval.png');
  } finally {
    await browser.close();
    await kourier.remove();
    await agent.close();
    await rm(folder, { recursive: true });
  }
});
