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
});
