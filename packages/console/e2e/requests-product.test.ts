import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { AskingAgent, type Scene } from './asking-agent.ts';
import { launchBrowser, type Opened, openPage } from './browser.ts';
import { configFor } from './config-for.ts';
import { Kourier } from './kourier.ts';

let browser: Browser | undefined;
let opened: Opened[] = [];
let ends: (() => Promise<unknown>)[] = [];

before(async () => {
  browser = await launchBrowser();
});
after(() => browser?.close());
afterEach(async () => {
  const complaints = opened.flatMap((page) => page.complaints);
  await Promise.all(opened.map(({ context }) => context.close()));
  for (const end of ends.toReversed()) await end();
  opened = [];
  ends = [];
  assert.deepEqual(complaints, []);
});

interface Play {
  readonly agent: AskingAgent;
  readonly kourier: Kourier;
}

/** The real product, bound to an agent that plays these scenes in each turn. */
async function play(...scenes: readonly Scene[]): Promise<Play> {
  const agent = await AskingAgent.start('Ops agent', ...scenes);
  ends.push(() => agent.close());
  const folder = await mkdtemp(join(tmpdir(), 'kourier-config-'));
  ends.push(() => rm(folder, { recursive: true }));
  await writeFile(
    join(folder, 'ops.yaml'),
    configFor('ops', agent.url, 'interactions: { questions: { timeout: 1h }, toolApprovals: { timeout: 1h } }'),
  );
  const kourier = await Kourier.start('--config', folder);
  ends.push(() => kourier.remove());
  return { agent, kourier };
}

async function open(url: string, name: string): Promise<Page> {
  assert.ok(browser !== undefined);
  const page = await openPage(browser, url);
  opened.push(page);
  await page.page.getByLabel('Writing as').fill(name);
  return page.page;
}

async function begin({ kourier }: Play): Promise<Page> {
  const page = await open(kourier.url, 'Mara');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await write(page, 'tidy up');
  await page.locator('.request.open').waitFor();
  return page;
}

async function write(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message').fill(text);
  await page.getByLabel('Message').press('Enter');
}

const ready = (page: Page) => page.locator('.pill.idle').waitFor();
const button = (page: Page, name: string) => page.locator('.request').getByRole('button', { name, exact: true });
const TOOLS = [
  { id: 'confirm-1', call_id: 'call-1', name: 'delete_pod', args: { namespace: 'prod', name: 'web-0' } },
  { id: 'confirm-2', call_id: 'call-2', name: 'run', args: { script: 'set -e\n\tls\n' } },
];
const call: Scene = { kind: 'call', id: 'call-1', name: 'delete_pod', args: { namespace: 'prod', name: 'web-0' } };
const done: Scene = { kind: 'say', text: 'All done.' };
const approvalOf = (...tools: readonly object[]): Scene => {
  const payload = { type: 'tool_approval_request', hint: 'May I tidy up?', tools };
  return { kind: 'ask', text: 'May I tidy up?', payload };
};

test('Q3 a question in plain text is answered in the box, and the answer stands in its turn', async () => {
  const one = await play({ kind: 'ask', text: 'Which cluster?' }, done);
  const page = await begin(one);
  await page.locator('.request legend', { hasText: 'Which cluster?' }).waitFor();
  await page.getByPlaceholder("Answer the agent's question").fill('staging');
  await page.keyboard.press('Enter');
  await page.locator('.answer', { hasText: 'All done.' }).waitFor();
  await ready(page);
  await page.locator('.decision', { hasText: 'Answered by you' }).waitFor();
  assert.deepEqual(await page.locator('.turn').count(), 1, 'the answer is no turn of its own');
  assert.deepEqual(await page.locator('.turn .bubble').allTextContents(), ['tidy up', 'staging']);
  const [, answer] = one.agent.heard;
  assert.match(answer?.text ?? '', /^\[Web: Mara \(.+\)\]\nstaging$/);
  assert.deepEqual([answer?.taskId, answer?.payload], ['task-1', undefined]);
});

