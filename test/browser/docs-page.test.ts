import { describe, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { contractsIn } from '../../src/contracts.ts';
import { ADMIN_KEY } from '../service.ts';
import { waitFor } from '../wait-for.ts';
import { startPages, waitUntilAtTop } from './pages.ts';
import { stopClock } from './visit.ts';

const pages = startPages();
const { inChromium, visit } = pages;

const contents = (page: Page) => page.locator('nav[aria-label="Contents"]');
const header = (page: Page) => page.locator('header');
const keyField = (page: Page) => page.locator('form.key').getByLabel('API key');
const option = (page: Page, name?: string) => page.locator('#found').getByRole('option', name ? { name } : {});
const operation = (page: Page, id: string) => page.locator(`.operation#${id}`);
const read = (link: any) => {
  const part = (globalThis as any).document.getElementById(link.getAttribute('href').slice(1));
  const [heading, text] = [part.querySelector('h3 > a').textContent, part.textContent] as [string, string];
  return { link: link.textContent as string, heading, text };
};

const GROUPS = [...Map.groupBy(contractsIn('production'), ({ tag }) => tag)];

describe('the reference page', () => {
  inChromium('links all operations in its contents', async () => {
    const { page } = await visit('/docs');
    expect(await page.title()).toBe('Pet Store reference');
    for (const [name, contracts] of GROUPS) {
      await contents(page)
        .getByRole('heading', { name, exact: true })
        .or(contents(page).locator('summary', { hasText: name }))
        .first()
        .waitFor();
      for (const { id, summary, path } of contracts) {
        const shown = await contents(page).locator(`[href="#${id}"]`).evaluate(read);
        expect(shown).toEqual({
          link: expect.stringContaining(summary),
          heading: summary,
          text: expect.stringContaining(path),
        });
      }
      const { id = '' } = contracts.at(-1) ?? {};
      await contents(page).locator(`[href="#${id}"]`).click();
      await page.waitForURL(pages.service.url(`/docs#${id}`));
      await waitUntilAtTop(page, `#${id} h3`);
    }
  });

  inChromium(
    'scrolls to the part in the address, and keeps the visible part in the address and marked in the contents',
    async () => {
      const { page } = await visit('/docs#createPet');
      await waitUntilAtTop(page, '#createPet h3');
      const current = contents(page).locator('[aria-current]');
      expect(await current.getAttribute('href')).toBe('#createPet');
      await page.evaluate(`document.querySelector('#group-store').scrollIntoView()`);
      await waitFor('it is marked', async () => (await current.getAttribute('href')) === '#group-store' || undefined);
      await page.waitForURL(pages.service.url('/docs#group-store'));
      await page.reload();
      await waitUntilAtTop(page, '#group-store h2');
      await page.goto(pages.service.url('/docs#guide-limits-checking-your-limits'));
      await waitUntilAtTop(page, '#guide-limits-checking-your-limits');
      await page.goto(pages.service.url('/docs#errors'));
      await waitUntilAtTop(page, '#errors h2');
      await page.goto(pages.service.url('/docs#sent-order.placed'));
      await waitUntilAtTop(page, '[id="sent-order.placed"] h3');
      expect(await current.evaluate((link: any) => link.closest('details').open as boolean)).toBe(true);
    },
  );

  inChromium('keeps the part in the address at the top while parts above it get their heights', async () => {
    const { page } = await visit('/');
    // The clock makes every frame seem slow, and the styles turn off the browser's own correction.
    await page.addInitScript(`
      let [now, frames] = [0, 0];
      performance.now = () => (now += 1000);
      addEventListener('DOMContentLoaded', () => {
        document.documentElement.style.overflowAnchor = 'none';
        const first = document.querySelector('.part');
        const grow = () => {
          frames += 1;
          if (frames % 10 === 0) first.style.paddingBottom = frames * 100 + 'px';
          if (frames < 40) requestAnimationFrame(grow);
          else document.documentElement.dataset.grown = '';
        };
        requestAnimationFrame(grow);
      });`);
    await page.goto(pages.service.url('/docs#createPet'));
    await page.locator('html[data-grown]').waitFor();
    await waitUntilAtTop(page, '#createPet h3');
  });

  inChromium('shows request and response next to the text on a wide screen, and below it on a narrow one', async () => {
    const { page } = await visit('/docs#createPet');
    const sides = () =>
      operation(page, 'createPet').evaluate((part: any) => {
        const [doc, side] = ['.doc', '.side'].map((name) => part.querySelector(name).getBoundingClientRect());
        return { isNextTo: side.left >= doc.right, isBelow: side.top >= doc.bottom };
      });
    for (const width of [1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await sides()).toEqual({ isNextTo: true, isBelow: false });
    }
    const side = operation(page, 'createPet').locator('.side');
    for (const words of ['-d \'{"name": "Rex"', '"status": "available"', '"type": "pet.created"']) {
      expect(await side.getByText(words).first().isVisible()).toBe(true);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await sides()).toEqual({ isNextTo: false, isBelow: true });
  });

  inChromium('shows headers and errors of a response in tabs', async () => {
    const { page } = await visit('/docs#createPet');
    const response = operation(page, 'createPet').locator('.box', { hasText: '201 Created' });
    expect(await response.getByText('"status": "available"').isVisible()).toBe(true);
    await response.getByRole('button', { name: 'Headers' }).click();
    await response.getByText('Location: /v1/pets/7').waitFor();
    expect(await response.getByText('"status": "available"').isVisible()).toBe(false);
    await response.getByRole('button', { name: '403' }).click();
    await response.getByText('"code": "insufficient_scope"').waitFor();
    expect(await response.getByRole('button', { pressed: true }).innerText()).toBe('403');
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
    await waitUntilAtTop(page, '#createPet h3');
    await look('webhook');
    await page.keyboard.press('Escape');
    expect(await option(page).count()).toBe(0);
    await look('checksum mistyped');
    expect(await option(page).first().innerText()).toContain('Guide');
    await page.keyboard.press('Enter');
    await page.waitForURL(/#guide-keys/);
    await look('pet_reserved');
    await option(page, 'pet_reserved Error 409').click();
    await page.waitForURL(pages.service.url('/docs/errors#pet_reserved'));
  });

  inChromium('makes no request to another origin and violates no policy, even when trying an operation', async () => {
    const { page, foreign, complaints } = await visit('/docs#createPet');
    await keyField(page).fill(ADMIN_KEY);
    const form = operation(page, 'createPet');
    await form.getByRole('button', { name: 'Try it' }).click();
    await form.getByRole('textbox', { name: 'Body' }).fill('{"name": "Rex", "categoryId": 9223372036854775807}');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText(/^201 Created ·/).waitFor();
    await form.getByText(/"categoryId": 9223372036854775807,/).waitFor();
    expect(foreign).toEqual([]);
    expect(complaints).toEqual([]);
  });

  inChromium('pages through a list', async () => {
    for (const name of ['Ada', 'Bea', 'Cleo']) await pages.service.post('/v1/pets', { name, categoryId: 77 });
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
    await form.getByText(/^200 OK ·/).waitFor();
    await pages.service.post('/v1/pets', { name: 'Seen in the stream', categoryId: 1 });
    const shown = form.locator('.try pre').first();
    await shown.getByText('Seen in the stream').waitFor();
    const pets = Array.from({ length: 1000 }, (_, at) => ({ name: `Animal ${at}`, categoryId: 1 }));
    await pages.service.post('/v1/pets/batch', { pets });
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
      await form.getByText(/^200 OK ·/).waitFor();
      await pages.service.post('/v1/pets', { name, categoryId: 1 });
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
    await pages.service.post('/v1/pets', { name: '<img src=x onerror=alert(1)>', categoryId: 78 });
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
    const { page } = await visit('/docs');
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      for (const id of ['createPet', 'guide-webhooks']) {
        await page.goto(pages.service.url(`/docs#${id}`));
        const block = page.locator(`#${id} .box:has(.copy):visible`).first();
        const [bottom, top] = await block.evaluate((it: any): [number, number] => [
          it.querySelector('.copy').getBoundingClientRect().bottom,
          it.querySelector('pre').getBoundingClientRect().top,
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
    await other.goto(pages.service.url('/docs'));
    expect(await keyField(other).inputValue()).toBe('');
    expect(await page.evaluate('document.cookie + JSON.stringify(localStorage)')).not.toContain(ADMIN_KEY);
  });

  inChromium('shows samples in the chosen language with the address of the service, and copies them', async () => {
    const { page } = await visit('/docs#createPet', { permissions: ['clipboard-read', 'clipboard-write'] });
    const shown = operation(page, 'createPet').locator('.samples');
    expect(await shown.innerText()).toContain(`curl -X POST \\\n  "${pages.service.url('/v1/pets')}"`);
    await shown.getByRole('button', { name: 'TypeScript' }).click();
    await page.reload();
    await stopClock(page);
    await shown.getByRole('button', { name: 'Copy' }).click();
    await shown.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('await petstore.pets.create({\n  name: ');
  });

  inChromium('fills samples with the key of the reader, shows only its ends, and copies it whole', async () => {
    const { page } = await visit('/docs', { permissions: ['clipboard-read', 'clipboard-write'] });
    const shown = page.locator('#about .samples');
    expect(await shown.innerText()).toContain('Bearer $API_KEY');
    await keyField(page).fill(ADMIN_KEY);
    const ends = `${ADMIN_KEY.slice(0, 8)}…${ADMIN_KEY.slice(-4)}`;
    expect(await shown.innerText()).toContain(`Bearer ${ends}`);
    expect(await page.locator('main').innerText()).not.toContain(ADMIN_KEY);
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
    await shown.getByRole('button', { name: 'Copy' }).click();
    await shown.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await copied()).toContain(`Bearer ${ADMIN_KEY}"`);
    await page.evaluate('navigator.clipboard.writeText("")');
    await shown.locator('pre.curl').evaluate((pre: any) => (globalThis as any).getSelection().selectAllChildren(pre));
    await page.keyboard.press('Control+C');
    await waitFor('it is copied', async () => (await copied()) || undefined);
    expect(await copied()).toContain(`Bearer ${ADMIN_KEY}"`);
    expect(await shown.locator('.client').textContent()).toContain(`key: '${ends}'`);
    expect(await shown.locator('.terminal').textContent()).toContain(`PETSTORE_API_KEY="${ends}"`);
    await page.goto(pages.service.url('/docs#placeOrder'));
    const other = operation(page, 'placeOrder').locator('.curl');
    await waitFor('it is filled too', async () => (await other.textContent())?.includes(ends) || undefined);
    await keyField(page).fill('$(reboot)');
    for (const sample of [shown.locator('.curl'), other])
      expect(await sample.textContent()).toContain('Bearer $API_KEY');
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
    await page.getByRole('heading', { name: 'API reference', level: 1 }).waitFor();
  });

  inChromium('is readable without JavaScript', async () => {
    const { page } = await visit('/docs#createPet', { javaScriptEnabled: false });
    for (const way of ['curl', 'client', 'terminal']) {
      await page.locator(`#createPet .${way}`).getByText('$PETSTORE_URL').first().waitFor();
    }
    await page.locator('#createPet').getByText('"code": "insufficient_scope"').waitFor();
    expect(await page.getByRole('searchbox').count()).toBe(0);
    expect(await page.locator('#createPet').getByRole('button', { name: 'TypeScript' }).isVisible()).toBe(false);
  });
});
