import type { KnownBlock } from '@slack/types';
import type { RequestEntry, RequestedTool } from '../../../../core/thread/entry.ts';
import { promptButton } from './prompt-button.ts';
import { preformatted } from './text-blocks.ts';

/** Each tool's name and exactly its arguments, as text that nothing in it can end (case C104). */
export function toolBlocks(tools: readonly RequestedTool[]): KnownBlock[] {
  return tools.flatMap(({ name, args }, place) => {
    const text = tools.length > 1 ? `${place + 1}. ${name}` : name;
    const title: KnownBlock = {
      type: 'rich_text',
      elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text, style: { bold: true } }] }],
    };
    return args === undefined ? [title] : [title, preformatted(JSON.stringify(args, undefined, 2) ?? 'null')];
  });
}

/** The agent takes the decisions of several tools together (rule Q9). */
export function decisionButtons({ id, tools }: RequestEntry): KnownBlock[] {
  const all = tools.length > 1 ? ` all ${tools.length}` : '';
  const elements = [
    promptButton(`Approve${all}`, { kind: 'approve' }, id, 'primary'),
    promptButton(`Deny${all}`, { kind: 'deny' }, id, 'danger'),
    ...(tools.length > 1 ? [promptButton('Decide each', { kind: 'decide' }, id)] : []),
  ];
  return [{ type: 'actions', elements }];
}
