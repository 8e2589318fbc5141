import { Lexer, Marked, type Tokens } from 'marked';
import type { Definitions } from './blocks.ts';
import { isTame } from './tame.ts';

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** HTML that an agent writes is shown as it was written; only a line break in a table cell is meant as one. */
function html({ raw, block }: Tokens.HTML | Tokens.Tag): string {
  if (/^<br\s*\/?>$/i.test(raw.trim())) return '<br>';
  return block ? `<p>${escaped(raw.trim()).replace(/\n/g, '<br>')}</p>` : escaped(raw);
}

/** No image is loaded: its address would tell the sender who reads it, and when. It is a link instead. */
function image({ href, text }: Tokens.Image): string {
  return `<a href="${escaped(href)}">Image: ${escaped(text === '' ? href : text)}</a>`;
}

const marked = new Marked({
  gfm: true,
  renderer: { html, image, checkbox: ({ checked }) => (checked ? '☑ ' : '☐ ') },
});

/** One block of markdown as HTML that is still to be cleaned. `undefined`: too deep or too odd to read. */
export function blockHtml(raw: string, definitions: Definitions): string | undefined {
  if (!isTame(raw)) return undefined;
  try {
    const lexer = new Lexer(marked.defaults);
    Object.assign(lexer.tokens.links, definitions);
    return marked.parser(lexer.lex(raw));
  } catch {
    return undefined;
  }
}
