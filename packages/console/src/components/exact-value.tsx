import type { ComponentChild, VNode } from 'preact';
import { exactJson, type Piece } from '../request/exact-json.ts';
import { VisibleText } from './visible-text.tsx';

/** A value exactly as the agent sent it: inert text, whole, with everything marked that the eye would miss. */
export function ExactValue({ value }: { readonly value: unknown }): VNode {
  if (value === undefined) return <p class="none">No arguments</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long value is scrolled with the keyboard
    <pre class="value exact" tabIndex={0}>
      {exactJson(value).map(view)}
    </pre>
  );
}

function view(piece: Piece, at: number): ComponentChild {
  switch (piece.kind) {
    case 'text':
      return <VisibleText key={at} text={piece.text} />;
    case 'string':
      return (
        <span key={at} class="lines">
          {piece.pieces.map(view)}
        </span>
      );
    default:
      // The mark is the style sheet's: what is selected and copied is the value.
      return (
        <span key={at} class={`blank ${piece.kind}`}>
          {piece.text}
        </span>
      );
  }
}
