import { useSyncExternalStore } from 'react';

/** If the window is at least this wide, pages show additional columns. `style/tokens.css` uses the same width. */
const WIDE = matchMedia('(min-width: 1600px)');

const subscribe = (changed: () => void) => {
  WIDE.addEventListener('change', changed);
  return () => WIDE.removeEventListener('change', changed);
};

export const useWide = (): boolean => useSyncExternalStore(subscribe, () => WIDE.matches);
