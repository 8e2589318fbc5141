import type { VNode } from 'preact';
import { segments } from '../text/visible.ts';

/** Text as it is, never as markup, with what the eye would miss named in it (cases C103 and C104). */
export function VisibleText({ text }: { readonly text: string }): VNode {
  return (
    <>{segments(text).map((segment, at) => (segment.hidden ? <mark key={at}>{segment.text}</mark> : segment.text))}</>
  );
}
