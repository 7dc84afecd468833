import { describe, expect } from 'bun:test';
import { createTestClock } from '../service.ts';
import { startConsole } from './console.ts';

/** The page's countdowns use the browser's clock, so the service's clock must start at the current time. */
const shop = startConsole({
  clock: createTestClock(new Date().toISOString()),
  environment: { PETSTORE_ORDER_HOLD_SECONDS: '600' },
});
const { inChromium, open } = shop;

const available = async (): Promise<number> => (await shop.service.get('/v1/store/inventory')).body.available;

describe('the overview page', () => {
  inChromium('lists what needs attention, with links', async () => {
    const { service } = shop;
    const { body: pet } = await service.post('/v1/pets', { name: 'Kim', categoryId: 1 });
    const { body: order } = await service.post('/v1/store/orders', { petId: pet.id });
    const webhook = { url: 'https://shop.example/hook', events: ['pet.created'] };
    const { body: hook } = await service.post('/v1/webhooks', webhook);
    await service.call('PATCH', `/v1/webhooks/${hook.id}`, { body: { enabled: false } });
    await service.get(`/v1/pets/${pet.id}`, { key: await service.issueKey() });
    service.clock.advance(3_600_000);
    const key = await service.issueKey({ plan: 'enterprise', limits: { perMinute: 1, perDay: 10 } });
    for (let asked = 0; asked < 3; asked += 1) await service.get('/v1/pets', { key });
    const { page } = await open('/');
    const needs = page.getByRole('region', { name: 'Needs attention' });
    await needs.getByText('shop.example/hook is not receiving events').waitFor();
    await needs.getByText('test is temporarily banned').waitFor();
    await needs.getByText('This store has no backup yet').waitFor();
    await needs.getByText(`Approve order ${order.id} to keep the pet on hold.`).waitFor();
    expect(await needs.getByText('uses an operation').count()).toBe(0);
    expect(await page.locator('.nav a', { hasText: 'Orders' }).locator('.todo').innerText()).toBe('1');
    await needs.getByRole('button', { name: 'Back up now' }).click();
    await page.getByText(/^Backup started/).waitFor();
    await needs.getByRole('link', { name: 'Open order: The hold on Kim is about to expire' }).click();
    await page.getByRole('dialog', { name: `Order ${order.id}` }).waitFor();
  });

  inChromium('shows true figures for the whole period, and activity in words', async () => {
    const { service } = shop;
    const key = await service.issueKey({ name: 'Front desk' });
    const pets = Array.from({ length: 150 }, (_, index) => ({ name: `Pet ${index}`, categoryId: 1 }));
    await service.post('/v1/pets/batch', { pets: pets.slice(0, 100) }, { key });
    const { body: added } = await service.post('/v1/pets/batch', { pets: pets.slice(100) }, { key });
    for (const { id } of added.slice(0, 2)) {
      const { body: order } = await service.post('/v1/store/orders', { petId: id }, { key });
      await service.post(`/v1/store/orders/${order.id}/approve`, undefined, { key });
      await service.post(`/v1/store/orders/${order.id}/deliver`, undefined, { key });
    }
    const sell = { body: { status: 'sold' } };
    for (const { id } of added.slice(2, 4)) await service.call('PATCH', `/v1/pets/${id}`, { ...sell, key });
    const { page } = await open('/');
    const figures = page.getByRole('region', { name: 'Key figures' });
    await figures.getByText('151 added in the last 7 days').waitFor();
    const sold = figures.locator('.figure', { hasText: 'Sold, last 7 days' });
    await sold.getByText('4', { exact: true }).waitFor();
    await sold.getByText('4 today').waitFor();
    await page.getByRole('img', { name: 'Last 14 days: Sold 4' }).waitFor();
    await figures.getByText('No server errors').waitFor();
    const activity = page.getByRole('region', { name: 'Activity' });
    await activity.getByText('Front desk sold 2 pets').waitFor();
    await activity.getByText('Front desk delivered Pet 101').waitFor();
    await activity.getByText(/^Front desk added at least \d+ pets$/).waitFor();
    expect(await activity.getByText('changed the status').count()).toBe(0);
    const latest = page.getByRole('region', { name: 'Latest orders' });
    await latest
      .getByRole('listitem')
      .first()
      .getByText(/^Pet 101 Order \d+$/)
      .waitFor();
    expect(await latest.getByText('delivered').count()).toBe(2);
  });

  inChromium('shows only what the key may read', async () => {
    const { page, complaints } = await open('/', { key: await shop.service.issueKey({ scopes: ['orders:read'] }) });
    await page.getByRole('link', { name: 'Your requests, 24 h' }).waitFor();
    await page
      .getByRole('region', { name: 'Stock' })
      .getByText(String(await available()), { exact: true })
      .waitFor();
    expect(await page.getByRole('region', { name: 'Activity' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Getting started' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  inChromium('can be scrolled, and the next page still opens at the top', async () => {
    const { page } = await open('/keys', { viewport: { width: 1280, height: 400 } });
    const main = page.locator('#page');
    const goTo = (name: string) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
    await page.getByRole('heading', { name: 'Audit trail' }).waitFor();
    await goTo('Overview');
    await page.getByRole('heading', { name: 'Activity' }).waitFor();
    await main.evaluate((it: any) => it.scrollTo(0, 400));
    expect(await main.evaluate((it: any) => it.scrollTop)).toBeGreaterThan(0);
    await goTo('Keys');
    await page.getByRole('heading', { name: 'Audit trail' }).waitFor();
    expect(await main.evaluate((it: any) => it.scrollTop)).toBe(0);
  });

  inChromium('shows changes by others even without live events', async () => {
    const scopes = ['pets:read', 'pets:write', 'orders:read', 'orders:write'];
    const { page } = await open('/', { key: await shop.service.issueKey({ scopes }) });
    const figure = page.getByRole('link', { name: /^Available pets/ });
    await figure.getByText(String(await available()), { exact: true }).waitFor();
    await shop.service.post('/v1/pets', { name: 'Otto', categoryId: 1 });
    await figure.getByText(String(await available()), { exact: true }).waitFor();
    await page.getByText(/Updated (now|\d+ s ago)/).waitFor();
  });
});
