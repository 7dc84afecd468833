/** This script runs before the first paint, so that the page does not flash in the wrong colours. */
const THEMES = ['system', 'light', 'dark'];
const PLACE = 'petstore-theme';
const root = document.documentElement;

const recall = () => {
  try {
    const kept = localStorage.getItem(PLACE) ?? '';
    return THEMES.includes(kept) ? kept : 'system';
  } catch {
    return 'system';
  }
};

let theme = recall();

const show = () => {
  if (theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme;
  for (const button of document.querySelectorAll('button.theme')) {
    button.setAttribute('data-choice', theme);
    button.setAttribute('title', `Theme: ${theme}`);
    button.ariaLabel = `Theme: ${theme}`;
    button.removeAttribute('hidden');
  }
};

const change = () => {
  theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
  try {
    localStorage.setItem(PLACE, theme);
  } catch {
    // Storage is blocked, so the choice lasts only until the page is closed.
  }
  show();
};

show();
addEventListener('DOMContentLoaded', () => {
  show();
  for (const button of document.querySelectorAll('button.theme')) button.addEventListener('click', change);
});
