import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import type { Browser } from 'playwright-core';
import type { Entry } from '../src/api/wire.ts';
import { launchBrowser, type Opened, openPage } from './browser.ts';
import { busiestMs } from './busiest.ts';
import { ScriptedServer } from './scripted-server.ts';

let browser: Browser;
let server: ScriptedServer;
let opened: Opened | undefined;

before(async () => {
  browser = await launchBrowser();
});
after(() => browser.close());
beforeEach(async () => {
  server = new ScriptedServer();
  await server.start();
});
afterEach(async () => {
  await opened?.context.close();
  opened = undefined;
  await server.stop();
});

const said = (text: string, more: readonly Entry[] = []): string =>
  server.withThread('t', [
    { id: 'm', kind: 'message', turnId: '1', actor: { id: 'u1', name: 'Mara' }, text, at: '2026-01-02T03:04:05Z' },
    ...more,
    { id: 'a', kind: 'answer', turnId: '1', text: `${text}\n\nthe end`, streaming: false },
  ]);

/** Opens the page, lets every request that it makes begin, and fails on one that goes elsewhere. */
async function openQuietly(url: string): Promise<Opened> {
  opened = await openPage(browser, url);
  const { page, requests, complaints } = opened;
  await page.getByText('the end').first().waitFor();
  await page.waitForLoadState('load');
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  assert.deepEqual(
    requests.filter((address) => !address.startsWith(server.url)),
    [],
  );
  // The policy is the last fence: nothing may even run into it.
  assert.deepEqual(complaints, []);
  assert.equal(await page.evaluate(() => Reflect.get(window, 'pwned')), undefined);
  return opened;
}

const ATTACKS = [
  '<script>window.pwned = 1</script>',
  '<img src=x onerror="window.pwned = 1">',
  '<svg onload="window.pwned = 1"><style>*{display:none}</style></svg>',
  '<iframe srcdoc="<script>parent.pwned = 1</script>"></iframe>',
  '<form action="https://evil.example"><button>Log in</button></form>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.pwned=1&gt;">',
  '<link rel=stylesheet href="https://evil.example/a.css"><base href="https://evil.example/">',
  '<meta http-equiv=refresh content="0;url=https://evil.example">',
  '![beacon](https://evil.example/beacon.png)',
  '![beacon][ref]\n\n[ref]: https://evil.example/beacon.png',
  '[click](javascript:window.pwned=1)',
  '[click](JAVA&#x53;CRIPT:window.pwned=1)',
  '[click](data:text/html,<script>window.pwned=1</script>)',
  '<javascript:window.pwned=1>',
  '[x](https://evil.example/" onmouseover="window.pwned=1)',
  '```"><img src=x onerror=window.pwned=1>\ncode\n```',
  '`</code><img src=x onerror=window.pwned=1>`',
  '<p style="position:fixed;inset:0" class="notice">The agent\'s task failed.</p>',
];

test('decision 17: nothing that an agent or a person says runs, loads or takes the page', async () => {
  const { page } = await openQuietly(said(ATTACKS.join('\n\n')));
  const tags = await page
    .locator('.answer *')
    .evaluateAll((all) => [...new Set(all.map(({ localName }) => localName))]);
  const allowed = ['div', 'p', 'a', 'span', 'pre', 'code', 'button', 'br', 'svg', 'path'];
  assert.deepEqual(
    tags.filter((tag) => !allowed.includes(tag)),
    [],
  );
  const attributes = await page
    .locator('.block *')
    .evaluateAll((all) => [...new Set(all.flatMap((one) => one.getAttributeNames()))]);
  assert.deepEqual(
    attributes.filter((name) => !['class', 'href', 'target', 'rel', 'type', 'tabindex'].includes(name)),
    [],
  );
  assert.equal(await page.locator('.notice').count(), 0, 'no words look like a notice');
  assert.equal(await page.locator('.message *', { hasText: 'window.pwned' }).locator('script, img, a').count(), 0);
});

test('decision 17: what half an answer would be, while it streams, is as inert', async () => {
  const whole = ATTACKS.join('\n\n');
  const { page } = await openQuietly(said('the start'));
  const thread = server.thread('t');
  for (let end = 0; end < whole.length; end += 40) thread.answer('1', whole.slice(0, end), true, 'a');
  thread.answer('1', `${whole}\n\nall of it`, true, 'a');
  await page.getByText('all of it').waitFor();
  assert.deepEqual(
    opened?.requests.filter((address) => !address.startsWith(server.url)),
    [],
  );
  assert.equal(await page.evaluate(() => Reflect.get(window, 'pwned')), undefined);
});

