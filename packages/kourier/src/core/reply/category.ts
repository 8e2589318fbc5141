import { LIMITS } from '../limits.ts';
import type { FailureCategory } from '../thread/entry.ts';
import type { Status } from './agent-event.ts';

/** The first that fits is the category. A code is read before the text, which may quote anything. */
const SIGNS: readonly (readonly [FailureCategory, RegExp])[] = [
  [
    'context-limit',
    /context[ _-]?(length|window|limit|size)|(maximum|max|too many)[ _-]?(context|input )?tokens|prompt is too long|token limit/,
  ],
  ['rate-limit', /rate[ _-]?limit|too many requests|\b429\b|quota|resource[ _-]?exhausted|throttl/],
  [
    'authentication',
    /authenticat|unauthenticated|unauthori[sz]ed|\b401\b|invalid[ _-](api[ _-]?)?(key|token|credential)|expired[ _-]?token|token[ _-]?expired/,
  ],
  ['permission', /permission|forbidden|\b403\b|access[ _-]denied|not[ _-](allowed|authori[sz]ed)/],
  ['timeout', /time[ _-]?d?[ _-]?out|deadline[ _-]?exceeded|\b(408|504)\b/],
];

/**
 * What kind of failure an agent reports (rule E8): from its codes, else from the status message's text, 32 parts and
 * 4096 characters of it. Only the category leaves this function, never the text.
 */
export function failureCategory({ codes, message }: Status): FailureCategory | undefined {
  return categoryOf(codes.join(' ')) ?? categoryOf(textOf(message?.parts ?? []));
}

function textOf(parts: NonNullable<Status['message']>['parts']): string {
  let text = '';
  for (const part of parts.slice(0, LIMITS.failureParts)) {
    if (part.kind === 'text') text += `${part.text} `;
    if (text.length >= LIMITS.failureCharacters) return text.slice(0, LIMITS.failureCharacters);
  }
  return text;
}

function categoryOf(text: string): FailureCategory | undefined {
  const lower = text.toLowerCase();
  return SIGNS.find(([, sign]) => sign.test(lower))?.[0];
}
