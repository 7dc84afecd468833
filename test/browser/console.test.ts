import { describe, expect } from 'bun:test';
import { ADMIN_KEY } from '../service.ts';
import { startConsole } from './console.ts';
import { visitPage } from './visit.ts';

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
    // So near to the end of the window that nobody waits for long.
    await shop.service.get('/v1/pets', { key });
    shop.service.clock.advance(58_500);
    while ((await shop.service.get('/v1/pets', { key })).status === 200);
    await page.getByRole('link', { name: 'Orders' }).click();
    await page.getByText(/Goes on by itself in/).waitFor();
    shop.service.clock.advance(1500);
    await page.getByText(/Goes on by itself in/).waitFor({ state: 'detached' });
  });

  inChromium('tells of a lost connection, and of nothing when it is back', async () => {
    const { page } = await open('/pets');
    await page.getByRole('heading', { name: 'Pets', level: 1 }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Orders' }).click();
    await page.getByText(/The service cannot be reached/).waitFor();
    await page.context().setOffline(false);
    await page.getByText(/The service cannot be reached/).waitFor({ state: 'detached' });
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
    expect(complaints.some((said) => said.startsWith('refused by policy'))).toBe(true);
  });

  inChromium('finds pages by keyboard alone, and shows the keys that work', async () => {
    const { page } = await open('/');
    await page.keyboard.press('g');
    await page.keyboard.press('p');
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
});
