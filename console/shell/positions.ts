/** The page and its lists, which scroll separately. */
const SCROLLERS = '#page, #page .table, #page .column';
const RESTORE_MS = 60_000;
/** After one of these, the user scrolls, so the console must not. */
const BY_USER = ['wheel', 'touchstart', 'pointerdown', 'keydown'];

const positions = new Map<string, readonly number[]>();
let shown = location.href;
let isReturning = false;

const scrollers = (): Element[] => [...document.querySelectorAll(SCROLLERS)];

const note = ({ type }: Event): void => {
  positions.set(
    shown,
    scrollers().map(({ scrollTop }) => scrollTop),
  );
  shown = location.href;
  isReturning = type === 'popstate';
};

/** Must run after `guardBack`, which hides Back and Forward from later listeners if the user has to confirm them. */
export const keepPositions = (): void => {
  // wouter dispatches the last two events.
  for (const type of ['popstate', 'pushState', 'replaceState']) addEventListener(type, note, { capture: true });
};

/**
 * Opens a new page at the top, and a page after Back or Forward where the user left it. Lists may still be loading, so
 * this is repeated until they are long enough.
 */
export const restorePositions = (): (() => void) => {
  const wanted = (isReturning && positions.get(shown)) || [0];
  const endsAt = Date.now() + RESTORE_MS;
  const ended = new AbortController();
  const stop = () => ended.abort();
  const restore = () => {
    if (ended.signal.aborted) return;
    const all = scrollers();
    for (const [index, top] of wanted.entries()) all[index]?.scrollTo({ top });
    const isDone = wanted.every((top, index) => Math.abs((all[index]?.scrollTop ?? 0) - top) < 1);
    if (isDone || Date.now() > endsAt) stop();
    else requestAnimationFrame(restore);
  };
  for (const type of BY_USER) addEventListener(type, stop, { capture: true, signal: ended.signal });
  restore();
  return stop;
};
