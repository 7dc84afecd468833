import { describe, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { ADMIN_KEY } from '../service.ts';
import { waitFor } from '../wait-for.ts';
import { pressBoth, startConsole } from './console.ts';
import { visitPage } from './visit.ts';

const shop = startConsole();
const { inChromium } = shop;

const MAX_STOPS = 80;

const focused = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const it = document.activeElement;
    return [it?.getAttribute('role') ?? it?.tagName.toLowerCase(), it?.ariaLabel || it?.textContent || ''].join(' ');
  })()`);

const tabTo = async (page: Page, name: RegExp): Promise<void> => {
  const passed: string[] = [];
  while (passed.length < MAX_STOPS) {
    const here = await focused(page);
    if (name.test(here)) return;
    passed.push(here);
    await page.keyboard.press('Tab');
  }
  throw new Error(`no stop is called ${name}; there are ${passed.join(', ')}`);
};

const press = async (page: Page, ...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};

describe('with the keyboard alone', () => {
  inChromium('a user reaches the main actions from any page, also from a page that does not exist', async () => {
    const { page } = await shop.open('/nowhere');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await press(page, 'Control+k');
    await page.keyboard.type('create key');
    await press(page, 'Enter');
    const form = page.getByRole('dialog', { name: 'Create key' });
    await form.waitFor();
    await press(page, 'Escape');
    await form.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
    await press(page, 'Control+k');
    expect(await page.getByRole('option', { name: 'Create key' }).count()).toBe(1);
    await page.keyboard.type('sell');
    await press(page, 'Enter');
    await page.getByRole('heading', { name: 'Pets', level: 1 }).waitFor();
    await page.goto(shop.service.url('/console/nowhere'));
    await page.getByRole('link', { name: 'Go to Overview' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  });

  inChromium('a user signs in, adds a pet, sells it, creates a key and revokes it', async () => {
    const { page } = await visitPage(shop.browser, shop.service.url('/console'));
    await page.getByLabel('API key').waitFor();
    await page.keyboard.type(ADMIN_KEY);
    await press(page, 'Enter');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();

    await pressBoth(page, 'g', 'p');
    await page.getByRole('heading', { name: 'No pets yet' }).waitFor();
    await press(page, 'n');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('Rex');
    await press(page, 'Tab');
    await page.keyboard.type('dog');
    await page.getByRole('dialog').getByRole('option', { name: /^Dogs/ }).waitFor();
    await press(page, 'ArrowDown', 'Enter');
    await press(page, 'Enter');
    await page.getByText('Rex added').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await page.getByRole('row', { name: /Rex/ }).waitFor();
    await tabTo(page, /^row .*Rex/);
    await press(page, 'Enter');
    await page.getByRole('dialog').getByRole('heading', { name: /Rex/ }).waitFor();
    await page.getByRole('button', { name: 'Mark as sold' }).waitFor();
    await tabTo(page, /^button Mark as sold/);
    await press(page, 'Enter');
    await page.getByRole('dialog').getByText('sold', { exact: true }).first().waitFor();
    await waitFor('it is written', async () => (await shop.service.get('/v1/pets?status=sold')).body.length === 1);
    await press(page, 'Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await pressBoth(page, 'g', 'k');
    await page.getByRole('row', { name: /admin/ }).waitFor();
    await press(page, 'n');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('Partner');
    await press(page, 'Enter');
    const secret = await page.getByRole('dialog', { name: 'Key created' }).locator('code').first().innerText();
    expect((await shop.service.get('/v1/pets?status=sold', { key: secret })).body).toHaveLength(1);
    await tabTo(page, /^button I've saved it/);
    await press(page, 'Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await page.getByRole('row', { name: /Partner/ }).waitFor();
    await tabTo(page, /^row /);
    const isOnPartner = async () => /Partner/.test(await focused(page));
    if (!(await isOnPartner())) await press(page, 'j');
    await waitFor('the row has the focus', isOnPartner);
    await press(page, 'Enter');
    const drawer = page.getByRole('dialog', { name: 'Partner' });
    await drawer.getByRole('button', { name: 'Revoke' }).waitFor();
    await tabTo(page, /^button Revoke/);
    await press(page, 'Enter');
    await page.getByRole('dialog', { name: 'Revoke Partner?' }).waitFor();
    await page.keyboard.type('Partner');
    await tabTo(page, /^button Revoke key/);
    await press(page, 'Enter');
    await drawer.getByText('revoked', { exact: true }).waitFor();
    expect((await shop.service.get('/v1/pets', { key: secret })).status).toBe(401);
  });
});
