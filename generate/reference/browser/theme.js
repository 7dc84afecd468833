/** Applies the reader's colour theme. Runs before the first paint, so that the page does not flash. */
const THEMES = ['system', 'light', 'dark'];
const PLACE = 'petstore-theme';
const root = document.documentElement;

/** Storage may be blocked. The choice then lasts until the page is closed. */
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
    button.textContent = `◐ ${theme}`;
    button.ariaLabel = `Theme: ${theme}`;
    button.removeAttribute('hidden');
  }
};

const change = () => {
  theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
  try {
    localStorage.setItem(PLACE, theme);
  } catch {
    // Storage is blocked: the choice lasts until the page is closed.
  }
  show();
};

show();
addEventListener('DOMContentLoaded', () => {
  show();
  for (const button of document.querySelectorAll('button.theme')) button.addEventListener('click', change);
});
