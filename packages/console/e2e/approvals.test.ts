import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { RequestEntry, StepEntry } from '../src/api/wire.ts';
import { approval, NOW } from './requests.ts';
import { question, setStage } from './stage.ts';

const stage = setStage();

const asked = (request: RequestEntry): string =>
  stage.server.withThread('t', [question('1', 'go'), request], 'waiting');
const submit = (page: Page) => page.locator('.request button[type=submit]');
const approve = (page: Page) => page.getByRole('button', { name: 'Approve', exact: true });
const decidedBy = (id: string, name: string, approved: boolean): RequestEntry =>
  approval({ state: 'answered', answer: { actor: { id, name }, answers: [], approvals: [{ id: 'x', approved }] } });

const three = ['one', 'two', 'three'].map((name) => ({ id: `id-${name}`, name, args: { name } }));

test('nothing is preselected, and the button says what will happen', async () => {
  const { page } = await stage.open(asked(approval({ tools: three })));
  await submit(page).getByText('Approve or deny each tool').waitFor();
  assert.equal(await page.getByRole('radio', { checked: true }).count(), 0);
  await submit(page).click();
  await page.locator('.field-error').nth(2).waitFor();
  assert.equal(stage.server.calls.length, 0);
  await page.getByRole('button', { name: 'Deny all' }).click();
  await submit(page).getByText('Deny all 3').waitFor();
  await page.getByRole('button', { name: 'Approve all' }).click();
  await submit(page).getByText('Approve all 3').waitFor();
  await page.getByRole('group', { name: 'two' }).getByText('Deny').click();
  await page.reload();
  await submit(page).getByText('Approve 2, deny 1').click();
  await page.locator('.decision', { hasText: 'Approved 2, denied 1 by you' }).waitFor();
  assert.deepEqual(stage.server.calls[0]?.body['approvals'], [
    { id: 'id-one', approved: true },
    { id: 'id-two', approved: false },
    { id: 'id-three', approved: true },
  ]);
  assert.deepEqual(await page.locator('.decided .step-state').allTextContents(), ['approved', 'denied', 'approved']);
});

test('Q7, C103, C104: what would run is shown exactly, whole, and as nothing but text', async () => {
  const script = '\tset -e\n<img src=x onerror="window.pwned=1">\n```\n[ok](javascript:window.pwned=1)  \n';
  const args = { script, name: ' web-0', long: 'y '.repeat(9_000), n: 1.5, list: [null, true] };
  const { page } = await stage.open(asked(approval({ tools: [{ id: 'x', name: '</code><b>rm', args }] })));
  const block = page.locator('.value');
  const text = (await block.textContent()) ?? '';
  assert.equal(text, JSON.stringify(args, null, 2).replaceAll('\\n', '\n').replaceAll('\\t', '\t'));
  assert.equal(await page.locator('.tool-name').textContent(), '</code><b>rm');
  const tags = await page.locator('.tool *').evaluateAll((all) => all.map(({ localName }) => localName));
  assert.deepEqual(new Set(tags), new Set(['div', 'code', 'pre', 'span']));
  const marks = await page
    .locator('.blank')
    .evaluateAll((all) => all.map((one) => `${one.className} ${getComputedStyle(one, '::before').content}`));
  assert.deepEqual(marks, [
    'blank tab "→"',
    'blank line "↵"',
    'blank line "↵"',
    'blank line "↵"',
    'blank space none',
    'blank space none',
    'blank line "↵"',
    'blank space none',
    'blank space none',
  ]);
  assert.ok(await block.evaluate((element) => element.scrollHeight > element.clientHeight && element.tabIndex === 0));
  assert.equal(await page.evaluate(() => Reflect.get(window, 'pwned')), undefined);
});

test('two clicks are one decision, and until its entry is there it is being sent', async () => {
  const held = Promise.withResolvers<void>();
  stage.server.onAnswer = () => held.promise;
  const { page } = await stage.open(asked(approval()));
  await approve(page).dblclick();
  await page.getByText('Sending…').waitFor();
  await page.getByRole('button', { name: 'Deny' }).dispatchEvent('click');
  assert.equal(await page.locator('.request.open').count(), 1, 'the entry decides');
  held.resolve();
  await page.locator('.decision', { hasText: 'Approved by you' }).waitFor();
  assert.deepEqual(
    stage.server.calls.map(({ body }) => body['approvals']),
    [[{ id: 'x', approved: true }]],
  );
});

