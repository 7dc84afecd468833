import { afterEach, describe, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { ADMIN_KEY, type Service, STAGING, startService } from '../service.ts';
import { waitFor } from '../wait-for.ts';
import { startConsole } from './console.ts';
import { visitPage } from './visit.ts';

const shop = startConsole();
const { inChromium, open } = shop;

// The service's clock stands still, and all tests together load more pages than one address may load per minute.
afterEach(() => shop.service?.clock.advance(60_000));

const keyField = (page: Page) => page.getByLabel('API key');
const pages = (page: Page) => page.getByRole('navigation', { name: 'Pages' });
const openTab = async (page: Page, path = '/console/') => {
  const tab = await page.context().newPage();
  await tab.goto(new URL(path, page.url()).href);
  return tab;
};
const signIn = async (page: Page, key: string) => {
  await keyField(page).fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await pages(page).waitFor();
};
const signOut = async (page: Page) => {
  await page.locator('.account summary').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
};
const addPet = async (name: string, key?: string) =>
  (await shop.service.post('/v1/pets', { name, categoryId: 1 }, key === undefined ? {} : { key })).body.id as number;

describe('the tabs of one browser', () => {
  inChromium('open a pet in a new tab that is signed in, even if the user opens the tab by hand', async () => {
    const id = await addPet('Rex');
    const { page, complaints } = await open('/pets');
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Rex' }).click({ modifiers: ['Control'] });
    const tab = await opened;
    await tab.getByRole('dialog').getByRole('heading', { name: 'Rex' }).waitFor();
    const other = await openTab(page, `/console/pets?pet=${id}`);
    await other.getByRole('dialog').getByRole('heading', { name: 'Rex' }).waitFor();
    expect(complaints).toEqual([]);
  });

  inChromium('sign out together, even with unsaved changes, and sign in together', async () => {
    const { page } = await open('/pets');
    const tab = await openTab(page, '/console/pets?do=add');
    await tab.getByRole('dialog').getByLabel('Name').fill('Unsaved');
    await signOut(page);
    for (const one of [page, tab]) await keyField(one).waitFor();
    expect(await tab.evaluate('JSON.stringify(sessionStorage)')).not.toContain(ADMIN_KEY);
    await keyField(await openTab(page)).waitFor();
    await signIn(tab, ADMIN_KEY);
    await pages(page).waitFor();
  });

  inChromium('all ask for another key when theirs is revoked, and so does a new tab', async () => {
    const scopes = ['pets:read', 'events:read'];
    const { id, key } = (await shop.service.post('/v1/keys', { name: 'Leaving', plan: 'pro', scopes })).body;
    const { page } = await open('/pets', { key });
    const tab = await openTab(page, '/console/pets');
    await pages(tab).waitFor();
    await shop.service.call('DELETE', `/v1/keys/${id}`);
    const again = (one: Page) => one.getByRole('button', { name: 'Sign in with another key' });
    for (const one of [page, tab]) await again(one).waitFor();
    await keyField(await openTab(page)).waitFor();
    await again(page).click();
    for (const one of [page, tab]) await keyField(one).waitFor();
  });

  inChromium('of two services on one origin do not share a key', async () => {
    const staging: Service = await startService({ environment: STAGING });
    const proxy = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      idleTimeout: 255,
      fetch: (request) => {
        const { pathname, search } = new URL(request.url);
        const [, prefix, path] = /^\/(live|test)(\/.*)$/.exec(pathname) ?? [];
        if (path === undefined) return new Response(null, { status: 404 });
        const to = (prefix === 'live' ? shop.service : staging).url(`${path}${search}`);
        return fetch(to, { method: request.method, headers: request.headers, body: request.body, decompress: false });
      },
    });
    try {
      const { page } = await visitPage(shop.browser, `http://127.0.0.1:${proxy.port}/live/console/`);
      await signIn(page, ADMIN_KEY);
      const test = await openTab(page, '/test/console/');
      await keyField(test).waitFor();
      const { key } = (await staging.post('/v1/keys', { name: 'Team', plan: 'pro' })).body;
      await signIn(test, key);
      await openTab(page, '/live/console/pets').then((tab) => tab.getByText('Store 1', { exact: true }).waitFor());
      await openTab(test, '/test/console/pets').then((tab) => tab.getByText('Store 2', { exact: true }).waitFor());
      await signOut(test);
      await keyField(test).waitFor();
      await page.reload();
      await pages(page).waitFor();
    } finally {
      await proxy.stop(true);
      await staging.stop();
    }
  });
});

