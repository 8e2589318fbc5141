import { checkBlocks, TASK_STATUSES } from '../blocks/check-blocks.ts';
import { LIMITS } from '../blocks/limits.ts';
import type { Stream } from '../model.ts';
import { type Shape, shapesIn, textIn } from '../shape.ts';
import { invalid, SlackError } from '../slack-error.ts';
import { streamBytes } from '../stream-content.ts';
import type { Arguments } from './arguments.ts';

/** What one call adds to a stream, checked. */
export interface Addition {
  readonly mode: 'chunks' | 'markdown';
  readonly chunks: readonly Shape[];
}

/** `markdown_text` or `chunks`, never both; absent: neither. */
export function readAddition(args: Arguments): Addition | undefined {
  const markdown = args.text('markdown_text');
  const chunks = args.objects('chunks', 'invalid_chunks');
  if (markdown !== undefined && chunks !== undefined) {
    throw new SlackError('cannot_provide_both_markdown_text_and_chunks');
  }
  if (markdown !== undefined) {
    if (markdown.length > LIMITS.markdownText) throw new SlackError('msg_too_long');
    return { mode: 'markdown', chunks: [{ type: 'markdown_text', text: markdown }] };
  }
  if (chunks === undefined) return undefined;
  for (const chunk of chunks) checkChunk(chunk);
  return { mode: 'chunks', chunks };
}

function wrong(why: string): SlackError {
  return invalid('invalid_chunks', why);
}

function checkChunk(chunk: Shape): void {
  switch (chunk['type']) {
    case 'markdown_text':
      if (textIn(chunk, 'text') === undefined) throw wrong('missing required field: text');
      return;
    case 'task_update':
      for (const name of ['id', 'title', 'status']) {
        if ((textIn(chunk, name) ?? '') === '') throw wrong(`missing required field: ${name}`);
      }
      if (!TASK_STATUSES.includes(textIn(chunk, 'status') ?? '')) throw wrong('status: invalid value');
      return;
    case 'plan_update':
      if ((textIn(chunk, 'title') ?? '') === '') throw wrong('missing required field: title');
      return;
    case 'blocks':
      checkBlocks(shapesIn(chunk, 'blocks'));
      return;
    default:
      throw wrong(`unsupported type: ${String(chunk['type'])}`);
  }
}

/**
 * Adds to a stream, or throws and leaves it as it was. A task's title and status are replaced; its details and output
 * grow by what each update brings.
 */
export function extend(stream: Stream, addition: Addition): void {
  if (stream.mode !== undefined && stream.mode !== addition.mode) throw new SlackError('streaming_mode_mismatch');
  const added = addition.chunks.reduce((sum, chunk) => sum + bytesOf(chunk), 0);
  if (streamBytes(stream) + added > LIMITS.streamBytes) throw new SlackError('msg_too_long');
  const blocks = [
    ...stream.parts.flatMap((part) => (part.kind === 'blocks' ? part.blocks : [])),
    ...addition.chunks.flatMap((chunk) => shapesIn(chunk, 'blocks')),
  ];
  if (blocks.length > LIMITS.blocksInMessage) throw new SlackError('msg_blocks_too_many');
  stream.mode = addition.mode;
  for (const chunk of addition.chunks) add(stream, chunk);
}

function bytesOf(chunk: Shape): number {
  const texts = ['text', 'title', 'details', 'output'].map((name) => textIn(chunk, name) ?? '');
  const blocks = shapesIn(chunk, 'blocks');
  return Buffer.byteLength(texts.join('')) + (blocks.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(blocks)));
}

function add(stream: Stream, chunk: Shape): void {
  switch (chunk['type']) {
    case 'markdown_text': {
      const last = stream.parts.at(-1);
      const text = textIn(chunk, 'text') ?? '';
      if (last?.kind === 'text') last.text += text;
      else if (text !== '') stream.parts.push({ kind: 'text', text });
      return;
    }
    case 'plan_update':
      stream.planTitle = textIn(chunk, 'title') ?? '';
      return;
    case 'blocks':
      stream.parts.push({ kind: 'blocks', blocks: shapesIn(chunk, 'blocks') });
      return;
    default:
      addTask(stream, chunk);
  }
}

function addTask(stream: Stream, chunk: Shape): void {
  const id = textIn(chunk, 'id') ?? '';
  let task = stream.tasks.get(id);
  if (task === undefined) {
    task = { id, title: '', status: 'pending', details: '', output: '', sources: [] };
    stream.tasks.set(id, task);
    stream.parts.push({ kind: 'task', id });
  }
  task.title = textIn(chunk, 'title') ?? task.title;
  task.status = textIn(chunk, 'status') ?? task.status;
  task.details += textIn(chunk, 'details') ?? '';
  task.output += textIn(chunk, 'output') ?? '';
  task.sources = [...task.sources, ...shapesIn(chunk, 'sources')];
}