test('who comes too late sees what was decided and by whom', async () => {
  const held = Promise.withResolvers<void>();
  stage.server.onAnswer = () => held.promise;
  const { page } = await stage.open(asked(approval()));
  await approve(page).click();
  await page.getByText('Sending…').waitFor();
  stage.server.thread('t').put(decidedBy('u2', 'Ben', false));
  await page.locator('.decision', { hasText: 'Denied by Ben u2' }).waitFor();
  held.resolve();
  await page.getByText('What you sent came after that, so it did not count.').waitFor();
});

test('a decision that the server knows before the page does is told beside the form', async () => {
  stage.server.refusals = [{ status: 409, code: 'already-settled', detail: 'The request was denied by Ben (u2).' }];
  const { page } = await stage.open(asked(approval()));
  await approve(page).click();
  await page.getByRole('alert').getByText('The request was denied by Ben (u2).').waitFor();
  await approve(page).dispatchEvent('click');
  assert.equal(stage.server.calls.length, 1);
});

test('a refused answer leaves everything as it was, with the reason beside it', async () => {
  stage.server.refusals = [
    { status: 422, code: 'answer-incomplete', detail: 'a tool is not decided' },
    { status: 403, code: 'not-an-approver', detail: 'Ask one of the approvers.' },
  ];
  const { page } = await stage.open(asked(approval({ tools: three })));
  await page.getByRole('button', { name: 'Approve all' }).click();
  for (const why of ['a tool is not decided', 'Ask one of the approvers.']) {
    await submit(page).getByText('Approve all 3').click();
    await page.getByRole('alert').getByText(why).waitFor();
    assert.equal(await page.getByRole('radio', { checked: true }).count(), 3);
  }
  await submit(page).click();
  await page.locator('.request.settled').waitFor();
});

test('an answer that is lost on its way back is sent again, and its own decision is no surprise', async () => {
  stage.server.refusals = ['drop'];
  const { page } = await stage.open(asked(approval()));
  const again = page.waitForResponse((response) => response.status() === 409);
  await approve(page).click();
  await page.locator('.decision', { hasText: 'Approved by you' }).waitFor();
  await again;
  assert.equal(await page.getByText('did not count').count(), 0);
});

test('while the server is away an answer waits, and can be changed', async () => {
  const { page } = await stage.open(asked(approval()));
  await page.getByText('Waiting for you').waitFor();
  await stage.server.stop();
  await approve(page).click();
  await page.getByText('Not sent yet, trying again…').waitFor();
  await page.getByRole('button', { name: 'Change' }).click();
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByText('Not sent yet, trying again…').waitFor();
  await stage.server.start();
  await page.locator('.decision', { hasText: 'Denied by you' }).waitFor();
});

test('who is no approver sees what is asked, that others decide it, and as whom this page counts', async () => {
  const { page } = await stage.open(asked(approval({ approvers: ['U123', 'ops'] })));
  await page.getByText('You cannot decide this: it takes one of its approvers, U123, ops.').waitFor();
  const me = (await page.evaluate(() => localStorage.getItem('kourier.actor.id'))) ?? '';
  await page.getByText(`You are ${me} here.`).waitFor();
  await page.getByText('"web-0"').waitFor();
  assert.equal(await page.locator('.request button').count(), 0);
  stage.server.thread('t').put(approval({ approvers: ['U123', me] }));
  await approve(page).click();
  await page.locator('.request.settled').waitFor();
});

test('how a request ended is told in words, with its time where that is on record', async () => {
  const url = asked(decidedBy('u2', 'Ben', true));
  const thread = stage.server.thread('t');
  thread.put(approval({ id: 'e', state: 'expired' }));
  thread.put(approval({ id: 'c', state: 'canceled' }));
  thread.put({ ...decidedBy('u2', 'Ben', true), id: 'f', state: 'failed' });
  stage.server.audit = [{ request: 'r', at: NOW }];
  const { page } = await stage.open(url);
  await page.locator('.decision time').waitFor();
  assert.equal(await page.locator('.decision time').getAttribute('datetime'), NOW);
  const told = await page.locator('.request').allInnerTexts();
  for (const [at, words] of [
    [0, /Approved\s+by Ben u2/],
    [1, /Expired\s+Nobody decided in time, so it was denied\.\s+delete_pod\s+denied/],
    [2, /Closed\s+It was over before a decision counted\.\s+delete_pod\s+undecided/],
    [3, /Failed\s+by Ben u2\s+The agent did not take what it was given\./],
  ] as const) {
    assert.match(told[at] ?? '', words);
  }
});

