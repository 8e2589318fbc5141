import { isShape, type Shape, shapeIn, shapesIn, textIn } from '../shape.ts';
import { SlackError } from '../slack-error.ts';
import { checkElement, checkLength, checkText, wrong } from './check-elements.ts';
import { LIMITS } from './limits.ts';
import { countMarkdownBlocks } from './markdown-blocks.ts';

/** Throws what Slack answers to blocks that it does not take. `max` counts after Markdown was expanded. */
export function checkBlocks(blocks: readonly Shape[], max: number = LIMITS.blocksInMessage): void {
  const seenBlocks = new Set<string>();
  const seenActions = new Set<string>();
  for (const block of blocks) {
    const id = textIn(block, 'block_id');
    checkLength(id, LIMITS.id, 'block_id');
    if (id !== undefined && block['type'] !== 'markdown') {
      if (seenBlocks.has(id)) throw wrong(`\`block_id\` "${id}" already exists`);
      seenBlocks.add(id);
    }
    checkBlock(block, seenActions);
  }
  const tables = blocks.filter(({ type }) => type === 'table');
  if (tables.length > 1) throw new SlackError('invalid_attachments', { detail: 'only_one_table_allowed' });
  const markdown = blocks.filter(({ type }) => type === 'markdown').map((block) => textIn(block, 'text') ?? '');
  const markdownLength = markdown.reduce((sum, text) => sum + text.length, 0);
  if (markdownLength > LIMITS.markdownText) throw new SlackError('msg_blocks_too_long');
  if (blockText(blocks) > LIMITS.blocksTogether) throw new SlackError('msg_blocks_too_long');
  const expanded = markdown.reduce((sum, text) => sum + Math.max(1, countMarkdownBlocks(text)), 0);
  if (blocks.length - markdown.length + expanded > max) throw wrong(`no more than ${max} items allowed`);
}

/** Characters that are written in blocks. */
export function blockText(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + blockText(each), 0);
  if (!isShape(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [name, each]) =>
      sum + (typeof each === 'string' ? (['text', 'title'].includes(name) ? each.length : 0) : blockText(each)),
    0,
  );
}

type Check = (block: Shape, seenActions: Set<string>) => void;

const CHECKS: Readonly<Record<string, Check>> = {
  section(block, seen) {
    const fields = shapesIn(block, 'fields');
    if (block['text'] !== undefined || fields.length === 0) {
      checkText(block['text'], LIMITS.sectionText, 'section text');
    }
    if (fields.length > LIMITS.sectionFields) throw wrong('fields: no more than 10 items allowed');
    for (const field of fields) checkText(field, LIMITS.fieldText, 'field');
    const accessory = shapeIn(block, 'accessory');
    if (accessory !== undefined) checkElement(accessory, seen);
  },
  header: (block) => checkText(block['text'], LIMITS.headerText, 'header text', ['plain_text']),
  divider: () => undefined,
  context(block) {
    const elements = shapesIn(block, 'elements');
    if (elements.length < 1) throw wrong('elements: no less than 1 items allowed');
    if (elements.length > LIMITS.contextElements) throw wrong('elements: no more than 10 items allowed');
    for (const element of elements) {
      if (element['type'] !== 'image') checkText(element, LIMITS.sectionText, 'context element');
    }
  },
  actions(block, seen) {
    const elements = shapesIn(block, 'elements');
    if (elements.length < 1) throw wrong('elements: no less than 1 items allowed');
    if (elements.length > LIMITS.actionsElements) throw wrong('elements: no more than 25 items allowed');
    for (const element of elements) checkElement(element, seen);
  },
  input(block, seen) {
    checkText(block['label'], LIMITS.labelText, 'label', ['plain_text']);
    if (block['hint'] !== undefined) checkText(block['hint'], LIMITS.labelText, 'hint', ['plain_text']);
    const element = shapeIn(block, 'element');
    if (element === undefined) throw wrong('missing required field: element');
    checkElement(element, seen);
  },
  markdown(block) {
    if ((textIn(block, 'text') ?? '') === '') throw wrong('text: must be more than 0 characters');
  },
  table: checkTable,
  task_card: checkTask,
  plan(block) {
    if (textIn(block, 'title') === undefined) throw wrong('missing required field: title');
    for (const task of shapesIn(block, 'tasks')) checkTask(task);
  },
  rich_text(block) {
    if (shapesIn(block, 'elements').length === 0) throw wrong('missing required field: elements');
  },
  image(block) {
    if (textIn(block, 'alt_text') === undefined) throw wrong('missing required field: alt_text');
  },
  context_actions(block, seen) {
    for (const element of shapesIn(block, 'elements')) checkElement(element, seen);
  },
  alert: (block) => checkText(block['text'], LIMITS.sectionText, 'alert text'),
};

function checkBlock(block: Shape, seenActions: Set<string>): void {
  const check = CHECKS[textIn(block, 'type') ?? ''];
  if (check === undefined) throw wrong(`unsupported type: ${String(block['type'])}`);
  check(block, seenActions);
}

function checkTask(task: Shape): void {
  for (const name of ['task_id', 'title']) {
    if ((textIn(task, name) ?? '') === '') throw wrong(`missing required field: ${name}`);
  }
  const status = textIn(task, 'status');
  if (status !== undefined && !TASK_STATUSES.includes(status)) throw wrong(`status: invalid value ${status}`);
  for (const name of ['details', 'output']) {
    const text = task[name];
    if (text !== undefined && !(isShape(text) && text['type'] === 'rich_text'))
      throw wrong(`${name}: must be rich_text`);
  }
}

export const TASK_STATUSES: readonly string[] = ['pending', 'in_progress', 'complete', 'error'];

function checkTable(table: Shape): void {
  const rows = Array.isArray(table['rows']) ? table['rows'] : [];
  if (rows.length < 1 || rows.length > LIMITS.tableRows) throw wrong('rows: between 1 and 100 items allowed');
  for (const row of rows) {
    if (!Array.isArray(row) || row.length < 1 || row.length > LIMITS.tableColumns) {
      throw wrong('row: between 1 and 20 items allowed');
    }
    for (const cell of row) {
      if (blockText(cell) === 0) throw wrong('cell: must be more than 0 characters');
    }
  }
  if (blockText(rows) > LIMITS.tableText) throw wrong('table: no more than 10000 characters allowed');
}
