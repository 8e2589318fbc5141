import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Nearer to the end than this, a reader wants to see what comes. */
export const NEAR_PX = 80;

interface FollowEnd {
  /** `false` when the reader has gone up to read: then nothing moves under their eyes. */
  readonly atEnd: boolean;
  readonly toEnd: () => void;
}

/** Keeps the end of the page in sight while it grows, for as long as the reader is there. */
export function useFollowEnd(): FollowEnd {
  const [atEnd, setAtEnd] = useState(true);
  const following = useRef(true);
  const toEnd = (): void => {
    following.current = true;
    window.scrollTo({ top: document.documentElement.scrollHeight });
  };
  useEffect(() => {
    const look = (): void => {
      const { scrollHeight, scrollTop, clientHeight } = document.documentElement;
      following.current = scrollHeight - scrollTop - clientHeight < NEAR_PX;
      setAtEnd(following.current);
    };
    const grown = new ResizeObserver(() => {
      if (following.current) toEnd();
      else look();
    });
    grown.observe(document.body);
    addEventListener('scroll', look, { passive: true });
    return () => {
      grown.disconnect();
      removeEventListener('scroll', look);
    };
  }, []);
  useLayoutEffect(() => {
    if (following.current) toEnd();
  });
  return { atEnd, toEnd };
}
