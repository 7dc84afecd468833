import { describe, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { createTestClock } from '../service.ts';
import { waitFor } from '../wait-for.ts';
import { listenToEvents, ordersAreRead, startConsole } from './console.ts';
import { STEP_MS } from './visit.ts';

/** The page counts down by the time of the machine, by which none of these ends while it is looked at. */
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

describe('the orders of the console', () => {
  inChromium('are dragged, and go back with the words of the service where they may not go', async () => {
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
    await cardIn(page, 'Approved', 'Mia').dragTo(column(page, 'Gone'));
    await page.getByRole('button', { name: 'Cancel the order' }).click();
    await cardIn(page, 'Gone', 'Mia').waitFor();
  });

  inChromium('tell what others have done to them: as it happens, or when it is too late', async () => {
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
    await cardIn(live, 'Gone', 'Ben').waitFor();
    await cardIn(blind, 'Placed', 'Ben').getByRole('button', { name: 'Approve' }).click();
    await blind.getByText(`Order ${id} is \`cancelled\`, which is final, so it cannot become \`approved\`.`).waitFor();
    await cardIn(blind, 'Gone', 'Ben').waitFor();
  });

  inChromium('are where others have moved them, although they were read before', async () => {
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
    await cardIn(page, 'Gone', 'Eve').waitFor();
    isShown.resolve();
    await ordersAreRead(page);
    expect(await cardIn(page, 'Placed', 'Eve').count()).toBe(0);
  });

  inChromium('go when their hold ends', async () => {
    await placeOrder('Kim');
    const { page } = await open('/orders');
    await listenToEvents(page);
    await cardIn(page, 'Placed', 'Kim').waitFor();
    await ordersAreRead(page);
    shop.service.clock.advance(HOLD_SECONDS * 1000);
    await shop.service.runJobs();
    await cardIn(page, 'Gone', 'Kim').getByText('expired').waitFor();
  });

  inChromium('are shown without a way to change them to whoever may only read', async () => {
    await placeOrder('Lou');
    const { page } = await open('/orders', { key: await shop.service.issueKey({ scopes: ['orders:read'] }) });
    const card = column(page, 'Placed').getByRole('listitem');
    await card.first().waitFor();
    expect(await card.first().innerText()).toContain('animal');
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
  });
});
