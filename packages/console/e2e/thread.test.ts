import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser, type Opened, openPage } from './browser.ts';
import { ScriptedServer } from './scripted-server.ts';

let browser: Browser;
let server: ScriptedServer;
let opened: Opened[] = [];

before(async () => {
  browser = await launchBrowser();
});
after(() => browser.close());
beforeEach(async () => {
  server = new ScriptedServer();
  await server.start();
});
afterEach(async () => {
  // No page of any test may throw, or break the security policy.
  const complaints = opened.flatMap((page) => page.complaints);
  await Promise.all(opened.map(({ context }) => context.close()));
  opened = [];
  await server.stop();
  assert.deepEqual(complaints, []);
});

async function open(
  url: string,
  options?: BrowserContextOptions,
  prepare?: (page: Page) => Promise<void>,
): Promise<Opened> {
  const page = await openPage(browser, url, options, prepare);
  opened.push(page);
  return page;
}

const at = '2026-01-02T03:04:05Z';
const question = (turnId: string, text: string) =>
  ({ id: `m-${turnId}`, kind: 'message', turnId, actor: { id: 'u1', name: 'Mara' }, text, at }) as const;

test('a message is written, the thread stands in the address, and the answer grows', async () => {
  server.onTurn = (thread, turnId) => {
    thread.setStatus('running');
    thread.answer(turnId, 'Hello **wor', true);
  };
  const { page } = await open(server.url);
  await page.getByLabel('Writing as').fill('Mara');
  await page.getByLabel('Message').fill('Good morning');
  await page.getByLabel('Message').press('Enter');
  await page.waitForURL('**/threads/t1');
  await page.locator('.answer strong', { hasText: /^wor$/ }).waitFor();
  await page.getByText('Running').waitFor();
  server.thread('t1').answer('turn-1', 'Hello **world**, all is well', true);
  await page.locator('.answer', { hasText: /^Hello world, all is well$/ }).waitFor();
  server.thread('t1').answer('turn-1', 'Hello **world**, all is well.', false);
  server.thread('t1').setStatus('idle');
  await page.getByText('Ready').waitFor();
  assert.equal(await page.locator('.message').count(), 1);
  assert.equal(await page.getByLabel('Message').inputValue(), '');
  assert.match(await page.title(), /^Good morning/);
  const [{ body } = { body: {} as Record<string, unknown> }] = server.calls;
  assert.deepEqual([body['binding'], body['text'], typeof body['idempotencyKey']], ['demo', 'Good morning', 'string']);
  assert.deepEqual(Object.keys(body['actor'] as object), ['id', 'name']);
});

test('an answer keeps its elements while it grows: nothing flickers, and a selection stays', async () => {
  const url = server.withThread('t', [question('1', 'go')], 'running');
  server.thread('t').answer('1', 'First paragraph.\n\nSecond', true);
  const { page } = await open(url);
  await page.getByText('First').selectText();
  const last = await page.getByText('Second').elementHandle();
  server.thread('t').answer('1', 'First paragraph.\n\nSecond one, *and* a third', true);
  await page.locator('.answer em').waitFor();
  assert.equal(await page.evaluate(() => getSelection()?.toString().trim()), 'First paragraph.');
  assert.equal(
    await last?.evaluate((element) => element.isConnected && element.textContent),
    'Second one, and a third',
  );
});

test('a reload in mid-answer keeps everything, the unsent text too', async () => {
  const url = server.withThread('t', [question('1', 'go')], 'running');
  server.thread('t').answer('1', 'So far', true);
  const { page } = await open(url);
  await page.getByText('So far').waitFor();
  await page.getByLabel('Message').fill('half a thought');
  await page.reload();
  await page.getByText('So far').waitFor();
  assert.equal(await page.getByLabel('Message').inputValue(), 'half a thought');
  server.thread('t').answer('1', 'So far, so good', true);
  await page.getByText('So far, so good').waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'go' }).waitFor();
});

test('a running turn is stopped', async () => {
  const url = server.withThread('t', [question('1', 'go')], 'running');
  const thread = server.thread('t');
  thread.stopped = () => {
    thread.put({ id: 'n', kind: 'notice', turnId: '1', code: 'task-canceled', text: 'The task was canceled.' });
    thread.setStatus('idle');
  };
  const { page } = await open(url);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.locator('.notice', { hasText: 'The task was canceled.' }).waitFor();
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
  assert.deepEqual(
    server.calls.map(({ path }) => path),
    ['/api/v1/threads/t/stop'],
  );
});

