import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { contractsIn } from '../../src/contracts.ts';
import { ADMIN_KEY, type Service, startService } from '../service.ts';
import { waitFor } from '../wait-for.ts';
import { findChromium, launchChromium } from './chromium.ts';
import { STEP_MS, stopClock, type Visit, visitPage } from './visit.ts';

const chromium = findChromium();
const PATIENCE_MS = 3_600_000;
const inChromium = (promise: string, body: () => Promise<void>) => test.skipIf(!chromium)(promise, body, PATIENCE_MS);

let service: Service;
let browser: Browser;
beforeAll(async () => {
  if (!chromium) return;
  service = await startService();
  browser = await launchChromium(chromium, STEP_MS);
}, PATIENCE_MS);
afterAll(async () => {
  await browser?.close();
  await service?.stop();
}, PATIENCE_MS);

afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
}, PATIENCE_MS);

const visit = (path: string, options?: BrowserContextOptions): Promise<Visit> =>
  visitPage(browser, service.url(path), options);

const contents = (page: Page) => page.locator('nav[aria-label="Contents"]');
const header = (page: Page) => page.locator('header');
const keyField = (page: Page) => page.locator('form.key').getByLabel('API key');
const option = (page: Page, name?: string) => page.locator('#found').getByRole('option', name ? { name } : {});
const operation = (page: Page, id: string) => page.locator(`.operation#${id}`);
const isOpen = (page: Page, selector: string) => page.locator(selector).evaluate((part: any) => part.open as boolean);

const read = (link: any) => {
  const part = (globalThis as any).document.getElementById(link.getAttribute('href').slice(1));
  const [heading, text] = [part.querySelector('h4').textContent, part.textContent] as [string, string];
  return { link: link.textContent as string, heading, text };
};

const GROUPS = [...Map.groupBy(contractsIn('production'), ({ tag }) => tag)];

