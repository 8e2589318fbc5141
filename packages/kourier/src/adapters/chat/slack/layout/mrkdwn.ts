import { escapedMrkdwn } from './inert.ts';

/**
 * Inert Markdown in Slack's older markup, for where a Markdown block is not taken. What is bold stays bold, the rest is
 * text; its entities are undone first, so that they are escaped once.
 */
export function mrkdwn(markdown: string): string {
  const plain = plainOf(markdown);
  return escapedMrkdwn(plain)
    .replace(/^ {0,3}#{1,6}\s+(.+?)\s*#*$/gm, '*$1*')
    .replace(/\*\*([^*\n]+)\*\*/g, '*$1*')
    .replace(/^([^\S\n]*)[-*+]\s+/gm, '$1• ')
    .replace(/!?\[([^\]\n]*)\]\(([^)\s]*)\)/g, '$1 ($2)');
}

/** Inert Markdown as plain text. */
export function plainOf(markdown: string): string {
  return markdown.replaceAll('&lt;', '<').replaceAll('&amp;', '&');
}
