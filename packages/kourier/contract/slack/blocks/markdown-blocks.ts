const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/**
 * How many blocks Slack makes of a text in Markdown: each paragraph, heading, list, table and fence is one. Slack tells
 * no rule; this is what was seen (slack.md 1.7).
 */
export function countMarkdownBlocks(text: string): number {
  let blocks = 0;
  let inside = false;
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true) fence = undefined;
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      inside = false;
      blocks++;
    } else if (line.trim() === '') {
      inside = false;
    } else if (/^ {0,3}(#{1,6}\s|(?:[-*_] *){3,}$)/.test(line)) {
      inside = false;
      blocks++;
    } else if (!inside) {
      inside = true;
      blocks++;
    }
  }
  return blocks;
}
