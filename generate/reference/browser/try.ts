const PLACE = 'petstore-key';
const MOST_CHARACTERS = 200_000;
const base = document.documentElement.dataset.base ?? new URL('.', location.href).href.replace(/\/$/, '');
const keyForm = document.querySelector('form.key') as HTMLFormElement;
const keyInput = document.querySelector('#key') as HTMLInputElement;

const make = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Record<string, unknown>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

try {
  keyInput.value = sessionStorage.getItem(PLACE) ?? '';
} catch {
  // Storage is blocked, so the key lasts only until the page is closed.
}
const noteKey = () => document.documentElement.toggleAttribute('data-key', keyInput.value.trim() !== '');
noteKey();
keyForm.hidden = false;
keyForm.addEventListener('submit', (event) => {
  event.preventDefault();
  tellWhose();
});
keyInput.addEventListener('input', () => {
  noteKey();
  try {
    sessionStorage.setItem(PLACE, keyInput.value.trim());
  } catch {
    // Storage is blocked, so the key lasts only until the page is closed.
  }
  dispatchEvent(new Event('keychange'));
});
keyInput.addEventListener('change', () => tellWhose());

const isHeaderText = (text: string) => /^[\x20-\x7e]*$/.test(text);
const NOT_A_KEY = 'A key contains only ASCII characters. Copy it again.';

const keyHeaders = () => {
  const key = keyInput.value.trim();
  return new Headers(key ? { Authorization: `Bearer ${key}` } : {});
};

/** Shows the key's name and plan. The request that fetches them does not count against the key's quota. */
const tellWhose = async () => {
  const whose = keyForm.querySelector('[role="status"]') as HTMLElement;
  const key = keyInput.value.trim();
  whose.textContent = isHeaderText(key) ? '' : NOT_A_KEY;
  if (!key || !isHeaderText(key)) return;
  const answer = await fetch(`${base}/v1/keys/me`, { headers: keyHeaders(), credentials: 'omit' }).catch(
    () => undefined,
  );
  const body = await answer?.json().catch(() => undefined);
  whose.textContent = answer?.ok ? `${body?.name}, plan ${body?.plan}` : (body?.message ?? `No response from ${base}.`);
};

const fieldOf = (item: HTMLElement) => {
  const { name = '', values } = item.dataset;
  const field = values
    ? make('select', {}, ...['', ...values.split(',')].map((value) => make('option', { value }, value)))
    : make('input', { type: 'text', autocomplete: 'off', spellcheck: false });
  field.name = name;
  field.dataset.in = item.dataset.in;
  field.required = item.dataset.required !== undefined;
  if (field instanceof HTMLInputElement && item.dataset.in === 'header') {
    field.pattern = '[ -~]*';
    field.title = 'Use ASCII characters only. A header cannot contain any others.';
  }
  return field;
};

type Filled = {
  form: HTMLFormElement;
  fields: (HTMLInputElement | HTMLSelectElement)[];
  body: HTMLTextAreaElement | undefined;
  type: string;
};

const requestOf = (
  { dataset: { method = 'GET', path = '' } }: HTMLElement,
  { fields, body, type }: Filled,
): Request => {
  const given = fields.filter(({ value }) => value !== '');
  const filledPath = given
    .filter((field) => field.dataset.in === 'path')
    .reduce((text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(value)), path);
  const query = new URLSearchParams(
    given.filter((field) => field.dataset.in === 'query').map(({ name, value }) => [name, value]),
  );
  const headers = keyHeaders();
  for (const { name, value } of given.filter((field) => field.dataset.in === 'header')) headers.set(name, value);
  if (body?.value) headers.set('Content-Type', type);
  const url = `${base}/v1${filledPath}${query.size > 0 ? `?${query}` : ''}`;
  return new Request(url, { method, headers, body: body?.value || null, credentials: 'omit', cache: 'no-store' });
};

/** Indents JSON without rounding numbers. A browser that lacks `JSON.rawJSON` shows the text unchanged. */
const indent = (text: string) => {
  try {
    const { rawJSON: raw } = JSON as { rawJSON?: (text: string) => unknown };
    if (!raw) return text;
    const keepDigits = (_: string, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' && context?.source ? raw(context.source) : value;
    return JSON.stringify(JSON.parse(text, keepDigits), null, 2);
  } catch {
    return text;
  }
};

/** If the text is too long, returns only its end. The returned text begins at the start of an event. */
const newest = (text: string) =>
  text.length > MOST_CHARACTERS ? text.slice(-MOST_CHARACTERS).replace(/^[\s\S]*?\n\n/, '') : text;

const keepEndInSight = (pre: HTMLElement, add: () => void) => {
  const isAtEnd = pre.scrollHeight - pre.scrollTop - pre.clientHeight < 8;
  add();
  if (isAtEnd) pre.scrollTop = pre.scrollHeight;
};

const readBody = async (response: Response, answer: HTMLElement) => {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    answer.textContent = indent(await response.text());
    return;
  }
  let text = '';
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    text = newest(text + part.value);
    keepEndInSight(answer.parentElement as HTMLElement, () => {
      answer.textContent = text;
    });
  }
};

