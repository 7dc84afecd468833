/** Samples: with the address of this service in them, in the way that the reader chose, and easy to copy. */
const root = document.documentElement;
const PLACE = 'petstore-sample';
/** What samples and guides have in the place of the address. */
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

/** A way that no sample has any more would leave all of them open. */
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
  // On a plain http address other than this machine's there is no clipboard: what is selected can be copied by hand.
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
    // It holds for the page.
  }
});

/** Buttons come with the part that is opened: most parts of the page never are. */
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
