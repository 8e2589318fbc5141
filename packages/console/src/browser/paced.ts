/** After a drawing that took long, the page has this many times as long for everything else. */
const REST_FACTOR = 3;
const CHEAP_MS = 8;
/** A hidden page has no frames. */
const HIDDEN_MS = 500;

export interface Paced {
  request(): void;
  cancel(): void;
}

/**
 * Calls `draw` at most once a frame, and less often when drawing is slow: a long answer costs a quarter of the time at
 * most, so that the page can still be scrolled, typed into and stopped.
 */
export function paced(draw: () => void): Paced {
  let frame: number | undefined;
  let timer: number | undefined;
  let drawing = false;
  let wanted = false;

  const plan = (waitMs: number): void => {
    if (document.hidden) timer = window.setTimeout(run, HIDDEN_MS);
    else if (waitMs > 0) timer = window.setTimeout(run, waitMs);
    else frame = requestAnimationFrame(run);
  };
  const run = (): void => {
    frame = undefined;
    timer = undefined;
    drawing = true;
    wanted = false;
    const startMs = performance.now();
    draw();
    // A task of its own: the page's elements are made after `draw` returns, and laid out after that.
    timer = window.setTimeout(() => {
      timer = undefined;
      drawing = false;
      const tookMs = performance.now() - startMs;
      if (wanted) plan(tookMs < CHEAP_MS ? 0 : tookMs * REST_FACTOR);
    });
  };
  return {
    request() {
      if (drawing) wanted = true;
      else if (frame === undefined && timer === undefined) plan(0);
    },
    cancel() {
      if (frame !== undefined) cancelAnimationFrame(frame);
      clearTimeout(timer);
    },
  };
}
