import { describe, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { createTestClock } from '../service.ts';
import { waitFor } from '../wait-for.ts';
import { extendUndo, listenToEvents, ordersAreRead, startConsole } from './console.ts';
import { STEP_MS } from './visit.ts';

const HOLD_SECONDS = 86_400;
const shop = startConsole({
  clock: createTestClock(new Date().toISOString()),
  environment: { PETSTORE_ORDER_HOLD_SECONDS: String(HOLD_SECONDS) },
});
const { inChromium, open } = shop;

const addPet = async (name: string): Promise<number> =>
  (await shop.service.post('/v1/pets', { name, categoryId: 1 })).body.id;
const placeOrder = async (name: string): Promise<number> =>
  (await shop.service.post('/v1/store/orders', { petId: await addPet(name) })).body.id;

const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const cardIn = (page: Page, name: string, pet: string) =>
  column(page, name).getByRole('listitem').filter({ hasText: pet });

describe('orders in the console', () => {
  inChromium('move by drag and drop, and explain a move that is not allowed', async () => {
    const id = await placeOrder('Mia');
    const { page } = await open('/orders');
    await ordersAreRead(page);
    await cardIn(page, 'Placed', 'Mia').dragTo(column(page, 'Delivered'));
    await cardIn(page, 'Placed', 'Mia').getByText('Not moved. Approve this order before you deliver it.').waitFor();
    await cardIn(page, 'Placed', 'Mia').dragTo(column(page, 'Approved'));
    await cardIn(page, 'Approved', 'Mia').waitFor();
    await cardIn(page, 'Approved', 'Mia').dragTo(column(page, 'Placed'));
    await cardIn(page, 'Approved', 'Mia').getByText('An approved order cannot go back.').waitFor();
    expect((await shop.service.get(`/v1/store/orders/${id}`)).body.status).toBe('approved');
    await cardIn(page, 'Approved', 'Mia').dragTo(column(page, 'Closed'));
    await page.getByRole('heading', { name: `Cancel order ${id} for Mia?` }).waitFor();
    await page.getByRole('button', { name: 'Cancel order', exact: true }).click();
    await cardIn(page, 'Closed', 'Mia').waitFor();
  });

  inChromium('show changes by others, live or after a refused move', async () => {
    const id = await placeOrder('Ben');
    const scopes = ['pets:read', 'orders:read', 'orders:write'];
    const { page: blind } = await open('/orders', { key: await shop.service.issueKey({ scopes }) });
    const { page: live } = await open(`/orders?order=${id}`);
    await listenToEvents(live);
    await cardIn(blind, 'Placed', 'Ben').waitFor();
    await ordersAreRead(blind);
    const drawer = live.getByRole('dialog', { name: `Order ${id}` });
    await drawer.getByText('Order placed').waitFor();
    await ordersAreRead(live);
    await shop.service.post(`/v1/store/orders/${id}/cancel`, undefined);
    await drawer.getByText('Order cancelled').waitFor();
    await drawer.getByRole('button', { name: 'Close' }).click();
    await cardIn(live, 'Closed', 'Ben').waitFor();
    await cardIn(blind, 'Placed', 'Ben').getByRole('button', { name: 'Approve' }).click();
    await cardIn(blind, 'Closed', 'Ben').getByText('This order is already cancelled.').waitFor();
  });

  inChromium('show a change that arrives while the lists load', async () => {
    const id = await placeOrder('Eve');
    const { page } = await open('/pets');
    await listenToEvents(page);
    const [read, isShown] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route(/status=placed/, async (route) => {
      const response = await route.fetch({ timeout: STEP_MS });
      read.resolve();
      await isShown.promise;
      await route.fulfill({ response });
    });
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Orders' }).click();
    await read.promise;
    await waitFor(
      'the others are read',
      async () => (await page.locator('.board').getByLabel('Loading').count()) === 1,
    );
    await shop.service.post(`/v1/store/orders/${id}/cancel`, undefined);
    await cardIn(page, 'Closed', 'Eve').waitFor();
    isShown.resolve();
    await ordersAreRead(page);
    expect(await cardIn(page, 'Placed', 'Eve').count()).toBe(0);
  });

  inChromium('move once after a double click, even if the next order takes the place of the first', async () => {
    for (const name of ['Tic', 'Tac', 'Toe']) await placeOrder(name);
    const { page } = await open('/orders');
    await ordersAreRead(page);
    const names = async (name: string) =>
      (await column(page, name).getByRole('link').allInnerTexts()).filter((text) => /^(Tic|Tac|Toe)$/.test(text));
    await cardIn(page, 'Placed', 'Tic').getByRole('button', { name: 'Approve' }).dblclick();
    await cardIn(page, 'Approved', 'Tic').waitFor();
    expect([await names('Placed'), await names('Approved')]).toEqual([['Tac', 'Toe'], ['Tic']]);
  });

  inChromium('show one error for the whole board, and load again on request', async () => {
    await placeOrder('Ida');
    const { page } = await open('/pets');
    const lists = /\/store\/orders\?/;
    const problem = { title: 'Forbidden', status: 403, detail: 'Not now.', code: 'missing_scope' };
    await page.route(lists, (route) =>
      route.fulfill({ status: 403, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
    );
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Orders' }).click();
    const retry = page.getByRole('main').getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    await ordersAreRead(page);
    expect(await retry.count()).toBe(1);
    await page.unroute(lists);
    await retry.click();
    await cardIn(page, 'Placed', 'Ida').waitFor();
  });

  inChromium('are still shown while the service is away, and are read again when it is back', async () => {
    const id = await placeOrder('Pam');
    const { page } = await open('/orders');
    const goTo = (name: string) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
    await cardIn(page, 'Placed', 'Pam').waitFor();
    await ordersAreRead(page);
    await goTo('Categories');
    await page.route(/\/v1\//, (route) => route.abort());
    await goTo('Orders');
    await cardIn(page, 'Placed', 'Pam').waitFor();
    await shop.service.post(`/v1/store/orders/${id}/cancel`, undefined);
    await page.unroute(/\/v1\//);
    await cardIn(page, 'Closed', 'Pam').waitFor();
    await ordersAreRead(page);
  });

  inChromium('have their filters on one line next to a drawer', async () => {
    const id = await placeOrder('Tia');
    const { page } = await open(`/orders?view=list&when=month&order=${id}`);
    await page.getByRole('dialog').getByText('Tia').waitFor();
    const tops = await Promise.all(
      ['Pet or order number', 'Status', 'Placed'].map(
        async (label) => (await page.locator('.order-filters').getByLabel(label, { exact: true }).boundingBox())?.y,
      ),
    );
    expect(Math.max(...tops.map(Number)) - Math.min(...tops.map(Number))).toBeLessThan(10);
  });

  inChromium('stay in view on a phone when they move to another column', async () => {
    await placeOrder('Uma');
    const { page } = await open('/orders', { viewport: { width: 390, height: 844 } });
    await ordersAreRead(page);
    await cardIn(page, 'Placed', 'Uma').getByRole('button', { name: 'Approve' }).click();
    const title = cardIn(page, 'Approved', 'Uma').getByRole('link');
    await waitFor('the card is in view', async () => {
      const { x = -1, width = 0 } = (await title.boundingBox()) ?? {};
      return x >= 0 && x + width <= 390;
    });
  });

  inChromium('come into view with the focus after they are placed, also on a phone', async () => {
    const id = await placeOrder('Ola');
    await shop.service.post(`/v1/store/orders/${id}/approve`, undefined);
    // Lets the hold time pass, so that the first column is empty.
    shop.service.clock.advance(HOLD_SECONDS * 1000);
    await shop.service.runJobs();
    const { page } = await open('/orders', { viewport: { width: 390, height: 844 } });
    await listenToEvents(page);
    for (const name of ['Una', 'Ute']) {
      await addPet(name);
      await ordersAreRead(page);
      await page.getByRole('button', { name: 'New order' }).click();
      const dialog = page.getByRole('dialog', { name: 'New order' });
      await dialog.getByLabel('Pet', { exact: true }).fill(name);
      await dialog.getByRole('radio', { name: new RegExp(`^${name}`) }).check();
      await dialog.getByRole('button', { name: `Place order for ${name}` }).click();
      const title = cardIn(page, 'Placed', name).getByRole('link');
      await page.locator(':focus').filter({ hasText: name }).waitFor();
      await waitFor('the card is in view', async () => {
        const { x = -1, width = 0 } = (await title.boundingBox()) ?? {};
        return x >= 0 && x + width <= 390;
      });
    }
  });

  inChromium('are moved with letters after one is selected; before that, a letter says how to select one', async () => {
    const id = await placeOrder('Ada');
    const { page } = await open('/orders');
    await extendUndo(page);
    await ordersAreRead(page);
    await cardIn(page, 'Placed', 'Ada').waitFor();
    const advice = page.getByText('Select an order first: press j or k, or Tab.');
    for (const letter of ['a', 'd', 'c']) {
      await page.keyboard.press(letter);
      await advice.waitFor();
    }
    expect([await advice.count(), await page.getByRole('dialog').count()]).toEqual([1, 0]);
    await page.keyboard.press('j');
    const focused = page.locator(':focus');
    await column(page, 'Placed').getByRole('link').first().and(focused).waitFor();
    while ((await focused.innerText()) !== 'Ada') await page.keyboard.press('j');
    await page.keyboard.press('a');
    await cardIn(page, 'Approved', 'Ada').waitFor();
    await focused.filter({ hasText: 'Ada' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('cancel order');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Cancel order', exact: true }).click();
    await cardIn(page, 'Closed', 'Ada').waitFor();
    expect((await shop.service.get(`/v1/store/orders/${id}`)).body.status).toBe('cancelled');
  });

  inChromium('are in view on a phone, even if the first column is empty', async () => {
    const id = await placeOrder('Ivy');
    await shop.service.post(`/v1/store/orders/${id}/approve`, undefined);
    // Lets the hold time pass, so that every order that is still `placed` expires.
    shop.service.clock.advance(HOLD_SECONDS * 1000);
    await shop.service.runJobs();
    const { page } = await open('/orders', { viewport: { width: 390, height: 844 } });
    await ordersAreRead(page);
    await waitFor('the column is in view', async () => {
      const { x = -1, width = 0 } = (await column(page, 'Approved').boundingBox()) ?? {};
      return x >= 0 && x + width <= 390;
    });
  });

  inChromium('close when their hold expires', async () => {
    await placeOrder('Kim');
    const { page } = await open('/orders');
    await listenToEvents(page);
    await cardIn(page, 'Placed', 'Kim').waitFor();
    await ordersAreRead(page);
    shop.service.clock.advance(HOLD_SECONDS * 1000);
    await shop.service.runJobs();
    await cardIn(page, 'Closed', 'Kim').getByText('Expired').waitFor();
  });

  inChromium(
    'are placed only with the button: Enter selects the best match, and rows show category and number',
    async () => {
      const id = await addPet('Nox');
      for (const name of ['A Nox', 'Noxy']) await addPet(name);
      const { page } = await open('/orders?place=');
      const dialog = page.getByRole('dialog', { name: 'New order' });
      const placed = async () => (await shop.service.get(`/v1/store/orders?petId=${id}`)).body.length;
      expect(await dialog.getByRole('button', { name: 'Place order' }).isDisabled()).toBe(true);
      await dialog.getByLabel('Pet', { exact: true }).fill('Nox');
      await dialog.getByText(`pet ${id} · Dogs`).waitFor();
      await waitFor('only matches are shown', async () => (await dialog.getByRole('radio').count()) === 3 || undefined);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      expect(await dialog.getByRole('radio').first().isChecked()).toBe(true);
      expect(await placed()).toBe(0);
      await dialog.getByRole('button', { name: 'Place order for Nox' }).click();
      await cardIn(page, 'Placed', 'Nox').waitFor();
      expect(await placed()).toBe(1);
    },
  );

  inChromium('are found in the list by name, number, status and day', async () => {
    const [one, two] = [await placeOrder('Zoe'), await placeOrder('Zoltan')];
    await shop.service.post(`/v1/store/orders/${two}/cancel`, undefined);
    const { page } = await open('/orders?view=list');
    const table = page.getByRole('table', { name: 'Orders' });
    const rowOf = (id: number) =>
      table.getByRole('row').filter({ has: page.getByRole('link', { name: String(id), exact: true }) });
    await rowOf(one).waitFor();
    const search = page.getByRole('searchbox', { name: 'Pet or order number' });
    await search.fill('Zo');
    await waitFor('both are found', async () => (await table.getByRole('row').count()) === 3 || undefined);
    await page.getByLabel('Status').selectOption('cancelled');
    await waitFor('one is found', async () => (await table.getByRole('row').count()) === 2 || undefined);
    await rowOf(two).getByText('Zoltan').waitFor();
    await page.reload();
    await rowOf(two).getByText('Zoltan').waitFor();
    await page.goBack();
    await rowOf(one).waitFor();
    await search.fill(String(one));
    await rowOf(one).getByText('Zoe').waitFor();
    await page.getByLabel('Placed', { exact: true }).selectOption('yesterday');
    await page.getByRole('heading', { name: 'No matching orders' }).waitFor();
    await page.getByText('The dates are the days on which orders were placed.').waitFor();
    await page.getByRole('button', { name: 'Clear the date' }).click();
    await rowOf(one).waitFor();
    expect(await search.inputValue()).toBe(String(one));
    await page.getByLabel('Placed', { exact: true }).selectOption('yesterday');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await rowOf(one).getByRole('link').click();
    await page
      .getByRole('dialog', { name: `Order ${one}` })
      .getByText('Order placed')
      .waitFor();
    expect(new URL(page.url()).searchParams.get('view')).toBe('list');
  });

  inChromium('show their pet, hold, actors and history, newest first, in the panel', async () => {
    const id = await placeOrder('Pia');
    const { page } = await open(`/orders?order=${id}`);
    const drawer = page.getByRole('dialog', { name: `Order ${id}` });
    const by = drawer.getByRole('definition').filter({ hasText: 'by admin' });
    const history = drawer.getByRole('list', { name: 'History' }).getByRole('listitem');
    await drawer.getByRole('meter', { name: 'Time left on the hold' }).waitFor();
    await by.waitFor();
    await drawer.getByRole('button', { name: `Approve order ${id}` }).click();
    await history.filter({ hasText: 'Order approved' }).waitFor();
    await waitFor('two actors', async () => (await by.count()) === 2);
    const shown = (await history.allInnerTexts()).map((text) => text.split('\n')[0]);
    expect(shown).toEqual(['Order approved', 'Order placed']);
    await drawer.getByRole('link', { name: 'Pia' }).click();
    await page.getByRole('dialog').getByRole('heading', { name: 'Pia' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/pets');
  });

  inChromium('show their number and date in the list on a phone', async () => {
    const id = await placeOrder('Yui');
    const { page } = await open('/orders?view=list', { viewport: { width: 390, height: 844 } });
    const row = page.getByRole('table', { name: 'Orders' }).getByRole('row').filter({ hasText: 'Yui' });
    await row.locator('time:visible').waitFor();
    await row.getByRole('link', { name: `Order ${id}` }).click();
    await page.getByRole('dialog', { name: `Order ${id}` }).waitFor();
  });

  inChromium('have no buttons for a key that may only read', async () => {
    await placeOrder('Lou');
    const { page } = await open('/orders', { key: await shop.service.issueKey({ scopes: ['orders:read'] }) });
    const card = column(page, 'Placed').getByRole('listitem');
    await card.first().waitFor();
    expect(await card.first().innerText()).toContain('pet ');
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
  });
});
