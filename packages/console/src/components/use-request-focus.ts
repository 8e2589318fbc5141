import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { NEAR_PX } from './use-follow-end.ts';

/**
 * Brings a request to whoever has nothing else in hand: the focus goes to it when it appears, unless something is being
 * written or chosen elsewhere. One that is higher than the page shows its beginning, not its buttons. Once it is
 * settled, the focus that its form had stays with it.
 */
export function useRequestFocus(card: RefObject<HTMLElement | null>, isOpen: boolean, takesFocus: boolean): void {
  const hadFocus = card.current?.contains(document.activeElement) === true;
  useLayoutEffect(() => {
    if (!isOpen && hadFocus) card.current?.focus({ preventScroll: true });
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen || card.current === null) return;
    if (takesFocus && nothingInHand()) card.current.focus({ preventScroll: true });
    if (!isAtEnd() || card.current.getBoundingClientRect().top >= 0) return;
    card.current.scrollIntoView();
    // Told at once: by the next frame the page would have followed its end again.
    window.dispatchEvent(new Event('scroll'));
  }, [isOpen]);
}

/** Nothing has the focus, or an empty box has: it gets it by itself. */
function nothingInHand(): boolean {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body) return true;
  return activeElement instanceof HTMLTextAreaElement && activeElement.value === '';
}

function isAtEnd(): boolean {
  const { scrollHeight, scrollTop, clientHeight } = document.documentElement;
  return scrollHeight - scrollTop - clientHeight < NEAR_PX;
}
