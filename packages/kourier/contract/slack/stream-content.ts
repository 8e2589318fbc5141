import type { Stream, StreamTask } from './model.ts';
import type { Shape } from './shape.ts';

/** The written text of a stream, without its tasks. */
export function streamText(stream: Stream): string {
  return stream.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

/** UTF-8 bytes of everything that was streamed: what Slack caps. */
export function streamBytes(stream: Stream): number {
  let bytes = Buffer.byteLength(streamText(stream) + (stream.planTitle ?? ''));
  for (const { title, details, output } of stream.tasks.values()) bytes += Buffer.byteLength(title + details + output);
  for (const part of stream.parts) {
    if (part.kind === 'blocks') bytes += Buffer.byteLength(JSON.stringify(part.blocks));
  }
  return bytes;
}

/** What a stream comes to as blocks, in the order in which its parts began. */
export function streamBlocks(stream: Stream): readonly Shape[] {
  const cards = [...stream.tasks.values()].map(taskCard);
  const plan = stream.displayMode === 'plan' && cards.length > 0;
  const blocks: Shape[] = plan ? [{ type: 'plan', title: stream.planTitle ?? '', tasks: cards }] : [];
  for (const part of stream.parts) {
    if (part.kind === 'text') blocks.push({ type: 'markdown', text: part.text });
    else if (part.kind === 'blocks') blocks.push(...part.blocks);
    else if (!plan) blocks.push(...[...stream.tasks.values()].filter(({ id }) => id === part.id).map(taskCard));
  }
  return blocks;
}

function taskCard(task: StreamTask): Shape {
  return {
    type: 'task_card',
    task_id: task.id,
    title: task.title,
    status: task.status,
    ...(task.details === '' ? {} : { details: richText(task.details) }),
    ...(task.output === '' ? {} : { output: richText(task.output) }),
    ...(task.sources.length === 0 ? {} : { sources: task.sources }),
  };
}

/** Text as the composer of a client makes it, in its simplest form. */
export function richText(text: string): Shape {
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }] };
}
