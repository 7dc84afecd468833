const MOST_FOUND = 12;
const box = document.querySelector('.search') as HTMLElement;
const input = box.querySelector('input') as HTMLInputElement;
const list = box.querySelector('#found') as HTMLElement;

type Entry = { title: string; detail: string; href: string; text: string };

const textOf = (element: Element | null | undefined) => (element?.textContent ?? '').replaceAll(/\s+/g, ' ').trim();

const operations = (): Entry[] =>
  [...document.querySelectorAll<HTMLElement>('.operation, .sent, .object')].map((part) => {
    const { method, path } = part.dataset;
    const kind = part.matches('.sent') ? 'Event deliveries' : 'Objects';
    return {
      title: textOf(part.querySelector('h3 > a')),
      detail: method ? `${method} ${path}` : kind,
      href: `#${part.id}`,
      text: textOf(part.querySelector('.doc')),
    };
  });

const guides = () =>
  [...document.querySelectorAll('.guide')].flatMap((guide) => {
    const name = textOf(guide.querySelector('h2'));
    const parts: Entry[] = [{ title: name, detail: 'Guide', href: `#${guide.id}`, text: '' }];
    for (const element of guide.querySelector('article')?.children ?? []) {
      if (element.id) {
        parts.push({ title: textOf(element), detail: `Guide: ${name}`, href: `#${element.id}`, text: '' });
      }
      const last = parts.at(-1);
      if (last) last.text += ` ${textOf(element)}`;
    }
    return parts;
  });

const errors = (): Entry[] =>
  [...document.querySelectorAll<HTMLElement>('.codes li')].map((item) => ({
    title: textOf(item.querySelector('a')),
    detail: `Error ${textOf(item.querySelector('.status'))}`,
    href: item.querySelector('a')?.getAttribute('href') ?? '',
    text: item.dataset.words ?? '',
  }));

let index: (Entry & { words: string[] })[] | undefined;
const readIndex = () => {
  index ??= [...guides(), ...operations(), ...errors()].map((entry) => ({
    ...entry,
    words: [entry.title, `${entry.detail} ${entry.href}`, entry.text].map((text) => text.toLowerCase()),
  }));
  return index;
};

/** Drops short words such as "a" and "to", which occur in nearly every text. */
const wordsOf = (query: string) => {
  const all = query.toLowerCase().split(/\s+/).filter(Boolean);
  const long = all.filter((word) => word.length > 2);
  return long.length > 0 ? long : all;
};

// Returns the entries that contain the most words of the query, or nothing if no entry contains more than half of the
// words. Words in the title count most, then words in the path, then words in the text. Among equal entries, guides
// come first.
const find = (query: string) => {
  const wanted = wordsOf(query);
  const sought = query.trim().toLowerCase();
  const matches = readIndex().map((entry) => {
    const places = wanted.map((word) => entry.words.findIndex((text) => text.includes(word)));
    const missing = places.filter((place) => place < 0).length;
    const distance = entry.words[0] === sought ? -1 : places.reduce((sum, place) => sum + place, 0);
    return { entry, missing, distance };
  });
  const least = Math.min(...matches.map(({ missing }) => missing));
  if (least * 2 >= wanted.length) return [];
  return matches
    .filter(({ missing }) => missing === least)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MOST_FOUND)
    .map(({ entry }) => entry);
};

let found: Entry[] = [];
let selected = 0;

const select = (at: number) => {
  selected = at;
  for (const [index, option] of [...list.children].entries()) {
    option.ariaSelected = String(index === at);
    if (index === at) option.scrollIntoView({ block: 'nearest' });
  }
  if (found[at]) input.setAttribute('aria-activedescendant', `found-${at}`);
  else input.removeAttribute('aria-activedescendant');
};

const close = () => {
  list.hidden = true;
  input.ariaExpanded = 'false';
};

const go = (entry: Entry | undefined) => {
  if (!entry) return;
  input.value = '';
  input.blur();
  location.assign(entry.href);
  // If the URL stays the same, the browser fires no `hashchange` event, so this code fires the event itself.
  if (entry.href.startsWith('#')) dispatchEvent(new HashChangeEvent('hashchange'));
};

const optionOf = (entry: Entry, at: number) => {
  const [option, detail] = [document.createElement('li'), document.createElement('small')];
  option.role = 'option';
  option.id = `found-${at}`;
  detail.textContent = entry.detail;
  option.append(entry.title, detail);
  // Keeps the focus in the search box. If the search box lost focus, the list would close before the click.
  option.addEventListener('pointerdown', (event) => event.preventDefault());
  option.addEventListener('click', () => go(entry));
  return option;
};

const show = () => {
  found = find(input.value);
  const isEmpty = input.value.trim() === '';
  const nothing = document.createElement('li');
  nothing.textContent = 'No results. Try other words.';
  list.replaceChildren(...(found.length > 0 ? found.map(optionOf) : [nothing]));
  list.hidden = isEmpty;
  input.ariaExpanded = String(!isEmpty);
  select(0);
};

const KEYS: Record<string, () => void> = {
  ArrowDown: () => select(Math.min(selected + 1, found.length - 1)),
  ArrowUp: () => select(Math.max(selected - 1, 0)),
  Enter: () => go(found[selected]),
  Escape: () => {
    input.value = '';
    input.blur();
  },
};

box.hidden = false;
input.addEventListener('input', show);
input.addEventListener('blur', close);
input.addEventListener('focus', () => {
  if (input.value) show();
});
input.addEventListener('keydown', (event) => {
  const act = KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select');
  const isAsked = event.key === '/' ? !isTyping : event.key === 'k' && (event.ctrlKey || event.metaKey);
  if (!isAsked) return;
  event.preventDefault();
  input.select();
  input.focus();
});
