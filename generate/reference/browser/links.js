const contents = document.querySelector('#contents');
const menu = document.querySelector('button.menu');

/** @param {boolean} isShown */
const showMenu = (isShown) => {
  contents?.classList.toggle('shown', isShown);
  menu?.setAttribute('aria-expanded', String(isShown));
};

/** @param {Element} part */
const openAround = (part) => {
  for (let each = /** @type {Element | null} */ (part); each; each = each.parentElement) {
    if (each instanceof HTMLDetailsElement) each.open = true;
  }
};

const markCurrent = () => {
  for (const link of contents?.querySelectorAll('a') ?? []) {
    const isCurrent = link.hash === location.hash;
    if (isCurrent) {
      openAround(link);
      link.setAttribute('aria-current', 'true');
    } else link.removeAttribute('aria-current');
  }
};

const named = () => {
  try {
    return document.getElementById(decodeURIComponent(location.hash.slice(1)));
  } catch {
    return null;
  }
};

const reveal = () => {
  const part = named();
  markCurrent();
  if (!part) return;
  openAround(part);
  showMenu(false);
  part.scrollIntoView();
  if (part instanceof HTMLInputElement) part.focus();
};

menu?.removeAttribute('hidden');
menu?.addEventListener('click', () => showMenu(!contents?.classList.contains('shown')));
addEventListener('hashchange', reveal);
document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return;
  // A click on a link to the current URL fires no `hashchange`, so a closed part is reopened here.
  const link = target.closest('a');
  if (link?.hash && link.hash === location.hash && link.pathname === location.pathname) reveal();
  const part = target.closest('summary')?.parentElement;
  if (!(part instanceof HTMLDetailsElement) || !part.id || part.open) return;
  history.replaceState(null, '', `#${part.id}`);
  markCurrent();
});
if (location.hash) reveal();
