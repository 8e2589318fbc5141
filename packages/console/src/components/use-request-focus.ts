import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
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
  useLayoutEffect(() => {
    if (!isOpen) return;
    // In the next frame the page stands where it follows its end; much later it would move under somebody's pointer.
    const frame = requestAnimationFrame(() => present(card.current, takesFocus));
    return () => cancelAnimationFrame(frame);
  }, [isOpen]);
}

function present(card: HTMLElement | null, takesFocus: boolean): void {
  if (card === null) return;
  if (takesFocus && nothingInHand()) card.focus({ preventScroll: true });
  if (!isAtEnd() || card.getBoundingClientRect().top >= 0) return;
  card.scrollIntoView();
  // Told at once: before its own event comes, the page would have followed its end again.
  window.dispatchEvent(new Event('scroll'));
}

/** Nothing has the focus, or the box for messages has, which gets it by itself, and is empty. */
function nothingInHand(): boolean {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body) return true;
  return (
    activeElement instanceof HTMLTextAreaElement &&
    activeElement.value === '' &&
    activeElement.closest('.composer') !== null
  );
}

function isAtEnd(): boolean {
  const { scrollHeight, scrollTop, clientHeight } = document.documentElement;
  return scrollHeight - scrollTop - clientHeight < NEAR_PX;
}
