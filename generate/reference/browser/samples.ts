const root = document.documentElement;
const PLACE = 'petstore-sample';
const KEY_PLACE = 'petstore-key';
const base = root.dataset.base ?? new URL('.', location.href).href.replace(/\/$/, '');

/** Matches only keys that do not have to be quoted in the shell. */
const KEY = /^[\w-]{16,}$/;
let key = '';
/** Samples show only the start and end of the key, in case others see the screen. A copied sample has the whole key. */
let masked = '';

const readKey = () => {
  try {
    key = sessionStorage.getItem(KEY_PLACE) ?? '';
  } catch {
    key = '';
  }
  if (!KEY.test(key)) key = '';
  masked = key && `${key.slice(0, 8)}…${key.slice(-4)}`;
};

const fill = (text: string) => {
  const filled = text.replaceAll(/\$PETSTORE_URL|http:\/\/127\.0\.0\.1:8080/g, () => base);
  if (!key) return filled;
  return filled.replaceAll('$API_KEY', () => masked).replaceAll('process.env.API_KEY', () => `'${masked}'`);
};

const withKey = (text: string) => (masked ? text.replaceAll(masked, () => key) : text);

const WORDS =
  /https?:\/\/[^\s"']*|(?<name>"(?:[^"\\]|\\.)*"(?=\s*:)|^[\w-]+(?=: )|(?<=\s)--?[a-zA-Z][\w-]*|\b(?:import|from|const|new|await|for|of|export|true|false|null)\b)|(?<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<number>\b\d[\d.]*\b)/gm;

const highlights = new Map<string, Highlight>(
  globalThis.Highlight ? ['name', 'string', 'number'].map((kind) => [kind, new Highlight()]) : [],
);
for (const [kind, highlight] of highlights) CSS.highlights.set(kind, highlight);

/** Colours the text, and returns a function that removes the colours. */
const colour = (text: Text) => {
  const coloured: [Highlight, Range][] = [];
  for (const { index, 0: word, groups = {} } of text.data.matchAll(WORDS)) {
    const highlight = highlights.get(Object.keys(groups).find((kind) => groups[kind] !== undefined) ?? '');
    if (!highlight) continue;
    const range = new Range();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    highlight.add(range);
    coloured.push([highlight, range]);
  }
  return () => {
    for (const [highlight, range] of coloured) highlight.delete(range);
  };
};

const filled = new Map<Text, { written: string; bleach: () => void }>();

const show = (text: Text, written: string) => {
  filled.get(text)?.bleach();
  const next = fill(written);
  if (text.data !== next) text.data = next;
  filled.set(text, { written, bleach: colour(text) });
};

const copy = async (pre: HTMLElement) => {
  // Over plain http, browsers allow access to the clipboard only on localhost. On other hosts, the reader can copy the
  // selection.
  getSelection()?.selectAllChildren(pre);
  await navigator.clipboard?.writeText(withKey(pre.textContent ?? ''));
  return navigator.clipboard ? 'Copied' : 'Selected';
};

const copyButton = (find: () => HTMLElement | null | undefined) => {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button small icon-only quiet copy';
  button.ariaLabel = 'Copy';
  button.addEventListener('click', async () => {
    const found = find();
    if (!found) return;
    button.ariaLabel = await copy(found);
    button.classList.add('done');
    setTimeout(() => {
      button.ariaLabel = 'Copy';
      button.classList.remove('done');
    }, 1500);
  });
  return button;
};

const LANGUAGES: Record<string, string> = {
  sh: 'Shell',
  ts: 'TypeScript',
  js: 'JavaScript',
  json: 'JSON',
  py: 'Python',
  go: 'Go',
};

const putInBox = (pre: HTMLElement) => {
  const [box, bar, title] = [...Array(2).fill('div'), 'b'].map((tag) => document.createElement(tag));
  if (!box || !bar || !title) return;
  const [, language = ''] = /language-(\w+)/.exec(pre.firstElementChild?.className ?? '') ?? [];
  title.textContent = LANGUAGES[language] ?? 'Text';
  box.className = 'box';
  bar.className = 'box-bar';
  bar.append(title);
  pre.replaceWith(box);
  box.append(bar, pre);
};

const prepare = (part: Element) => {
  for (const pre of part.querySelectorAll<HTMLElement>('article pre')) putInBox(pre);
  for (const box of part.querySelectorAll('.box')) {
    const visible = () => [...box.querySelectorAll('pre')].find((pre) => pre.checkVisibility());
    box.querySelector('.box-bar')?.append(copyButton(visible));
    for (const { firstChild } of box.querySelectorAll('code')) {
      if (firstChild instanceof Text) show(firstChild, firstChild.data);
    }
  }
  const path = part.querySelector('.path');
  path?.append(copyButton(() => path.querySelector('code')));
  part.setAttribute('data-shown', '');
  part.dispatchEvent(new Event('shown', { bubbles: true }));
};

/** The page has hundreds of samples, so each part is prepared only when it is about to scroll into view. */
const near = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting || target.hasAttribute('data-shown')) continue;
      near.unobserve(target);
      prepare(target);
    }
  },
  { rootMargin: '400px 0px' },
);
readKey();
for (const part of document.querySelectorAll('.part, .home')) near.observe(part);

addEventListener('keychange', () => {
  readKey();
  for (const [text, { written }] of filled) show(text, written);
});

document.addEventListener('copy', (event) => {
  const selected = getSelection()?.toString() ?? '';
  if (!masked || !selected.includes(masked)) return;
  event.clipboardData?.setData('text/plain', withKey(selected));
  event.preventDefault();
});

const choose = (way: string) => {
  root.dataset.sample = way;
  for (const button of document.querySelectorAll<HTMLElement>('[data-way]')) {
    button.ariaPressed = String(button.dataset.way === way);
  }
};

/** The language from an earlier visit may no longer be available. */
const recall = () => {
  try {
    const way = localStorage.getItem(PLACE) ?? '';
    return document.querySelector(`[data-way="${CSS.escape(way)}"]`) ? way : 'curl';
  } catch {
    return 'curl';
  }
};

const openTab = (tab: HTMLElement) => {
  const tabs = [...(tab.parentElement?.children ?? [])];
  const panes = tab.closest('.box')?.querySelectorAll('pre') ?? [];
  for (const [at, pane] of [...panes].entries()) {
    pane.hidden = tabs[at] !== tab;
    tabs[at]?.setAttribute('aria-pressed', String(tabs[at] === tab));
  }
};

choose(recall());
document.addEventListener('click', ({ target }) => {
  if (!(target instanceof HTMLElement) || !target.matches('.tabs button')) return;
  const { way } = target.dataset;
  if (way === undefined) {
    openTab(target);
    return;
  }
  // Changing the language changes the heights of the boxes above, so the page scrolls the clicked box back into place.
  const before = target.getBoundingClientRect().top;
  choose(way);
  scrollBy(0, target.getBoundingClientRect().top - before);
  try {
    localStorage.setItem(PLACE, way);
  } catch {
    // Storage is blocked, so the choice lasts only until the page is closed.
  }
});
