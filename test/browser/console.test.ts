import { describe, expect } from 'bun:test';
import { ADMIN_KEY } from '../service.ts';
import { waitFor } from '../wait-for.ts';
import { pressBoth, startConsole } from './console.ts';
import { stopClock, visitPage } from './visit.ts';

const shop = startConsole();
const { inChromium, open } = shop;

describe('the console', () => {
  inChromium('signs in with a valid key, and keeps it only while the console is open', async () => {
    const { page, foreign } = await visitPage(shop.browser, shop.service.url('/console'));
    await page.getByLabel('API key').fill('ps_live_nobody');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('API key').fill(ADMIN_KEY);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    const other = await page.context().newPage();
    await page.close();
    await other.goto(shop.service.url('/console/'));
    await other.getByLabel('API key').waitFor();
    expect(foreign).toEqual([]);
  });

  inChromium('forgets the key after signing out', async () => {
    const { page, foreign } = await open('/');
    await page.locator('summary').filter({ hasText: 'Account: admin' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    await page.reload();
    await page.getByLabel('API key').waitFor();
    expect(foreign).toEqual([]);
  });

  inChromium('shows only the pages that the key may use', async () => {
    const key = await shop.service.issueKey({ scopes: ['pets:read'] });
    const { page } = await open('/', { key });
    const pages = page.getByRole('navigation', { name: 'Pages' }).getByRole('listitem').getByRole('link');
    expect(await pages.allInnerTexts()).toEqual(['Overview', 'Pets', 'Categories', 'Keys', 'API reference']);
  });

  inChromium('names the permission that a key needs to open a page', async () => {
    const key = await shop.service.issueKey({ scopes: ['pets:read'] });
    const { page } = await open('/orders', { key });
    await page.getByRole('heading', { name: 'Your key cannot open Orders' }).waitFor();
    await page.getByText('Your key does not have the permission "See orders". Ask the person who gave you').waitFor();
    await page.goto(shop.service.url('/console/nowhere'));
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  });

  inChromium('shows a countdown while the key is rate-limited, then continues', async () => {
    const key = await shop.service.issueKey({ plan: 'enterprise', limits: { perMinute: 40, perDay: 1000 } });
    const { page } = await open('/pets', { key });
    await page.clock.install();
    while ((await shop.service.get('/v1/pets', { key })).status === 200);
    await page.getByRole('link', { name: 'Orders' }).click();
    await page.getByText(/Retrying in/).waitFor();
    shop.service.clock.advance(60_000);
    await page.clock.fastForward(60_000);
    await page.getByText(/Retrying in/).waitFor({ state: 'detached' });
  });

  inChromium('shows a notice while the service is unreachable', async () => {
    const { page } = await open('/pets');
    await page.getByRole('heading', { name: 'Pets', level: 1 }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Orders' }).click();
    await page.getByText(/Cannot reach the service/).waitFor();
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
    await page.getByText(/Cannot reach the service/).waitFor({ state: 'detached' });
  });

  inChromium('retries a part of itself that failed to load', async () => {
    const { page } = await open('/pets');
    await page.getByRole('heading', { name: 'Pets', level: 1 }).waitFor();
    await page.route('**/console/assets/*', (route) => route.abort());
    await page.getByRole('link', { name: 'Orders' }).click();
    await page.getByText(/Cannot reach the service/).waitFor();
    await page.unroute('**/console/assets/*');
    await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
  });

  inChromium('asks for a reload when the service has a different build of it', async () => {
    const { page } = await open('/pets');
    await page.getByRole('heading', { name: 'Pets', level: 1 }).waitFor();
    await page.route('**/console/assets/*', (route) => route.fulfill({ status: 404 }));
    await page.route('**/console/orders', (route) => route.fulfill({ body: '<script src="assets/main.newer.js">' }));
    await page.getByRole('link', { name: 'Orders' }).click();
    await page.getByText(/The console has been updated. Reload the page./).waitFor();
  });

  inChromium('runs only its own scripts, and turns no text into a script', async () => {
    const { page, complaints } = await open('/');
    const tried = await page.evaluate(`(() => {
      const isRefused = (deed) => {
        try { deed(); return false; } catch { return true; }
      };
      const frame = document.createElement('div');
      return {
        markup: isRefused(() => { frame.innerHTML = '<img src=x onerror="ran = true">'; }),
        text: isRefused(() => { document.createElement('script').text = 'ran = true'; }),
      };
    })()`);
    expect(tried).toEqual({ markup: true, text: true });
    const refused = page.waitForEvent('console', (message) => /Content Security Policy/.test(message.text()));
    await page.evaluate(`(() => {
      const foreign = document.createElement('link');
      foreign.rel = 'stylesheet';
      foreign.href = 'https://elsewhere.example/style.css';
      const style = document.createElement('style');
      style.textContent = 'body { display: none }';
      document.head.append(foreign, style);
    })()`);
    await refused;
    expect(await page.evaluate(`[typeof ran, getComputedStyle(document.body).display]`)).toEqual([
      'undefined',
      'block',
    ]);
    await waitFor('the policy is named', () => complaints.some((said) => said.startsWith('refused by policy')));
  });

  inChromium('opens pages with the keyboard, and lists the shortcuts', async () => {
    const { page } = await open('/');
    await pressBoth(page, 'g', 'p');
    await page.getByRole('heading', { name: 'Pets', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('go to keys');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Go to Webhooks').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  inChromium('shows when the key is no longer valid, and returns to the same page after a new sign-in', async () => {
    const { id, key } = (await shop.service.post('/v1/keys', { name: 'Front desk', plan: 'pro' })).body;
    const { page } = await open('/pets', { key });
    await page.getByRole('heading', { name: 'No pets yet' }).waitFor();
    await shop.service.call('DELETE', `/v1/keys/${id}`);
    await page.getByRole('link', { name: 'Orders' }).click();
    await page.getByText(/key no longer works/).waitFor();
    await page.getByRole('button', { name: 'Sign in with another key' }).click();
    await page.getByLabel('API key').fill(ADMIN_KEY);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
    expect(await page.getByText(/key no longer works/).count()).toBe(0);
  });

  inChromium('finds orders by number or pet name in the command menu', async () => {
    const { id: petId } = (await shop.service.post('/v1/pets', { name: 'Quill', categoryId: 1 })).body;
    const { id } = (await shop.service.post('/v1/store/orders', { petId })).body;
    const { page } = await open('/keys');
    const find = async (typed: string, result: string) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search' }).fill(typed);
      await page.getByRole('option', { name: result }).click();
    };
    await find(`order ${id}`, `Order ${id} · placed`);
    await page
      .getByRole('dialog', { name: `Order ${id}` })
      .getByText('Quill')
      .first()
      .waitFor();
    await find('quill', 'Find orders for "quill"');
    await page.getByRole('row', { name: /Quill/ }).waitFor();
  });

  inChromium('lists recent items in the command menu, grouped under headings, until the user signs out', async () => {
    const { id } = (await shop.service.post('/v1/pets', { name: 'Nutmeg', categoryId: 1 })).body;
    const { page } = await open('/');
    const titles = () => page.getByRole('listbox').locator('.group-title').allInnerTexts();
    const recent = () => page.getByRole('group', { name: 'Recent' }).getByRole('option').allTextContents();
    await page.keyboard.press('Control+k');
    expect(await titles()).toEqual(['Actions', 'Pages']);
    await page.keyboard.type('nutmeg');
    await page
      .getByRole('group', { name: 'Pets' })
      .getByRole('option', { name: `Nutmeg · pet ${id}` })
      .waitFor();
    expect(await titles()).toEqual(['Pets', 'Orders']);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Nutmeg' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('go to keys');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();

    await page.keyboard.press('Control+k');
    expect(await titles()).toEqual(['Recent', 'Actions', 'Pages']);
    expect(await recent()).toEqual([`Nutmeg · pet ${id}`]);
    const active = page.getByRole('option', { selected: true });
    await page.keyboard.press('ArrowDown');
    expect(await active.innerText()).toBe(
      await page.getByRole('group', { name: 'Actions' }).getByRole('option').first().innerText(),
    );
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Nutmeg' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('sign out');
    await page.keyboard.press('Enter');
    await page.getByLabel('API key').waitFor();
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('Nutmeg');
  });

  inChromium('finds a page by other words in the command menu', async () => {
    const { page } = await open('/');
    await page.keyboard.press('Control+k');
    const first = page.getByRole('option').first();
    for (const [word, name] of [
      ['backup', 'Health'],
      ['plan', 'Keys'],
      ['limit', 'Keys'],
      ['usage', 'Keys'],
      ['merge', 'Categories'],
      ['return', 'Orders'],
      ['pets', 'Pets'],
    ] as const) {
      await page.getByRole('combobox', { name: 'Search' }).fill(word);
      expect(await first.innerText()).toStartWith(`Go to ${name}`);
    }
  });

  inChromium('returns the focus after a dialog, which a text selection dragged outside does not close', async () => {
    await shop.service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    const { page } = await open('/pets');
    const row = page.getByRole('row', { name: /Rex/ });
    await row.focus();
    await page.keyboard.press('Enter');
    const name = page.getByRole('dialog').getByLabel('Name');
    const box = await name.boundingBox();
    if (!box) throw new Error('the field is not shown');
    await page.mouse.move(box.x + 20, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(20, 400);
    await page.mouse.up();
    await name.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator(':focus').filter({ hasText: 'Rex' }).waitFor();
    await pressBoth(page, 'g', 'e');
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
  });

  inChromium('keeps the title and the close button of a tall dialog in view', async () => {
    const { page } = await open('/keys?do=create', { viewport: { width: 1280, height: 500 } });
    const dialog = page.getByRole('dialog', { name: 'Create key' });
    await dialog.getByRole('textbox', { name: 'Store' }).focus();
    await dialog.evaluate((it: any) => it.scrollTo(0, it.scrollHeight));
    expect(await dialog.evaluate((it: any) => it.scrollTop)).toBeGreaterThan(100);
    const [title, frame] = await Promise.all([dialog.getByRole('heading').boundingBox(), dialog.boundingBox()]);
    expect(Number(title?.y)).toBeGreaterThan(Number(frame?.y));
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  inChromium('says how old a list is while the service is away', async () => {
    await shop.service.post('/v1/pets', { name: 'Ada', categoryId: 1 });
    const { page } = await open('/pets');
    await page.getByRole('row', { name: /Ada/ }).waitFor();
    await page.getByText('Updated just now').waitFor();
    await page.route(/\/v1\//, (route) => route.abort());
    await page.keyboard.press('r');
    await page
      .getByText(/Retrying in/)
      .first()
      .waitFor();
    await page.clock.setFixedTime((await page.evaluate<number>('Date.now()')) + 3_600_000);
    await page.getByText(/^Updated 1 h \d+ min ago$/).waitFor();
    await page.getByRole('row', { name: /Ada/ }).waitFor();
    await page.unroute(/\/v1\//);
    await page.getByText('Updated just now').waitFor();
  });

  inChromium('shows messages on top of an open dialog, with working buttons', async () => {
    const { id } = (await shop.service.post('/v1/pets', { name: 'Luna', categoryId: 1 })).body;
    const key = await shop.service.issueKey();
    const { page } = await open(`/pets?pet=${id}`, { key });
    await page.getByRole('button', { name: 'Place order' }).waitFor();
    // The page's key is not allowed to read events, so the page does not notice this order and still shows the button.
    await shop.service.post('/v1/store/orders', { petId: id });
    await page.getByRole('button', { name: 'Place order' }).click();
    const said = page.getByRole('status').filter({ hasText: 'req_' });
    const [toast, nav, drawer] = await Promise.all(
      [said.locator('.toast'), page.locator('.nav'), page.locator('.drawer')].map((part) => part.boundingBox()),
    );
    if (!toast || !nav || !drawer) throw new Error('a part is not shown');
    expect(toast.x).toBeGreaterThanOrEqual(nav.x + nav.width);
    expect(toast.x + toast.width).toBeLessThanOrEqual(drawer.x);
    await said.getByRole('button', { name: 'Dismiss' }).click();
    await said.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  inChromium('shows at most two lines of a long name above the pet', async () => {
    const name = 'Rex the very long '.repeat(14).trim();
    const { id } = (await shop.service.post('/v1/pets', { name, categoryId: 1 })).body;
    const { page } = await open(`/pets?pet=${id}`);
    const heading = page.getByRole('dialog').getByRole('heading', { name });
    await heading.waitFor();
    const shown = await page.evaluate(`(() => {
      const it = document.querySelector('.identity .name');
      return [Math.round(it.clientHeight / parseFloat(getComputedStyle(it).lineHeight)), it.title];
    })()`);
    expect(shown).toEqual([2, name]);
  });

  inChromium('copies text without https too', async () => {
    const { page } = await open('/pets');
    await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`);
    await page.getByRole('row', { name: /Luna/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('API request').click();
    await stopClock(page);
    await dialog.getByRole('button', { name: 'Copy curl command' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
  });

  inChromium('loads at most 150 KiB on every page, including plots', async () => {
    const { page } = await open('/');
    const fetched = `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .filter(({ name }) => /\\/(console|docs)\\//.test(name))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`;
    await page.locator('.plot svg').first().waitFor();
    const links = await page.getByRole('navigation', { name: 'Pages' }).locator('a[href*="/console"]').all();
    const paths = await Promise.all(links.map((link) => link.getAttribute('href')));
    expect(paths).toHaveLength(8);
    for (const path of paths) {
      await page.goto(shop.service.url(path ?? ''));
      // The skeleton is shown until the page's own scripts have loaded.
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
      const bytes = Number(await page.evaluate(fetched));
      expect(`${path} ${bytes > 80_000 && bytes <= 150 * 1024}`).toBe(`${path} true`);
    }
  });
});
