import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approval } from './requests.ts';
import { question, setStage } from './stage.ts';

const stage = setStage();

test('a message is written, the thread stands in the address, and the answer grows', async () => {
  stage.server.onTurn = (thread, turnId) => {
    thread.setStatus('running');
    thread.answer(turnId, 'Hello **wor', true);
  };
  const { page } = await stage.open(stage.server.url);
  await page.getByLabel('Writing as').fill('Mara');
  await page.getByLabel('Message').fill('Good morning');
  await page.getByLabel('Message').press('Enter');
  await page.waitForURL('**/threads/t1');
  await page.locator('.answer strong', { hasText: /^wor$/ }).waitFor();
  await page.getByText('Running').waitFor();
  stage.server.thread('t1').answer('turn-1', 'Hello **world**, all is well', true);
  await page.locator('.answer', { hasText: /^Hello world, all is well$/ }).waitFor();
  stage.server.thread('t1').answer('turn-1', 'Hello **world**, all is well.', false);
  stage.server.thread('t1').setStatus('idle');
  await page.getByText('Ready').waitFor();
  assert.equal(await page.locator('.message').count(), 1);
  assert.equal(await page.getByLabel('Message').inputValue(), '');
  assert.match(await page.title(), /^Good morning/);
  const [{ body } = { body: {} as Record<string, unknown> }] = stage.server.calls;
  assert.deepEqual([body['binding'], body['text'], typeof body['idempotencyKey']], ['demo', 'Good morning', 'string']);
  assert.deepEqual(Object.keys(body['actor'] as object), ['id', 'name']);
});

test('an answer keeps its elements while it grows: nothing flickers, and a selection stays', async () => {
  const url = stage.server.withThread('t', [question('1', 'go')], 'running');
  stage.server.thread('t').answer('1', 'First paragraph.\n\nSecond', true);
  const { page } = await stage.open(url);
  await page.getByText('First').selectText();
  const last = await page.getByText('Second').elementHandle();
  stage.server.thread('t').answer('1', 'First paragraph.\n\nSecond one, *and* a third', true);
  await page.locator('.answer em').waitFor();
  assert.equal(await page.evaluate(() => getSelection()?.toString().trim()), 'First paragraph.');
  assert.equal(
    await last?.evaluate((element) => element.isConnected && element.textContent),
    'Second one, and a third',
  );
});

test('a reload in mid-answer keeps everything, the unsent text too', async () => {
  const url = stage.server.withThread('t', [question('1', 'go')], 'running');
  stage.server.thread('t').answer('1', 'So far', true);
  const { page } = await stage.open(url);
  await page.getByText('So far').waitFor();
  await page.getByLabel('Message').fill('half a thought');
  await page.reload();
  await page.getByText('So far').waitFor();
  assert.equal(await page.getByLabel('Message').inputValue(), 'half a thought');
  stage.server.thread('t').answer('1', 'So far, so good', true);
  await page.getByText('So far, so good').waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'go' }).waitFor();
});

test('a running turn is stopped', async () => {
  const url = stage.server.withThread('t', [question('1', 'go')], 'running');
  const thread = stage.server.thread('t');
  thread.stopped = () => {
    thread.put({ id: 'n', kind: 'notice', turnId: '1', code: 'task-canceled', text: 'The task was canceled.' });
    thread.setStatus('idle');
  };
  const { page } = await stage.open(url);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.locator('.notice', { hasText: 'The task was canceled.' }).waitFor();
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
  assert.deepEqual(
    stage.server.calls.map(({ path }) => path),
    ['/api/v1/threads/t/stop'],
  );
});

test('a notice shows its words and its code, a step its state, what went in and what came out', async () => {
  const url = stage.server.withThread('t', [
    question('1', 'go'),
    { id: 's', kind: 'step', turnId: '1', name: 'look_up', args: { place: 'Oslo' }, state: 'running' },
  ]);
  const { page } = await stage.open(url);
  await page.locator('.step.running', { hasText: 'look_up' }).waitFor();
  stage.server.thread('t').put({
    id: 's',
    kind: 'step',
    turnId: '1',
    name: 'look_up',
    args: { place: 'Oslo' },
    state: 'failed',
    result: 'no such place',
  });
  stage.server.thread('t').put({
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

test('a request that waits for a person is shown, and the thread says that it waits', async () => {
  const url = stage.server.withThread('t', [question('1', 'go'), approval({ heading: 'Delete it?' })], 'waiting');
  const { page } = await stage.open(url);
  await page.locator('.request.open', { hasText: 'Delete it?' }).waitFor();
  await page.getByText('Waiting for you').waitFor();
});

test('markdown is shown as it is meant: a list that goes on, a column to the right, a name of a language', async () => {
  const text =
    '3. three\n4. four\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```sh\nls\n```\n\n- [x] done\n\n[docs][d] &rarr; a<br>b\n\n[d]: https://docs.example/x';
  const { page } = await stage.open(
    stage.server.withThread('t', [{ id: 'a', kind: 'answer', turnId: '1', text, streaming: false }]),
  );
  assert.equal(await page.locator('.answer ol').getAttribute('start'), '3');
  assert.equal(await page.locator('.answer td').last().getAttribute('class'), 'to-right');
  assert.equal(await page.locator('.code-head').getByText('sh').count(), 1);
  assert.equal(await page.locator('.answer ul').textContent(), '☑ done');
  assert.equal(await page.getByRole('link', { name: 'docs' }).getAttribute('href'), 'https://docs.example/x');
  assert.match(await page.locator('.answer p').last().innerHTML(), /docs<\/a> → a<br>b$/);
});

test('an address without a thread says so', async () => {
  const { page } = await stage.open(`${stage.server.url}/threads/nobody`);
  await page.getByRole('heading', { name: 'There is no such thread' }).waitFor();
  await page.getByRole('link', { name: 'New thread' }).click();
  await page.getByRole('heading', { name: 'Demo agent' }).waitFor();
});

test('with several agents one is chosen, and remembered', async () => {
  stage.server.bindings = [
    { name: 'demo', agent: { name: 'Demo agent' } },
    { name: 'ops', agent: null },
  ];
  const { page } = await stage.open(stage.server.url);
  await page.getByRole('radio', { name: 'ops' }).check();
  await page.reload();
  await page.getByRole('radio', { name: 'ops' }).waitFor();
  assert.equal(await page.getByRole('radio', { name: 'ops' }).isChecked(), true);
  await page.getByLabel('Message').fill('hi');
  await page.getByLabel('Message').press('Enter');
  await page.waitForURL('**/threads/t1');
  assert.equal(stage.server.calls[0]?.body['binding'], 'ops');
});
