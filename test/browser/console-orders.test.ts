import { describe, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { createTestClock } from '../service.ts';
import { waitFor } from '../wait-for.ts';
import { listenToEvents, ordersAreRead, startConsole } from './console.ts';
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
  inChromium('move by drag and drop, and return with the error of the service if the move is refused', async () => {
    const id = await placeOrder('Mia');
    const { page } = await open('/orders');
    await ordersAreRead(page);
    const readAgain = page.waitForResponse(new RegExp(`/store/orders/${id}$`));
    await cardIn(page, 'Placed', 'Mia').dragTo(column(page, 'Delivered'));
    await page
      .getByText(`Order ${id} is \`placed\`; approve it before you deliver it (POST /store/orders/${id}/approve).`)
      .waitFor();
    await (await readAgain).finished();
    await cardIn(page, 'Placed', 'Mia').dragTo(column(page, 'Approved'));
    await cardIn(page, 'Approved', 'Mia').waitFor();
    await cardIn(page, 'Approved', 'Mia').dragTo(column(page, 'Closed'));
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
    await drawer.getByText('order.placed').waitFor();
    await ordersAreRead(live);
    await shop.service.post(`/v1/store/orders/${id}/cancel`, undefined);
    await drawer.getByText('order.cancelled').waitFor();
    await drawer.getByRole('button', { name: 'Close' }).click();
    await cardIn(live, 'Closed', 'Ben').waitFor();
    await cardIn(blind, 'Placed', 'Ben').getByRole('button', { name: 'Approve' }).click();
    await blind.getByText(`Order ${id} is \`cancelled\`, which is final, so it cannot become \`approved\`.`).waitFor();
    await cardIn(blind, 'Closed', 'Ben').waitFor();
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

  inChromium('close when their hold expires', async () => {
    await placeOrder('Kim');
    const { page } = await open('/orders');
    await listenToEvents(page);
    await cardIn(page, 'Placed', 'Kim').waitFor();
    await ordersAreRead(page);
    shop.service.clock.advance(HOLD_SECONDS * 1000);
    await shop.service.runJobs();
    await cardIn(page, 'Closed', 'Kim').getByText('expired').waitFor();
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