describe('an operator', () => {
  const issue = async (storeId: number) =>
    (await shop.service.post('/v1/keys', { name: `Shop ${storeId}`, plan: 'pro', storeId })).body.key as string;
  const stores = (page: Page) => pages(page).locator('summary.store');

  inChromium('opens another store with its key, and switches between the two by name', async () => {
    await addPet('Ours');
    const key = await issue(21);
    await addPet('Theirs', key);
    const { page, complaints } = await open('/pets');
    await stores(page).click();
    await page.getByRole('button', { name: 'Open another store' }).click();
    const dialog = page.getByRole('dialog', { name: 'Open another store' });
    await dialog.getByLabel('API key').fill(key);
    await dialog.getByRole('button', { name: 'Open store' }).click();
    await stores(page).getByText('Store 21').waitFor();
    await pages(page).getByRole('link', { name: 'Pets' }).click();
    await page.getByRole('link', { name: 'Theirs' }).waitFor();
    expect(await page.getByText('Ours').count()).toBe(0);

    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('switch');
    await page.getByRole('option', { name: 'Switch to store 1 (admin)' }).click();
    await stores(page).getByText('Store 1', { exact: true }).waitFor();
    await stores(page).click();
    await page.getByRole('button', { name: 'Store 21 · Shop 21' }).click();
    await stores(page).getByText('Store 21').waitFor();
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(key);
    expect(complaints).toEqual([]);
    await signOut(page);
    await keyField(page).waitFor();
    expect(await page.evaluate('sessionStorage.getItem("petstore-keys")')).toBe('[]');
  });

  inChromium('gets the store of the tab that was used last when opening a new tab', async () => {
    const key = await issue(22);
    const { page } = await open('/');
    const other = await openTab(page);
    await stores(other).click();
    await other.getByRole('button', { name: 'Open another store' }).click();
    await keyField(other).fill(key);
    await other.getByRole('button', { name: 'Open store' }).click();
    await stores(other).getByText('Store 22').waitFor();
    for (const [used, name] of [
      [page, 'Store 1'],
      [other, 'Store 22'],
    ] as const) {
      await used.keyboard.press('Shift');
      const tab = await page.context().newPage();
      // The new tab's clock is paused until both of the other tabs have answered the new tab's message.
      await tab.clock.install();
      await tab.addInitScript(`globalThis.answers = 0;
        new BroadcastChannel('petstore console production /console').onmessage = ({ data }) => {
          if (data.kind === 'keys') answers += 1;
        };`);
      await tab.clock.pauseAt(Date.now() + 3_600_000);
      await tab.goto(page.url());
      await waitFor('both tabs answer', async () => (await tab.evaluate<number>('answers')) >= 2 || undefined);
      await tab.clock.runFor(200);
      await tab.clock.resume();
      await stores(tab).getByText(name, { exact: true }).waitFor();
      await tab.close();
    }
  });

  inChromium('opens the store of a key that was just created, and switches on a phone', async () => {
    const { page } = await open('/keys', { viewport: { width: 390, height: 844 } });
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Branch');
    await dialog.getByLabel(/^Store/).fill('23');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('button', { name: 'Create store and key' }).click();
    const copy = await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).first().boundingBox();
    expect((copy?.x ?? 390) + (copy?.width ?? 0)).toBeLessThan(390);
    await page.getByRole('button', { name: 'Open store 23 with this key' }).click();
    // The secret is shown only once, so the console asks for confirmation before it leaves the page.
    await page.getByRole('dialog').last().getByRole('button', { name: 'Discard' }).click();
    await page.locator('.account summary', { hasText: 'Account: Branch' }).click();
    await page.getByRole('button', { name: 'Store 1 · admin' }).click();
    await page.locator('.account summary', { hasText: 'Account: admin' }).waitFor();
  });
});
