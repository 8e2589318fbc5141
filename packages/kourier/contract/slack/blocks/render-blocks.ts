import { isShape, type Shape, shapeIn, shapesIn, textIn } from '../shape.ts';
import { readText } from './stored-text.ts';

type NameOf = (user: string) => string;

/** Blocks as a person reads them, one a line; Markdown stays as it is written. */
export function renderBlocks(blocks: readonly Shape[], nameOf: NameOf): string {
  return blocks
    .map((block) => renderBlock(block, nameOf))
    .filter((text) => text !== '')
    .join('\n');
}

function renderBlock(block: Shape, nameOf: NameOf): string {
  switch (block['type']) {
    case 'divider':
      return '---';
    case 'markdown':
      return textIn(block, 'text') ?? '';
    case 'plan':
      return [textIn(block, 'title') ?? '', ...shapesIn(block, 'tasks').map((task) => renderBlock(task, nameOf))].join(
        '\n',
      );
    case 'task_card':
      return renderTask(block, nameOf);
    case 'table':
      return renderTable(block, nameOf);
    case 'rich_text':
      return renderRich(block, nameOf);
    case 'image':
      return textIn(block, 'alt_text') ?? '';
    default:
      return [textOf(block['text'], nameOf), ...parts(block, nameOf)].filter((text) => text !== '').join('\n');
  }
}

function parts(block: Shape, nameOf: NameOf): readonly string[] {
  const accessory = shapeIn(block, 'accessory');
  const element = shapeIn(block, 'element');
  return [
    textOf(block['label'], nameOf),
    ...shapesIn(block, 'fields').map((field) => textOf(field, nameOf)),
    shapesIn(block, 'elements')
      .map((each) => renderElement(each, nameOf))
      .join(' '),
    ...[accessory, element].map((each) => (each === undefined ? '' : renderElement(each, nameOf))),
  ];
}

function renderElement(element: Shape, nameOf: NameOf): string {
  if (element['type'] === 'button') return `[${textOf(element['text'], nameOf)}]`;
  if (element['type'] === 'image') return textIn(element, 'alt_text') ?? '';
  if (typeof element['text'] === 'string') return textOf(element, nameOf);
  const options = [
    ...shapesIn(element, 'option_groups').flatMap((group) => shapesIn(group, 'options')),
    ...shapesIn(element, 'options'),
  ];
  return options.length === 0 ? '' : `[${options.map((option) => textOf(option['text'], nameOf)).join(' | ')}]`;
}

/** A text object: markup is read in `mrkdwn`, and `plain_text` stands as it is. */
function textOf(value: unknown, nameOf: NameOf): string {
  if (!isShape(value)) return '';
  const text = textIn(value, 'text') ?? '';
  return value['type'] === 'mrkdwn' ? readText(text, nameOf) : text;
}

function renderTask(task: Shape, nameOf: NameOf): string {
  const rich = ['details', 'output']
    .map((name) => shapeIn(task, name))
    .map((each) => (each ? renderRich(each, nameOf) : ''));
  const sources = shapesIn(task, 'sources').map((source) => textIn(source, 'url') ?? '');
  return [`(${textIn(task, 'status') ?? 'pending'}) ${textIn(task, 'title') ?? ''}`, ...rich, ...sources]
    .filter((text) => text !== '')
    .join('\n');
}

function renderTable(table: Shape, nameOf: NameOf): string {
  const rows = Array.isArray(table['rows']) ? table['rows'] : [];
  return rows
    .map((row: unknown) =>
      (Array.isArray(row) ? row.filter(isShape) : [])
        .map((cell) => (cell['type'] === 'rich_text' ? renderRich(cell, nameOf) : (textIn(cell, 'text') ?? '')))
        .join(' | '),
    )
    .join('\n');
}

function renderRich(rich: Shape, nameOf: NameOf): string {
  return shapesIn(rich, 'elements')
    .map((element) => {
      switch (element['type']) {
        case 'user':
          return `@${nameOf(textIn(element, 'user_id') ?? '')}`;
        case 'broadcast':
          return `@${textIn(element, 'range') ?? ''}`;
        case 'link':
          return textIn(element, 'text') ?? textIn(element, 'url') ?? '';
        case 'emoji':
          return `:${textIn(element, 'name') ?? ''}:`;
        case 'rich_text_list':
          return shapesIn(element, 'elements')
            .map((item) => `• ${renderRich(item, nameOf)}`)
            .join('\n');
        default:
          return textIn(element, 'text') ?? renderRich(element, nameOf);
      }
    })
    .join(rich['type'] === 'rich_text' ? '\n' : '');
}
