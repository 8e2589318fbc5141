import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';

/**
 * Brings a request to whoever has nothing else in hand: the focus goes to it when it appears, unless something is being
 * written, chosen or read elsewhere. Once it is settled, the focus that its form had stays with it.
 */
export function useRequestFocus(card: RefObject<HTMLElement | null>, isOpen: boolean, takesFocus: boolean): void {
  const hadFocus = card.current?.contains(document.activeElement) === true;
  useLayoutEffect(() => {
    if (!isOpen && hadFocus) card.current?.focus({ preventScroll: true });
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen || card.current === null) return;
    if (takesFocus && nothingInHand()) card.current.focus({ preventScroll: true });
    if (isAtEnd() && card.current.offsetHeight > window.innerHeight / 2) card.current.scrollIntoView();
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
  return scrollHeight - scrollTop - clientHeight < 2;
}
