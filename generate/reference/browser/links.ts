const contents = document.querySelector('#contents');
const menu = document.querySelector('button.menu');

const showMenu = (isShown: boolean) => {
  contents?.classList.toggle('shown', isShown);
  menu?.setAttribute('aria-expanded', String(isShown));
};

const links = new Map<string, HTMLAnchorElement>();
for (const link of contents?.querySelectorAll('a') ?? []) if (link.hash) links.set(link.hash.slice(1), link);

const markCurrent = (id: string) => {
  const link = links.get(id);
  if (!link || link.hasAttribute('aria-current')) return;
  contents?.querySelector('[aria-current]')?.removeAttribute('aria-current');
  link.setAttribute('aria-current', 'true');
  const list = link.closest('details');
  if (list) list.open = true;
  if (!contents?.matches(':hover')) link.scrollIntoView({ block: 'nearest' });
};

const named = (hash: string) => {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
};

/**
 * Parts get their real heights only when they come near the screen, which can move the target after the scroll. The page
 * therefore follows the target until it has stayed in place for this many frames. A time limit would end too early on a
 * slow device.
 */
const SETTLED_FRAMES = 30;

let followed: Element | undefined;

const release = () => {
  followed = undefined;
};
for (const type of ['wheel', 'touchmove', 'pointerdown', 'keydown']) addEventListener(type, release, { passive: true });

const follow = (target: Element, framesLeft: number, placeBefore?: number, scrollBefore?: number) => {
  if (followed !== target) return;
  const place = Math.round(target.getBoundingClientRect().top + scrollY);
  // Without a change in the layout, only the reader or a script can have scrolled.
  const isInPlace = place === placeBefore;
  if (framesLeft === 0 || (isInPlace && scrollY !== scrollBefore)) return release();
  target.scrollIntoView();
  const left = isInPlace && document.readyState === 'complete' ? framesLeft - 1 : SETTLED_FRAMES;
  const scrolledTo = scrollY;
  requestAnimationFrame(() => follow(target, left, place, scrolledTo));
};

const reveal = (hash: string) => {
  const target = named(hash);
  if (!target) return;
  showMenu(false);
  followed = target;
  follow(target, SETTLED_FRAMES);
  markCurrent(target.closest('.part')?.id ?? '');
  if (target instanceof HTMLInputElement) target.focus();
};

// Puts the id of the current section into the URL, so that the page opens at that section after a reload. Browsers
// cannot restore the exact scroll position, because they only estimate the heights of sections off the screen.
const noteAddress = () => {
  const current = contents?.querySelector('[aria-current]')?.getAttribute('href')?.slice(1);
  const [first] = links.keys();
  const isNoted = location.hash ? named(location.hash)?.closest(`[id="${current}"]`) : current === first;
  if (current && !isNoted && !followed) history.replaceState(null, '', `#${current}`);
};

/** The URL changes only after this pause in scrolling, because browsers ignore URL changes in quick succession. */
const NOTE_AFTER_MS = 300;
let timer: ReturnType<typeof setTimeout> | undefined;

/** The parts that are on the screen. The topmost one is the current part. */
const inSight = new Set<Element>();
const spy = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) inSight.add(target);
      else inSight.delete(target);
    }
    const [first] = [...inSight].sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top);
    if (first) markCurrent(first.id);
    clearTimeout(timer);
    timer = setTimeout(noteAddress, NOTE_AFTER_MS);
  },
  { rootMargin: '-120px 0px -60% 0px' },
);

if (contents) {
  history.scrollRestoration = 'manual';
  for (const part of document.querySelectorAll('.part[id]')) spy.observe(part);
}

menu?.removeAttribute('hidden');
menu?.addEventListener('click', () => {
  showMenu(!contents?.classList.contains('shown'));
  scrollTo(0, 0);
});
// Uses the event's URL, because `noteAddress` may have changed the page's URL since the event fired.
addEventListener('hashchange', ({ newURL }) => reveal(newURL ? new URL(newURL).hash : location.hash));
document.addEventListener('click', ({ target }) => {
  // A click on a link to the current URL does not fire `hashchange`.
  const link = target instanceof Element ? target.closest('a') : null;
  if (link?.hash && link.hash === location.hash && link.pathname === location.pathname) reveal(link.hash);
});
if (location.hash) reveal(location.hash);
