import { describe, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { waitFor } from '../wait-for.ts';
import { endUndo, extendUndo, pressBoth, startConsole } from './console.ts';

const shop = startConsole();
const { inChromium, open } = shop;

const addPet = async (name: string): Promise<number> =>
  (await shop.service.post('/v1/pets', { name, categoryId: 1 })).body.id;
const placeOrder = (petId: number) => shop.service.post('/v1/store/orders', { petId });
const sell = (petId: number) => shop.service.call('PATCH', `/v1/pets/${petId}`, { body: { status: 'sold' } });

const goTo = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
const selectAll = async (page: Page, status: string): Promise<void> => {
  await page.getByRole('row', { name: /Free/ }).waitFor();
  await page.getByLabel('Select all loaded rows').check();
  const bar = page.getByRole('region', { name: 'Selected' });
  await bar.getByText('Status').click();
  await bar.getByRole('button', { name: status, exact: true }).click();
};

describe('a change that the service refuses', () => {
  inChromium('is not offered for pets that are held by an order or already sold', async () => {
    const [held, sold, free] = [await addPet('Held'), await addPet('Sold'), await addPet('Free')];
    await placeOrder(held);
    await sell(sold);
    const { page } = await open('/pets');
    await extendUndo(page);
    await selectAll(page, 'Sold');
    const dialog = page.getByRole('dialog', { name: 'Set 1 pet to sold?' });
    await dialog.getByText('Not included: 1 pet already sold, 1 pet held by an order.').waitFor();
    await dialog.getByRole('button', { name: 'Set 1 pet to sold' }).click();
    await page.getByText('1 pet set to sold. Not included: 1 pet already sold, 1 pet held by an order.').waitFor();
    await placeOrder(free);
    await goTo(page, 'Overview');
    await endUndo(page);
    await page.getByText(/^Set 1 pet to sold: 1 rejected\. Free \(\d+\): .*is reserved by order/).waitFor();
    expect((await shop.service.get('/v1/store/inventory')).body).toMatchObject({ pending: 2, sold: 1 });
    const stock = async () => (await page.locator('.shelf .number').allInnerTexts()).join();
    await waitFor("the counts are the service's", async () => (await stock()) === '0,2,1');

    await goTo(page, 'Pets');
    await selectAll(page, 'Available');
    await page.getByText('3 pets were not set to available. Not included: ').waitFor();
  });

  inChromium('updates the pages in the menu if the permissions of the key have changed', async () => {
    const { id, key } = (
      await shop.service.post('/v1/keys', { name: 'Till', plan: 'pro', scopes: ['pets:read', 'orders:read'] })
    ).body;
    const { page } = await open('/keys', { key });
    const orders = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Orders' });
    await orders.waitFor();
    await shop.service.call('PATCH', `/v1/keys/${id}`, { body: { scopes: ['pets:read'] } });
    await pressBoth(page, 'g', 'o');
    await orders.waitFor({ state: 'detached' });
  });
});
