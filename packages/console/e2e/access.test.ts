import assert from 'node:assert/strict';
import { test } from 'node:test';
import { question, setStage } from './stage.ts';

const stage = setStage();

test('everything is done with the keyboard alone', async () => {
  stage.server.onTurn = (thread, turnId) => {
    thread.put({ id: 's', kind: 'step', turnId, name: 'look_up', args: 'what went in', state: 'done', result: {} });
    thread.setStatus('running');
  };
  const { page } = await stage.open(stage.server.url);
  await page.getByRole('heading', { name: 'Demo agent' }).waitFor();
  const tabTo = async (name: string): Promise<void> => {
    for (let presses = 0; presses < 30; presses++) {
      // Read in one go: what has the focus may be gone a moment later.
      const focused = await page.evaluate(() => {
        const { activeElement, body } = document;
        return activeElement && activeElement !== body ? `${activeElement.ariaLabel} ${activeElement.textContent}` : '';
      });
      if (focused.includes(name)) return;
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
  assert.equal(stage.server.calls[0]?.body['text'], 'first\nsecond');
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
  const url = stage.server.withThread('t', [
    question('1', 'a'.repeat(300)),
    {
      id: 'a',
      kind: 'answer',
      turnId: '1',
      text: `\`${'b'.repeat(300)}\`\n\n\`\`\`\n${'c'.repeat(300)}\n\`\`\`\n\n|${'d|'.repeat(40)}\n|${'-|'.repeat(40)}\n`,
      streaming: false,
    },
  ]);
  const { page } = await stage.open(url, { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true });
  await page.locator('.answer table').waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  await page.getByRole('button', { name: 'Threads' }).tap();
  await page.getByRole('link', { name: 'New thread' }).tap();
  await page.getByRole('heading', { name: 'Demo agent' }).waitFor();
});

test('what a screen reader hears while an answer grows is that the agent works, and then the answer', async () => {
  const url = stage.server.withThread('t', [question('1', 'go')], 'idle');
  const thread = stage.server.thread('t');
  const { page } = await stage.open(url);
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