describe('the reference page', () => {
  inChromium('starts with every group closed, and links all operations in its contents', async () => {
    const { page } = await visit('/docs');
    expect(await page.title()).toBe('Pet Store reference');
    expect(await page.locator('details[open]').count()).toBe(0);
    for (const [name, contracts] of GROUPS) {
      await contents(page)
        .locator('summary', { hasText: new RegExp(`^${name}$`) })
        .click();
      for (const { id, summary, path } of contracts) {
        const shown = await contents(page).locator(`[href="#${id}"]`).evaluate(read);
        expect(shown).toEqual({
          link: expect.stringContaining(summary),
          heading: summary,
          text: expect.stringContaining(path),
        });
      }
      const { id = '' } = contracts.at(-1) ?? {};
      await contents(page)
        .locator(`[href="#${id}"]`)
        .evaluate((link: any) => link.click());
      await operation(page, id).getByRole('heading', { level: 4 }).waitFor();
    }
  });

  inChromium('opens the part in the address, and puts an opened part into the address', async () => {
    const { page } = await visit('/docs#createPet');
    const title = operation(page, 'createPet').getByRole('heading', { level: 4 });
    await title.waitFor();
    await waitFor('it is in sight', () =>
      title.evaluate((it: any) => it.getBoundingClientRect().top < 900 || undefined),
    );
    expect(await contents(page).locator('[aria-current]').getAttribute('href')).toBe('#createPet');
    await page.locator('#group-store > summary').click();
    await page.waitForURL(service.url('/docs#group-store'));
    await page.goto(service.url('/docs#guide-limits-where-you-stand'));
    await page.locator('#guide-limits').getByRole('heading', { name: 'Where you stand' }).waitFor();
    expect(await isOpen(page, '#guide-limits')).toBe(true);
  });

  inChromium('finds operations, guides and errors with the keyboard alone', async () => {
    const { page } = await visit('/docs');
    const look = async (words: string) => {
      await page.keyboard.press('/');
      await page.keyboard.type(words);
      await option(page).first().waitFor();
    };
    await look('add an animal');
    await page.keyboard.press('Enter');
    await operation(page, 'createPet').getByRole('heading', { level: 4 }).waitFor();
    await look('webhook');
    await page.keyboard.press('Escape');
    expect(await option(page).count()).toBe(0);
    await look('checksum mistyped');
    expect(await option(page).first().innerText()).toContain('Guide');
    await page.keyboard.press('Enter');
    await waitFor('the guide is open', async () => (await isOpen(page, '#guide-keys')) || undefined);
    await look('pet_reserved');
    await option(page, 'pet_reserved Error 409').click();
    await page.waitForURL(service.url('/docs/errors#pet_reserved'));
  });

  inChromium('makes no request to another origin and violates no policy, even when trying an operation', async () => {
    const { page, foreign, complaints } = await visit('/docs#createPet');
    await keyField(page).fill(ADMIN_KEY);
    const form = operation(page, 'createPet');
    await form.getByRole('button', { name: 'Try it' }).click();
    await form.getByRole('textbox', { name: 'Body' }).fill('{"name": "Rex", "categoryId": 9223372036854775807}');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText(/^201 Created/).waitFor();
    await form.getByText(/"categoryId": 9223372036854775807,/).waitFor();
    expect(foreign).toEqual([]);
    expect(complaints).toEqual([]);
  });

  inChromium('pages through a list', async () => {
    for (const name of ['Ada', 'Bea', 'Cleo']) await service.post('/v1/pets', { name, categoryId: 77 });
    const { page } = await visit('/docs#listPets');
    await keyField(page).fill(ADMIN_KEY);
    const form = operation(page, 'listPets');
    await form.getByRole('button', { name: 'Try it' }).click();
    await form.getByLabel('categoryId').fill('77');
    await form.getByLabel('limit').fill('2');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.locator('.try pre').getByText('"Ada"').waitFor();
    await form.getByRole('button', { name: 'Next page' }).click();
    await form.locator('.try pre').getByText('"Cleo"').waitFor();
    expect(await form.getByRole('button', { name: 'Next page' }).isVisible()).toBe(false);
  });

  inChromium('shows a stream live until it is stopped', async () => {
    const { page } = await visit('/docs#streamEvents');
    await keyField(page).fill(ADMIN_KEY);
    const form = operation(page, 'streamEvents');
    await form.getByRole('button', { name: 'Try it' }).click();
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText(/^200 OK/).waitFor();
    await service.post('/v1/pets', { name: 'Seen in the stream', categoryId: 1 });
    const shown = form.locator('.try pre').first();
    await shown.getByText('Seen in the stream').waitFor();
    const pets = Array.from({ length: 1000 }, (_, at) => ({ name: `Animal ${at}`, categoryId: 1 }));
    await service.post('/v1/pets/batch', { pets });
    await shown.getByText('Animal 999').waitFor();
    await waitFor('the newest is in sight, and the oldest shown is whole', () =>
      shown.evaluate(
        (it: any) =>
          (it.scrollHeight - it.scrollTop - it.clientHeight < 8 &&
            it.textContent.length <= 200_000 &&
            it.textContent.startsWith('id: ')) ||
          undefined,
      ),
    );
    await form.getByRole('button', { name: 'Stop' }).click();
    await form.getByText('Stopped.').waitFor();
  });

  inChromium('shows the last of several requests, and can stop it', async () => {
    const { page } = await visit('/docs#streamEvents');
    await keyField(page).fill(ADMIN_KEY);
    const form = operation(page, 'streamEvents');
    await form.getByRole('button', { name: 'Try it' }).click();
    for (const name of ['The first', 'The second']) {
      await form.getByRole('button', { name: 'Send' }).click();
      await form.getByText(/^200 OK/).waitFor();
      await service.post('/v1/pets', { name, categoryId: 1 });
      await form.locator('.try pre').getByText(name).waitFor();
    }
    await form.getByRole('button', { name: 'Stop' }).click();
    await form.getByText('Stopped.').waitFor();
  });

  inChromium('explains what to change if a request cannot be sent', async () => {
    const { page } = await visit('/docs#createPet');
    const form = operation(page, 'createPet');
    await form.getByRole('button', { name: 'Try it' }).click();
    await form.getByText('Enter an API key first').waitFor();
    await keyField(page).fill('ключ');
    expect(await form.getByText('Enter an API key first').isVisible()).toBe(false);
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('Copy it again').waitFor();
    await form.getByLabel('Idempotency-Key').fill('żółw');
    const isTaken = (it: any) => it.checkValidity() as boolean;
    expect(await form.getByLabel('Idempotency-Key').evaluate(isTaken)).toBe(false);
    await form.getByLabel('Idempotency-Key').fill('order-4711');
    expect(await form.getByLabel('Idempotency-Key').evaluate(isTaken)).toBe(true);
  });

  inChromium('shows names as text, even with markup in them', async () => {
    await service.post('/v1/pets', { name: '<img src=x onerror=alert(1)>', categoryId: 78 });
    const { page, complaints } = await visit('/docs#listPets');
    await keyField(page).fill(ADMIN_KEY);
    const form = operation(page, 'listPets');
    await form.getByRole('button', { name: 'Try it' }).click();
    await form.getByLabel('categoryId').fill('78');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.locator('.try pre').getByText('<img src=x onerror=alert(1)>').waitFor();
    expect(await form.locator('img').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  inChromium('finds pages by common search terms', async () => {
    const { page } = await visit('/docs');
    const first = async (words: string) => {
      await header(page).getByRole('combobox').fill(words);
      return (await page.locator('#found li').first().innerText()).replace('\n', ': ');
    };
    expect(await first('create a key')).toBe('Create a key: POST /keys');
    expect(await first('page through a list')).toBe('Paging: Guide');
    expect(await first('pagination')).toBe('Paging: Guide');
    expect(await first('authentication')).toBe('Keys: Guide');
    expect(await first('verify a webhook')).toBe('Verifying a signature: Guide: Webhooks');
    expect(await first('createPet')).toBe('Add an animal: POST /pets');
    expect(await first('Order')).toBe('Order: Objects');
    for (const odd of ['constructor', '__proto__', '<img src=x>', '%', '[']) {
      expect(await first(odd)).not.toBe('');
    }
    expect(await first('zzzz')).toBe('No results. Try other words.');
  });

  inChromium('does not cover samples with the copy button', async () => {
    const { page } = await visit('/docs#createPet');
    await page.goto(service.url('/docs#guide-webhooks-verifying-a-signature'));
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      for (const id of ['createPet', 'guide-webhooks']) {
        const block = page.locator(`#${id} .block:visible`).first();
        const [bottom, top] = await block.evaluate((it: any): [number, number] => [
          it.querySelector('button').getBoundingClientRect().bottom,
          it.querySelector('code').getBoundingClientRect().top,
        ]);
        expect(top).toBeGreaterThanOrEqual(bottom);
      }
    }
  });

  inChromium('ignores unknown stored choices', async () => {
    const { page } = await visit('/docs#createPet');
    await page.evaluate(`localStorage.setItem('petstore-sample', 'x'); localStorage.setItem('petstore-theme', 'x')`);
    await page.reload();
    expect(await operation(page, 'createPet').locator('.sample:visible').count()).toBe(1);
    await header(page).getByRole('button', { name: 'Theme: system' }).waitFor();
  });

  inChromium('keeps the key only in the tab', async () => {
    const { page } = await visit('/docs');
    await keyField(page).fill('ключ');
    await keyField(page).press('Enter');
    await page.locator('form.key').getByText('Copy it again').waitFor();
    await keyField(page).fill(ADMIN_KEY);
    await keyField(page).press('Enter');
    await page.locator('form.key').getByText('admin, plan enterprise').waitFor();
    await page.reload();
    expect(await keyField(page).inputValue()).toBe(ADMIN_KEY);
    const other = await page.context().newPage();
    await other.goto(service.url('/docs'));
    expect(await keyField(other).inputValue()).toBe('');
    expect(await page.evaluate('document.cookie + JSON.stringify(localStorage)')).not.toContain(ADMIN_KEY);
  });

  inChromium('shows samples in the chosen language with the address of the service, and copies them', async () => {
    const { page } = await visit('/docs#createPet', { permissions: ['clipboard-read', 'clipboard-write'] });
    const shown = operation(page, 'createPet').locator('.samples');
    expect(await shown.innerText()).toContain(`curl -X POST "${service.url('/v1/pets')}"`);
    await shown.getByRole('button', { name: 'TypeScript' }).click();
    await page.reload();
    await stopClock(page);
    await shown.getByRole('button', { name: 'Copy' }).click();
    await shown.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('await petstore.pets.create({ name: ');
  });

  inChromium('runs no scripts of other origins, and turns no text into markup', async () => {
    const { page, foreign, complaints } = await visit('/docs');
    await page.evaluate(`{
      const script = document.createElement('script');
      try { script.src = 'https://elsewhere.example/x.js'; } catch {}
      script.setAttribute('data-tried', '');
      document.body.append(script);
      try { document.body.innerHTML = '<p>gone</p>'; } catch {}
      const style = document.createElement('style');
      style.textContent = 'body { display: none }';
      document.body.append(style);
      const image = document.createElement('img');
      image.src = 'https://elsewhere.example/x.png';
      document.body.append(image);
    }`);
    await waitFor(
      'all are refused',
      () =>
        ['require-trusted-types-for', 'style-src', 'img-src'].every((directive) =>
          complaints.some((complaint) => complaint.startsWith(`refused by policy: ${directive}`)),
        ) || undefined,
    );
    expect(foreign).toEqual([]);
    await page.getByRole('heading', { name: 'Pet Store', level: 1 }).waitFor();
  });

  inChromium('is readable without JavaScript', async () => {
    const { page } = await visit('/docs', { javaScriptEnabled: false });
    await page.locator('#group-pets > summary').click();
    await page.locator('#createPet > summary').click();
    await page.locator('#createPet .curl').getByText('$PETSTORE_URL/v1/pets').waitFor();
    expect(await page.getByRole('searchbox').count()).toBe(0);
    expect(await page.locator('#createPet').getByRole('button', { name: 'TypeScript' }).isVisible()).toBe(false);
  });
});

describe('every page', () => {
  inChromium('fits a narrow screen', async () => {
    const { page } = await visit('/', { viewport: { width: 360, height: 800 } });
    for (const path of ['/docs', '/', '/docs#createKey', '/docs/errors', '/docs#guide-webhooks']) {
      await page.goto(service.url(path));
      expect({ path, width: await page.evaluate('document.documentElement.scrollWidth') }).toEqual({
        path,
        width: 360,
      });
    }
  });

  inChromium('uses the colours of the system, or the chosen ones', async () => {
    const { page } = await visit('/', { colorScheme: 'dark' });
    const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const dark = await ground();
    await page.getByRole('button', { name: 'Theme: system' }).click();
    const light = await ground();
    expect(light).not.toBe(dark);
    for (const path of ['/docs', '/docs/errors']) {
      await page.goto(service.url(path));
      expect(await ground()).toBe(light);
    }
    await header(page).getByRole('button', { name: 'Theme: light' }).click();
    expect(await ground()).toBe(dark);
  });
});

describe('the home page', () => {
  inChromium('links to the reference and the guides', async () => {
    const { page, foreign, complaints } = await visit('/');
    await page.getByRole('link', { name: 'how to get one' }).click();
    await page.waitForURL(service.url('/docs#guide-keys-issuing-changing-and-revoking-keys'));
    await page.goBack();
    expect(await page.locator('pre').textContent()).toStartWith(`curl ${service.url('/v1/pets')} `);
    await page.getByRole('link', { name: 'Reference' }).click();
    await page.waitForURL(service.url('/docs'));
    await contents(page).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Guides' }).click();
    await page.getByRole('heading', { name: 'Guides' }).waitFor();
    expect(foreign).toEqual([]);
    expect(complaints).toEqual([]);
  });

  inChromium('has no dead links', async () => {
    const { page } = await visit('/');
    const links = await page.getByRole('link').all();
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) {
      const href = (await link.getAttribute('href')) as string;
      const answer = await page.request.get(new URL(href, page.url()).href, { timeout: STEP_MS });
      expect({ href, status: answer.status() }).toEqual({ href, status: 200 });
    }
  });
});
