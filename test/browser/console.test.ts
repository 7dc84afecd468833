import { describe, expect } from 'bun:test';
import { ADMIN_KEY } from '../service.ts';
import { waitFor } from '../wait-for.ts';
import { pressBoth, startConsole } from './console.ts';
import { stopClock, visitPage } from './visit.ts';

const shop = startConsole();
const { inChromium, open } = shop;

describe('the console', () => {
  inChromium('lets in whose key the service knows, and keeps it for the tab alone', async () => {
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
    await other.goto(shop.service.url('/console/'));
    await other.getByLabel('API key').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    await page.reload();
    await page.getByLabel('API key').waitFor();
    expect(foreign).toEqual([]);
  });

  inChromium('offers a key what it may do, and nothing else', async () => {
    const key = await shop.service.issueKey({ scopes: ['pets:read'] });
    const { page } = await open('/', { key });
    const pages = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    expect(await pages.allInnerTexts()).toEqual(['Overview', 'Pets', 'Keys', 'Docs ↗']);
  });

  inChromium('counts down when the requests of the key are used up, and goes on by itself', async () => {
    const key = await shop.service.issueKey({ plan: 'enterprise', limits: { perMinute: 40, perDay: 1000 } });
    const { page } = await open('/pets', { key });
    await page.clock.install();
    while ((await shop.service.get('/v1/pets', { key })).status === 200);
    await page.getByRole('link', { name: 'Orders' }).click();
    await page.getByText(/Goes on by itself in/).waitFor();
    shop.service.clock.advance(60_000);
    await page.clock.fastForward(60_000);
    await page.getByText(/Goes on by itself in/).waitFor({ state: 'detached' });
  });

  inChromium('tells of a lost connection, and of nothing when it is back', async () => {
    const { page } = await open('/pets');
    await page.getByRole('heading', { name: 'Pets', level: 1 }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Orders' }).click();
    await page.getByText(/The service cannot be reached/).waitFor();
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
    await page.getByText(/The service cannot be reached/).waitFor({ state: 'detached' });
  });

  inChromium('fetches a part of itself again that was lost on the way while the service answers', async () => {
    const { page } = await open('/pets');
    await page.getByRole('heading', { name: 'Pets', level: 1 }).waitFor();
    await page.route('**/console/assets/*', (route) => route.abort());
    await page.getByRole('link', { name: 'Orders' }).click();
    await page.getByText(/The service cannot be reached/).waitFor();
    await page.unroute('**/console/assets/*');
    await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
  });

  inChromium('says so when the service has another version of it by now', async () => {
    const { page } = await open('/pets');
    await page.getByRole('heading', { name: 'Pets', level: 1 }).waitFor();
    await page.route('**/console/assets/*', (route) => route.fulfill({ status: 404 }));
    await page.route('**/console/orders', (route) => route.fulfill({ body: '<script src="assets/main.newer.js">' }));
    await page.getByRole('link', { name: 'Orders' }).click();
    await page.getByText(/has another version of the console by now/).waitFor();
  });

  inChromium('runs no script but its own, and lets no text become one', async () => {
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

  inChromium('finds pages by keyboard alone, and shows the keys that work', async () => {
    const { page } = await open('/');
    await pressBoth(page, 'g', 'p');
    await page.getByRole('heading', { name: 'Pets', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('go to keys');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).getByText('Go to Webhooks').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  inChromium('says when the key is no longer taken, and asks for another in the same place', async () => {
    const { id, key } = (await shop.service.post('/v1/keys', { name: 'Front desk', plan: 'pro' })).body;
    const { page } = await open('/pets', { key });
    await page.getByRole('heading', { name: 'No animals yet' }).waitFor();
    await shop.service.call('DELETE', `/v1/keys/${id}`);
    await page.getByRole('link', { name: 'Orders' }).click();
    await page.getByText(/no longer takes this key/).waitFor();
    await page.getByRole('button', { name: 'Sign in with another' }).click();
    await page.getByLabel('API key').fill(ADMIN_KEY);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
    expect(await page.getByText(/no longer takes this key/).count()).toBe(0);
  });

  inChromium(
    'gives the focus back to where it came from, and is not closed by a selection that ends beside it',
    async () => {
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
      // The second key of two is also one of the table's own.
      await pressBoth(page, 'g', 'e');
      await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
    },
  );

  inChromium('shows what it says above what is open, where it can be used', async () => {
    const { id } = (await shop.service.post('/v1/pets', { name: 'Luna', categoryId: 1 })).body;
    const key = await shop.service.issueKey();
    const { page } = await open(`/pets?pet=${id}`, { key });
    await page.getByRole('button', { name: 'Place an order' }).waitFor();
    // This key is told of no events, so that its page does not know yet.
    await shop.service.post('/v1/store/orders', { petId: id });
    await page.getByRole('button', { name: 'Place an order' }).click();
    const said = page.getByRole('dialog').getByRole('status').filter({ hasText: 'req_' });
    await said.getByRole('button', { name: 'Dismiss' }).click();
    await said.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  inChromium('copies also where it is not served over https', async () => {
    const { page } = await open('/pets');
    await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`);
    await page.getByRole('row', { name: /Luna/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The API call').click();
    await stopClock(page);
    await dialog.getByRole('button', { name: 'Copy the curl command' }).click();
    await dialog.getByRole('button', { name: '✓ Copied' }).waitFor();
  });

  inChromium('is fetched with at most 150 KiB on every page, its plots among them', async () => {
    const { page } = await open('/');
    const fetched = (): Promise<Record<string, number>> =>
      page.evaluate(`Object.fromEntries(
        [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
          .filter(({ name }) => /\\/(console|docs)\\//.test(name))
          .map(({ name, encodedBodySize }) => [new URL(name).pathname, encodedBodySize]))`);
    await page.locator('.plot canvas').first().waitFor();
    const isPlot = ([name]: [string, number]) => name.includes('plot-drawing');
    const plots = Object.fromEntries(Object.entries(await fetched()).filter(isPlot));
    expect(Object.keys(plots)).toHaveLength(1);
    const links = await page.getByRole('navigation', { name: 'Pages' }).locator('a[href*="/console"]').all();
    const paths = await Promise.all(links.map((link) => link.getAttribute('href')));
    expect(paths).toHaveLength(7);
    for (const path of paths) {
      await page.goto(shop.service.url(path ?? ''));
      await page.getByRole('heading', { level: 1 }).waitFor();
      const sizes = { ...(await fetched()), ...plots };
      const bytes = Object.values(sizes).reduce((sum, size) => sum + size, 0);
      expect(`${path} ${bytes > 80_000 && bytes <= 150 * 1024}`).toBe(`${path} true`);
    }
  });
});