test('a notice shows its words and its code, a step its state, what went in and what came out', async () => {
  const url = server.withThread('t', [
    question('1', 'go'),
    { id: 's', kind: 'step', turnId: '1', name: 'look_up', args: { place: 'Oslo' }, state: 'running' },
  ]);
  const { page } = await open(url);
  await page.locator('.step.running', { hasText: 'look_up' }).waitFor();
  server.thread('t').put({
    id: 's',
    kind: 'step',
    turnId: '1',
    name: 'look_up',
    args: { place: 'Oslo' },
    state: 'failed',
    result: 'no such place',
  });
  server.thread('t').put({
    id: 'n',
    kind: 'notice',
    turnId: '1',
    code: 'task-failed',
    category: 'timeout',
    text: "The agent's task failed.",
  });
  await page.locator('.step.failed').click();
  await page.getByText('"place": "Oslo"').waitFor();
  await page.getByText('no such place').waitFor();
  await page.locator('.notice', { hasText: "The agent's task failed." }).getByText('task-failed · timeout').waitFor();
});

test('a request that waits for a person is shown with its state', async () => {
  const url = server.withThread(
    't',
    [
      question('1', 'go'),
      { id: 'r', kind: 'request', turnId: '1', type: 'tool-approval', state: 'open', heading: 'Delete it?' },
    ],
    'waiting',
  );
  const { page } = await open(url);
  await page.locator('.request', { hasText: 'Delete it?' }).getByText('waiting for a person').waitFor();
  await page.getByText('Waiting for you').waitFor();
});

test('a message that is lost on its way back is sent again with its key, and stands there once', async () => {
  server.refusals = ['drop', 'drop'];
  server.withThread('t', []);
  const { page } = await open(`${server.url}/threads/t`);
  await page.getByLabel('Message').fill('only once');
  await page.getByLabel('Message').press('Enter');
  await page.locator('.message time').waitFor();
  await page.locator('.outgoing').waitFor({ state: 'detached' });
  const keys = new Set(server.calls.map(({ body }) => body['idempotencyKey']));
  assert.deepEqual([keys.size, (await page.getByText('only once', { exact: true }).count()) > 0], [1, true]);
  assert.equal(server.thread('t').timeline().entries.length, 1);
});

test('a message that waits for the server survives a reload, and arrives when the server does', async () => {
  const url = server.withThread('t', []);
  const { page } = await open(url);
  await page.getByText('Ready').waitFor();
  await server.stop();
  await page.getByText('Reconnecting…').waitFor();
  await page.getByLabel('Message').fill('for later');
  await page.getByLabel('Message').press('Enter');
  await page.getByText('Not sent yet, trying again…').waitFor();
  await server.start();
  await page.reload();
  await page.locator('.message time').waitFor();
  assert.deepEqual(
    server
      .thread('t')
      .timeline()
      .entries.map((entry) => entry.kind === 'message' && entry.text),
    ['for later'],
  );
});

test('a refused message comes back into the box, with the reason beside it', async () => {
  server.refusals = [{ status: 429, code: 'thread-full', detail: 'A hundred messages wait already.' }];
  server.withThread('t', []);
  const { page } = await open(`${server.url}/threads/t`);
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
  const url = server.withThread('t', [question('1', 'go')], 'running');
  const thread = server.thread('t');
  thread.answer('1', 'Half of the', true);
  const { page } = await open(url);
  await page.locator('.answer', { hasText: 'Half of the' }).waitFor();
  await server.stop();
  await page.getByText('Reconnecting…').waitFor();
  await page.locator('.answer', { hasText: 'Half of the' }).waitFor();
  thread.answer('1', 'Half of the answer, and the other half.', false);
  thread.setStatus('idle');
  await server.start();
  await page.locator('.answer', { hasText: 'Half of the answer, and the other half.' }).waitFor();
  await page.getByText('Ready').waitFor();
  assert.deepEqual(thread.resumedFrom.slice(0, 2), [0, 3], 'the browser resumed from the last event');
});

test('markdown is shown as it is meant: a list that goes on, a column to the right, a name of a language', async () => {
  const text =
    '3. three\n4. four\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```sh\nls\n```\n\n- [x] done\n\n[docs][d] &rarr; a<br>b\n\n[d]: https://docs.example/x';
  const { page } = await open(
    server.withThread('t', [{ id: 'a', kind: 'answer', turnId: '1', text, streaming: false }]),
  );
  assert.equal(await page.locator('.answer ol').getAttribute('start'), '3');
  assert.equal(await page.locator('.answer td').last().getAttribute('class'), 'to-right');
  assert.equal(await page.locator('.code-head').getByText('sh').count(), 1);
  assert.equal(await page.locator('.answer ul').textContent(), '☑ done');
  assert.equal(await page.getByRole('link', { name: 'docs' }).getAttribute('href'), 'https://docs.example/x');
  assert.match(await page.locator('.answer p').last().innerHTML(), /docs<\/a> → a<br>b$/);
});

