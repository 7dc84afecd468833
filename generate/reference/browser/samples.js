const root = document.documentElement;
const PLACE = 'petstore-sample';
const PLACEHOLDER = /\$PETSTORE_URL|http:\/\/127\.0\.0\.1:8080/g;
const base = root.dataset.base ?? new URL('.', location.href).href.replace(/\/$/, '');

for (const code of document.querySelectorAll('code[data-base], article pre code')) {
  code.textContent = (code.textContent ?? '').replaceAll(PLACEHOLDER, base);
}

/** @param {string} way */
const choose = (way) => {
  root.dataset.sample = way;
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-way]'))) {
    button.ariaPressed = String(button.dataset.way === way);
  }
};

/** A stored language may no longer exist. In this case, the page shows the samples of all languages. */
const recall = () => {
  try {
    const way = localStorage.getItem(PLACE) ?? '';
    return document.querySelector(`[data-way="${CSS.escape(way)}"]`) ? way : 'curl';
  } catch {
    return 'curl';
  }
};

/** @param {HTMLElement} pre */
const copy = async (pre) => {
  // Over plain http, browsers offer the clipboard only on localhost. On other hosts, the reader can copy the selection.
  getSelection()?.selectAllChildren(pre);
  await navigator.clipboard?.writeText(pre.textContent ?? '');
  return navigator.clipboard ? 'Copied' : 'Selected';
};

/** @param {HTMLElement} pre */
const addCopyButton = (pre) => {
  const [block, button] = [document.createElement('div'), document.createElement('button')];
  block.className = 'block';
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    button.textContent = await copy(pre);
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
  pre.replaceWith(block);
  block.append(pre, button);
};

choose(recall());
document.addEventListener('click', ({ target }) => {
  const way = target instanceof HTMLElement ? target.dataset.way : undefined;
  if (way === undefined) return;
  choose(way);
  try {
    localStorage.setItem(PLACE, way);
  } catch {
    // Storage is blocked, so the choice lasts only until the page is closed.
  }
});

document.addEventListener(
  'toggle',
  ({ target: part }) => {
    if (!(part instanceof HTMLDetailsElement) || !part.open) return;
    for (const pre of part.querySelectorAll('pre')) {
      if (pre.closest('details') === part && !pre.closest('.block, .try')) addCopyButton(pre);
    }
  },
  true,
);
