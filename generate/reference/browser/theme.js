/** The colours that the reader has chosen for this browser. Runs before anything is drawn, so that nothing flashes. */
const THEMES = ['system', 'light', 'dark'];
const PLACE = 'petstore-theme';
const root = document.documentElement;

/** Where the browser keeps nothing, the choice holds for the page. */
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
    // It holds for the page.
  }
  show();
};

show();
addEventListener('DOMContentLoaded', () => {
  show();
  for (const button of document.querySelectorAll('button.theme')) button.addEventListener('click', change);
});