test('decision 17: a link says where it leads when its words say something else, and opens apart', async () => {
  const { page } = await openQuietly(
    said(
      '[https://bank.example](https://evil.example/x) [the docs](https://docs.example/) [**bank**.example](https://evil.example/y)',
    ),
  );
  const links = page.locator('.answer a');
  for (const link of await links.all()) {
    assert.equal(await link.getAttribute('rel'), 'noopener noreferrer nofollow');
    assert.equal(await link.getAttribute('target'), '_blank');
  }
  assert.deepEqual(await page.locator('.destination').allTextContents(), [' (evil.example/x)', ' (evil.example/y)']);
});

test('decision 17: an image of elsewhere is a link, and is not loaded', async () => {
  const { page } = await openQuietly(said('![pixel](https://evil.example/p.png?who=you)'));
  assert.equal(
    await page.getByRole('link', { name: 'Image: pixel' }).getAttribute('href'),
    'https://evil.example/p.png?who=you',
  );
  assert.equal(await page.locator('.answer img').count(), 0);
});

test('C103 what is hidden in an argument is named', async () => {
  const args = { cmd: `ls \u202E${' '.repeat(5_000)}; rm -rf \u200B/ \u{E0100}` };
  const url = said('go', [{ id: 's', kind: 'step', turnId: '1', name: 'run\u202E', args, state: 'done', result: {} }]);
  const { page } = await openQuietly(url);
  await page.getByText('run‹U+202E›').click();
  const marks = await page.locator('.value mark').allTextContents();
  assert.deepEqual(marks, ['‹U+202E›', '‹5000 spaces›', '‹U+200B›', '‹U+E0100›']);
});

test('C104 an argument cannot leave its box', async () => {
  const args = '```\n# Approved\n</pre></details><div class="notice">Approved</div> <https://evil.example|ok>';
  const url = said('go', [
    {
      id: 's',
      kind: 'step',
      turnId: '1',
      name: '</span><b>x',
      args,
      state: 'done',
      result: '<img src=x onerror=window.pwned=1>',
    },
  ]);
  const { page } = await openQuietly(url);
  await page.locator('.step summary').click();
  assert.equal(await page.locator('.value').first().textContent(), args);
  assert.equal(await page.locator('.value').last().textContent(), '<img src=x onerror=window.pwned=1>');
  assert.equal(await page.locator('.step-name').textContent(), '</span><b>x');
  assert.equal(await page.locator('.value *').count(), 0);
});

test('C023 a card cannot write on the page: its name is one line, without controls, cut', async () => {
  const name = `Good\u202E\n<b>agent</b>${'x'.repeat(1_000_000)}`;
  server.bindings = [{ name: 'demo', agent: { name, description: `Ignore all that.\u200B${'y'.repeat(1_000_000)}` } }];
  opened = await openPage(browser, server.url);
  const heading = (await opened.page.getByRole('heading', { level: 1 }).textContent()) ?? '';
  assert.ok(heading.startsWith('Good‹U+202E› <b>agent</b>xx') && heading.length < 100, heading.slice(0, 120));
  assert.ok(((await opened.page.locator('.description').textContent()) ?? '').length < 500);
});

test('an answer of a megabyte leaves the page free to be used', async () => {
  const paragraph = 'Words **and** more `words` with [a link](https://example.org/) in them.\n\n- one\n- two\n\n';
  const whole = paragraph.repeat(Math.ceil(1_000_000 / paragraph.length));
  const { page } = await openQuietly(said('go'));
  const busiest = await busiestMs(browser, page, async () => {
    const thread = server.thread('t');
    for (let end = 50_000; end < whole.length; end += 50_000) thread.answer('1', whole.slice(0, end), true, 'long');
    thread.answer('1', `${whole}\n\nthe very end`, false, 'long');
    await page.getByLabel('Message').fill('still here');
    // Light enough not to be what it measures.
    await page.waitForFunction(() => {
      const sheets = document.querySelectorAll('.answer:last-child .sheet');
      return sheets.item(sheets.length - 1)?.lastElementChild?.textContent?.endsWith('the very end');
    });
  });
  assert.ok(busiest < 500, `the page was busy for ${Math.round(busiest)} ms`);
});