const nextCursor = (response: Response) => {
  const [, next] = /<([^>]*)>;\s*rel="next"/.exec(response.headers.get('link') ?? '') ?? [];
  return next === undefined ? undefined : (new URL(next, base).searchParams.get('cursor') ?? undefined);
};

const headerText = (response: Response) => [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');

const attachSending = (operation: HTMLElement, filled: Filled) => {
  const { form, fields } = filled;
  const send = make('button', { type: 'submit', className: 'button primary send' }, 'Send');
  const stop = make('button', { type: 'button', className: 'button', hidden: true }, 'Stop');
  const next = make('button', { type: 'button', className: 'button', hidden: true }, 'Next page');
  const status = make('p', { role: 'status' });
  const headers = make('code', {});
  const answer = make('code', {});
  const shown = make(
    'div',
    { hidden: true },
    make('pre', { tabIndex: 0 }, answer),
    make('details', {}, make('summary', {}, 'Headers'), make('pre', { tabIndex: 0 }, headers)),
  );
  form.append(make('div', { className: 'buttons' }, send, stop, next), status, shown);
  let running = new AbortController();
  let cursor: string | undefined;

  const run = async () => {
    running.abort();
    if (!isHeaderText(keyInput.value.trim())) {
      status.textContent = NOT_A_KEY;
      return;
    }
    const own = new AbortController();
    running = own;
    const startedAt = performance.now();
    stop.hidden = false;
    next.hidden = true;
    status.textContent = 'Sending…';
    try {
      const response = await fetch(requestOf(operation, filled), { signal: own.signal });
      status.textContent = `${response.status} ${response.statusText} · ${Math.round(performance.now() - startedAt)} ms`;
      headers.textContent = headerText(response);
      shown.hidden = false;
      answer.textContent = '';
      cursor = nextCursor(response);
      next.hidden = cursor === undefined;
      await readBody(response, answer);
    } catch (error) {
      if (running !== own) return;
      const isStopped = error instanceof DOMException && error.name === 'AbortError';
      status.textContent = isStopped
        ? 'Stopped.'
        : `No response from ${base}. Check that the service is running and reachable from here.`;
    }
    if (running === own) stop.hidden = true;
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    run();
  });
  stop.addEventListener('click', () => running.abort());
  next.addEventListener('click', () => {
    const field = fields.find(({ name }) => name === 'cursor');
    if (field) field.value = cursor ?? '';
    run();
  });
};

const formOf = (operation: HTMLElement) => {
  const items = operation.querySelectorAll<HTMLElement>('li[data-in]');
  const { body: sample, type = 'application/json' } = operation.dataset;
  const fields = [...items].map(fieldOf);
  const body = sample === undefined ? undefined : make('textarea', { value: sample, spellcheck: false });
  const labels = fields.map((field) => make('label', {}, make('code', {}, field.name), field));
  const form = make('form', { className: 'try' }, ...labels, ...(body ? [make('label', {}, 'Body'), body] : []));
  if (body) body.ariaLabel = 'Body';
  form.prepend(
    make(
      'p',
      { className: 'without-key' },
      make('a', { href: '#key' }, 'Enter an API key first'),
      ', at the top of the page.',
    ),
  );
  attachSending(operation, { form, fields, body, type });
  return form;
};

const addTryButton = (operation: HTMLElement) => {
  const button = make('button', { type: 'button', className: 'button tint i open-try' }, 'Try it');
  button.addEventListener('click', () => {
    const form = formOf(operation);
    operation.querySelector('.samples')?.after(form);
    button.remove();
    form.querySelector<HTMLElement>('input, textarea, select, button')?.focus();
  });
  operation.querySelector('.side-head')?.append(button);
};

for (const operation of document.querySelectorAll<HTMLElement>('.operation[data-shown]')) addTryButton(operation);
document.addEventListener('shown', ({ target }) => {
  if (target instanceof HTMLElement && target.matches('.operation')) addTryButton(target);
});