test('Q10 a form with choices reaches the agent whole, and while it is open a message waits', async () => {
  const questions = [
    { question: 'Which region?', choices: ['eu-west-1', 'us-east-1'], multiple: false },
    { question: 'Which add-ons?', choices: ['ingress', 'monitoring', 'mesh'], multiple: true },
    { question: 'Any name?', choices: [], multiple: false },
  ];
  const payload = { type: 'ask_user_request', id: 'ask-1', questions };
  const one = await play({ kind: 'ask', text: 'Some questions', payload }, done);
  const page = await begin(one);
  await write(page, 'are you there?');
  await page.locator('.notice.calm[data-code=answer-the-prompt]').waitFor();
  await page.locator('.message', { hasText: 'are you there?' }).getByText('Queued').waitFor();
  await page.getByRole('radio', { name: 'us-east-1' }).check();
  await page.getByRole('checkbox', { name: 'mesh' }).check();
  await page.getByRole('checkbox', { name: 'ingress' }).check();
  await page.getByLabel('Any name?').fill('demo');
  await button(page, 'Send 3 answers').click();
  await page.locator('.answer', { hasText: 'All done.' }).waitFor();
  assert.deepEqual(one.agent.heard[1]?.payload, {
    type: 'ask_user_response',
    id: 'ask-1',
    answers: [{ answer: ['us-east-1'] }, { answer: ['ingress', 'mesh'] }, { answer: ['demo'] }],
  });
  // The message that waited is a turn of its own, and the agent asks again.
  await page.locator('.request.open').waitFor();
  assert.equal(await page.locator('.turn').count(), 2);
});

test('Q9 one tool is approved and one denied: the agent gets just that, and the page shows who and when', async () => {
  const one = await play(call, approvalOf(...TOOLS), done);
  const page = await begin(one);
  await page.getByRole('heading', { name: 'May I tidy up?' }).waitFor();
  await page.locator('.step', { hasText: 'waiting for a decision' }).waitFor();
  await page.locator('.time-left', { hasText: /^5\d min left$/ }).waitFor();
  await page.getByRole('group', { name: 'delete_pod' }).getByText('Approve').click();
  await page.getByRole('group', { name: 'run' }).getByText('Deny').click();
  await button(page, 'Approve 1, deny 1').click();
  await page.locator('.answer', { hasText: 'All done.' }).waitFor();
  await page.locator('.decision', { hasText: 'Approved 1, denied 1 by you' }).locator('time').waitFor();
  const [, answer] = one.agent.heard;
  assert.deepEqual(answer?.payload, {
    type: 'tool_approval_response',
    approvals: [
      { id: 'confirm-1', approved: true },
      { id: 'confirm-2', approved: false, rejection_reason: 'denied by an approver in chat' },
    ],
  });
  assert.deepEqual([answer?.text, answer?.actor?.['platform']], ['rejected', 'web']);
});

test('kourier is killed while a request is open: the click after its restart counts, and so does one before', async () => {
  const one = await play(approvalOf(TOOLS[0] ?? {}), approvalOf(TOOLS[1] ?? {}), done);
  const page = await begin(one);
  await one.kourier.kill();
  await page.getByText('Reconnecting…').waitFor();
  await one.kourier.start();
  await page.getByText('Waiting for you').waitFor();
  await button(page, 'Approve').click();
  await page.getByText('set -e').waitFor();
  await one.kourier.kill();
  await page.getByText('Reconnecting…').waitFor();
  await button(page, 'Deny').click();
  await page.getByText('Not sent yet, trying again…').waitFor();
  await one.kourier.start();
  await page.locator('.answer', { hasText: 'All done.' }).waitFor();
  await ready(page);
  assert.deepEqual(
    one.agent.heard.slice(1).map(({ text }) => text),
    ['approved', 'rejected'],
  );
});

test('two pages decide in the same moment: one decision, and both say whose', async () => {
  const one = await play(approvalOf(TOOLS[0] ?? {}), done);
  const mara = await begin(one);
  const ben = await open(mara.url(), 'Ben');
  const buttons = await Promise.all([button(mara, 'Approve').elementHandle(), button(ben, 'Deny').elementHandle()]);
  // Held as they are: neither click waits for what the other one changes.
  await Promise.all(buttons.map((held) => held?.evaluate((element) => (element as HTMLElement).click())));
  const decisions = await Promise.all(
    [mara, ben].map(async (page) => {
      await page.locator('.answer', { hasText: 'All done.' }).waitFor();
      return (await page.locator('.decision').textContent())?.replace(/\s+/g, ' ');
    }),
  );
  const maraWon = decisions[0]?.startsWith('Approved by you');
  const expected = maraWon
    ? [/^Approved by you/, /^Approved by Mara browser-/]
    : [/^Denied by Ben browser-/, /^Denied by you/];
  for (const [at, words] of expected.entries()) assert.match(decisions[at] ?? '', words);
  await (maraWon ? ben : mara).getByText('What you sent came after that, so it did not count.').waitFor();
  assert.equal(await (maraWon ? mara : ben).getByText('did not count').count(), 0);
  assert.deepEqual(
    one.agent.heard.slice(1).map(({ text }) => text),
    [maraWon ? 'approved' : 'rejected'],
  );
});
