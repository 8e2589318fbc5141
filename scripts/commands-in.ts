/** One command of a document: a line of a fenced `sh` block. */
export interface Command {
  readonly text: string;
  /** `README.md:12`. */
  readonly at: string;
  /** Why it is not run, as the fence says: ```` ```sh skip: needs a cluster ````. */
  readonly skip?: string;
}

/** The commands of a Markdown text in their order; comments are left out, continued lines and `&&` are taken apart. */
export function commandsIn(file: string, markdown: string): Command[] {
  const commands: Command[] = [];
  let block: { readonly skip?: string } | undefined;
  let unfinished = '';
  for (const [index, line] of markdown.split('\n').entries()) {
    const fence = /^\s*```(.*)$/.exec(line)?.[1];
    if (fence !== undefined) {
      block = block === undefined ? opened(fence) : undefined;
      continue;
    }
    if (block === undefined) continue;
    const text = unfinished + line.replace(/(^|\s)#.*$/, '').trim();
    unfinished = text.endsWith('\\') ? `${text.slice(0, -1).trimEnd()} ` : '';
    if (unfinished !== '') continue;
    for (const part of text.split(' && ')) {
      if (part.trim() !== '') commands.push({ ...block, text: part.trim(), at: `${file}:${index + 1}` });
    }
  }
  return commands;
}

function opened(fence: string): { readonly skip?: string } | undefined {
  const skip = /^sh skip: (.+)$/.exec(fence)?.[1];
  if (skip !== undefined) return { skip };
  return fence.trim() === 'sh' ? {} : undefined;
}
