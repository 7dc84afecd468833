import { useState } from 'react';
import { texts } from '../texts.ts';

/** A script in the head of every page reads this entry from local storage before the first paint. */
const PLACE = 'petstore-theme';
const THEMES = ['system', 'light', 'dark'];

export const ThemeChoice = () => {
  const [theme, setTheme] = useState(document.documentElement.dataset.theme ?? 'system');
  const change = (next: string) => {
    localStorage.setItem(PLACE, next);
    if (next === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    setTheme(next);
  };
  return (
    <fieldset className="segments">
      <legend className="unseen">{texts.shell.theme}</legend>
      {THEMES.map((one) => (
        <label key={one}>
          <input type="radio" name="theme" checked={theme === one} onChange={() => change(one)} />
          {texts.shell.themes[one]}
        </label>
      ))}
    </fieldset>
  );
};