test('the time that is left is counted down where it is seen, and not into the ears', async () => {
  const { page } = await stage.open(asked(approval()), {}, (fresh) => fresh.clock.install({ time: NOW }));
  await page.locator('.time-left', { hasText: /^(9|10) min left$/ }).waitFor();
  await page.clock.runFor(9 * 60_000);
  await page.locator('.time-left.short', { hasText: 'less than a minute left' }).waitFor();
  await page.clock.runFor(60_000);
  await page.locator('.time-left', { hasText: 'time is up' }).waitFor();
  assert.equal(await page.locator('[aria-live=polite] .time-left, [role=status] .time-left').count(), 0);
  await approve(page).click();
  await page.locator('.request.settled').waitFor();
});

test('a step that runs while its turn waits for an approval says that it waits', async () => {
  const step: StepEntry = { id: 's', kind: 'step', turnId: '1', name: 'delete_pod', state: 'running' };
  stage.server.withThread('t', [question('0', 'before'), { ...step, id: 'other', turnId: '0' }]);
  const url = stage.server.withThread('t', [question('1', 'go'), step, approval()], 'waiting');
  const { page } = await stage.open(url);
  await page.locator('.step.waiting', { hasText: 'waiting for a decision' }).waitFor();
  assert.deepEqual(await page.locator('.step-state').allTextContents(), ['running', 'waiting for a decision']);
  await approve(page).click();
  await page.locator('.step.running').nth(1).waitFor();
});

test('notices of requests have the tone of what they tell', async () => {
  const tones = {
    'answer-the-prompt': 'calm',
    'request-expired': 'warn',
    'question-not-allowed': 'warn',
    'limit-exceeded': 'warn',
    'answer-rejected': 'bad',
  };
  const notices = Object.keys(tones).map(
    (code) => ({ id: code, kind: 'notice', turnId: '1', code, text: code }) as const,
  );
  const { page } = await stage.open(stage.server.withThread('t', [question('1', 'go'), ...notices]));
  for (const [code, tone] of Object.entries(tones)) {
    assert.equal(await page.locator(`[data-code=${code}]`).getAttribute('class'), `notice ${tone}`);
  }
});

test('a click that was meant for what stood there before decides nothing', async () => {
  const url = stage.server.withThread('t', [question('1', 'go')], 'running');
  const { page } = await stage.open(url);
  await page.getByText('Running').waitFor();
  await page.evaluate(() => {
    const { promise, resolve } = Promise.withResolvers<string[]>();
    const look = async (): Promise<void> => {
      const foot = document.querySelector('.answer-foot');
      if (foot === null) return;
      watch.disconnect();
      const first = getComputedStyle(foot).pointerEvents;
      await Promise.all(foot.getAnimations().map(({ finished }) => finished));
      resolve([first, getComputedStyle(foot).pointerEvents]);
    };
    const watch = new MutationObserver(look);
    watch.observe(document.body, { childList: true, subtree: true });
    Object.assign(window, { armed: promise });
  });
  stage.server.thread('t').put(approval());
  assert.deepEqual(await page.evaluate(() => Reflect.get(window, 'armed')), ['none', 'auto']);
});

test('an approval fits a phone, in the dark as well', async () => {
  const args = { command: `kubectl ${'--flag=value '.repeat(60)}`, manifest: `a: ${'b'.repeat(400)}\nc: d\n` };
  const url = asked(
    approval({ heading: 'x'.repeat(300), tools: [...three, { id: 'long', name: 'l'.repeat(300), args }] }),
  );
  const { page } = await stage.open(url, {
    viewport: { width: 360, height: 640 },
    isMobile: true,
    colorScheme: 'dark',
  });
  await page.locator('.lines').waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  const wide = await page
    .locator('.request *')
    .evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().right > 360).map((one) => one.className));
  assert.deepEqual(wide, []);
});
