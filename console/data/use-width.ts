import { useSyncExternalStore } from 'react';

const createWidthCheck = (query: string): (() => boolean) => {
  const media = matchMedia(query);
  const subscribe = (changed: () => void) => {
    media.addEventListener('change', changed);
    return () => media.removeEventListener('change', changed);
  };
  return () => useSyncExternalStore(subscribe, () => media.matches);
};

/** If the window is at least this wide, pages show additional columns. `style/tokens.css` uses the same width. */
export const useWide = createWidthCheck('(min-width: 1600px)');

/** The styles use the same width. */
export const usePhone = createWidthCheck('(max-width: 760px)');
