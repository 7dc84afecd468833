import { useState } from 'react';
import { Button } from '../kit/button.tsx';
import { texts } from '../texts.ts';

/** A script in the head of every page reads this entry from local storage before the first paint. */
const PLACE = 'petstore-theme';
const THEMES = ['system', 'light', 'dark'];

export const ThemeButton = () => {
  const [theme, setTheme] = useState(document.documentElement.dataset.theme ?? 'system');
  const change = () => {
    const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
    localStorage.setItem(PLACE, next);
    if (next === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    setTheme(next);
  };
  return (
    <Button kind="quiet" onClick={change} aria-label={texts.shell.theme(theme)}>
      ◐<span className="wide"> {theme}</span>
    </Button>
  );
};
