import { type ComponentChildren, h, type VNode } from 'preact';
import { AgentLink } from '../components/agent-link.tsx';
import { CodeBlock } from '../components/code-block.tsx';

/** Headings of an answer stand below those of the page. */
const PLAIN_TAGS: Readonly<Record<string, string>> = {
  P: 'p',
  BR: 'br',
  HR: 'hr',
  H1: 'h3',
  H2: 'h4',
  H3: 'h5',
  H4: 'h6',
  H5: 'h6',
  H6: 'h6',
  BLOCKQUOTE: 'blockquote',
  UL: 'ul',
  LI: 'li',
  STRONG: 'strong',
  EM: 'em',
  DEL: 'del',
  CODE: 'code',
  THEAD: 'thead',
  TBODY: 'tbody',
  TR: 'tr',
};

/** White space between their children is the layout of the source. */
const WORDLESS_TAGS: ReadonlySet<string> = new Set(['UL', 'OL', 'BLOCKQUOTE', 'TABLE', 'THEAD', 'TBODY', 'TR']);

/**
 * Cleaned HTML as nodes of the page: a growing paragraph keeps its elements, so nothing flickers and a selection
 * stays. It is the second allow-list: an element that is not named here is only its text.
 */
export function nodesOf(parent: Node): ComponentChildren[] {
  const wordless = !(parent instanceof Element) || WORDLESS_TAGS.has(parent.tagName);
  return Array.from(parent.childNodes, (child) => {
    if (child instanceof Text) return wordless && child.data.trim() === '' ? null : child.data;
    return child instanceof Element ? nodeOf(child) : null;
  });
}

function nodeOf(element: Element): ComponentChildren {
  const text = element.textContent ?? '';
  switch (element.tagName) {
    case 'A':
      return (
        <AgentLink href={element.getAttribute('href') ?? ''} text={text}>
          {nodesOf(element)}
        </AgentLink>
      );
    case 'PRE':
      return <CodeBlock text={text} language={languageOf(element)} />;
    case 'OL':
      return <ol start={startOf(element)}>{nodesOf(element)}</ol>;
    case 'TABLE':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard
        <section class="table-frame" tabIndex={0} aria-label="Table">
          <table>{nodesOf(element)}</table>
        </section>
      );
    case 'TH':
    case 'TD':
      return cellOf(element);
    default:
      return plainNodeOf(element);
  }
}

function plainNodeOf(element: Element): VNode | ComponentChildren[] {
  const tag = PLAIN_TAGS[element.tagName];
  if (tag === undefined) return nodesOf(element);
  return tag === 'br' || tag === 'hr' ? h(tag, null) : h(tag, null, nodesOf(element));
}

function cellOf(element: Element): VNode {
  const align = element.getAttribute('align');
  const side = align === 'right' || align === 'center' ? `to-${align}` : undefined;
  return element.tagName === 'TH' ? <th class={side}>{nodesOf(element)}</th> : <td class={side}>{nodesOf(element)}</td>;
}

function startOf(element: Element): number {
  const start = Number(element.getAttribute('start') ?? '1');
  return Number.isSafeInteger(start) && start >= 0 ? start : 1;
}

function languageOf(element: Element): string {
  const found = /(?:^|\s)language-([\w+#.-]{1,30})/.exec(element.firstElementChild?.getAttribute('class') ?? '');
  return found?.[1] ?? '';
}