test('a page that nobody looks at lets go of its stream, and is whole again when it is seen', async () => {
  const url = server.withThread('t', [question('1', 'go')], 'running');
  const thread = server.thread('t');
  const { page } = await open(url, {}, async (fresh) => fresh.clock.install());
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

test('an address without a thread says so', async () => {
  const { page } = await open(`${server.url}/threads/nobody`);
  await page.getByRole('heading', { name: 'There is no such thread' }).waitFor();
  await page.getByRole('link', { name: 'New thread' }).click();
  await page.getByRole('heading', { name: 'Demo agent' }).waitFor();
});

test('with several agents one is chosen, and remembered', async () => {
  server.bindings = [
    { name: 'demo', agent: { name: 'Demo agent' } },
    { name: 'ops', agent: null },
  ];
  const { page } = await open(server.url);
  await page.getByRole('radio', { name: 'ops' }).check();
  await page.reload();
  await page.getByRole('radio', { name: 'ops' }).waitFor();
  assert.equal(await page.getByRole('radio', { name: 'ops' }).isChecked(), true);
  await page.getByLabel('Message').fill('hi');
  await page.getByLabel('Message').press('Enter');
  await page.waitForURL('**/threads/t1');
  assert.equal(server.calls[0]?.body['binding'], 'ops');
});

test('everything is done with the keyboard alone', async () => {
  server.onTurn = (thread, turnId) => {
    thread.put({ id: 's', kind: 'step', turnId, name: 'look_up', args: 'what went in', state: 'done', result: {} });
    thread.setStatus('running');
  };
  const { page } = await open(server.url);
  await page.getByRole('heading', { name: 'Demo agent' }).waitFor();
  const tabTo = async (name: string): Promise<void> => {
    for (let presses = 0; presses < 30; presses++) {
      const focused = page.locator(':focus');
      if (
        (await focused.count()) > 0 &&
        (await focused.evaluate((e) => `${e.ariaLabel} ${e.textContent}`)).includes(name)
      )
        return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`no way to ${name}`);
  };
  await tabTo('Message');
  await page.keyboard.type('first');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('second');
  await page.keyboard.press('Enter');
  await page.getByText('look_up').waitFor();
  assert.equal(server.calls[0]?.body['text'], 'first\nsecond');
  await tabTo('look_up');
  const outline = await page.locator(':focus').evaluate((element) => getComputedStyle(element).outlineStyle);
  assert.equal(outline, 'solid', 'focus is seen');
  await page.keyboard.press('Enter');
  await page.getByText('what went in').waitFor();
  await tabTo('Stop');
  await page.keyboard.press('Space');
  await page.waitForFunction(() => document.querySelector('.stop')?.textContent === 'Stopping…');
  await tabTo('New thread');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Demo agent' }).waitFor();
});

test('on a phone nothing is wider than the screen, and the threads are a tap away', async () => {
  const url = server.withThread('t', [
    question('1', 'a'.repeat(300)),
    {
      id: 'a',
      kind: 'answer',
      turnId: '1',
      text: `\`${'b'.repeat(300)}\`\n\n\`\`\`\n${'c'.repeat(300)}\n\`\`\`\n\n|${'d|'.repeat(40)}\n|${'-|'.repeat(40)}\n`,
      streaming: false,
    },
  ]);
  const { page } = await open(url, { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true });
  await page.locator('.answer table').waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  await page.getByRole('button', { name: 'Threads' }).tap();
  await page.getByRole('link', { name: 'New thread' }).tap();
  await page.getByRole('heading', { name: 'Demo agent' }).waitFor();
});

test('what a screen reader hears while an answer grows is that the agent works, and then the answer', async () => {
  const url = server.withThread('t', [question('1', 'go')], 'idle');
  const thread = server.thread('t');
  const { page } = await open(url);
  await page.getByText('Ready').waitFor();
  const heard = (text: string) => page.locator('#announcer', { hasText: text }).waitFor();
  await page.evaluate(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    const announcer = document.querySelector('#announcer') as Element;
    new MutationObserver(() => said.push(...(announcer.textContent ? [announcer.textContent] : []))).observe(
      announcer,
      {
        childList: true,
        characterData: true,
        subtree: true,
      },
    );
  });
  thread.setStatus('running');
  await heard('The agent is working.');
  for (const text of ['One', 'One two', 'One two three']) {
    thread.answer('1', text, true);
    await page.locator('.answer', { hasText: text }).waitFor();
  }
  thread.answer('1', 'One two three.', false);
  await heard('Answer: One two three.');
  assert.deepEqual(await page.evaluate(() => Reflect.get(window, 'said')), [
    'The agent is working.',
    'Answer: One two three.',
  ]);
});
