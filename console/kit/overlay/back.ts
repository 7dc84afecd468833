import { isGuarded, leave } from './leave.ts';

/** The URL of the page that is shown. After Back or Forward, `location` already contains the URL of the next page. */
let shown = location.href;
let isGoing = false;

const note = (): void => {
  shown = location.href;
};

/**
 * Asks the user before Back or Forward discards unsaved work. `isSamePlace` returns true if no work is lost when the
 * page changes from one URL to the other.
 */
export const guardBack = (isSamePlace: (from: URL, to: URL) => boolean): void => {
  // wouter dispatches these two events.
  for (const type of ['pushState', 'replaceState']) addEventListener(type, note);
  addEventListener(
    'popstate',
    (event) => {
      if (isGoing || !isGuarded() || isSamePlace(new URL(shown), new URL(location.href))) {
        isGoing = false;
        return note();
      }
      // Hides the event from wouter, which would show the other page, and restores the URL immediately, because
      // `history.forward()` would take effect too late.
      event.stopImmediatePropagation();
      history.pushState(null, '', shown);
      leave(() => {
        isGoing = true;
        history.back();
      });
    },
    { capture: true },
  );
};
