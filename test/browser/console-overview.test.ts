import { describe, expect } from 'bun:test';
import { createTestClock } from '../service.ts';
import { startConsole } from './console.ts';

/** The page's countdowns use the browser's clock, so the service's clock must start at the real time. */
const shop = startConsole({
  clock: createTestClock(new Date().toISOString()),
  environment: { PETSTORE_ORDER_HOLD_SECONDS: '600' },
});
const { inChromium, open } = shop;

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
    await needs.getByText(/^getPet will be removed in [\d,]+ days; 1 key still calls it$/).waitFor();
    await needs.getByText('Webhook to shop.example is disabled: turned off by a user').waitFor();
    await needs.getByText('Key test is banned').waitFor();
    await needs.getByRole('link', { name: `Open order: Order ${order.id} will expire` }).click();
    await page.getByRole('dialog', { name: `Order ${order.id}` }).waitFor();
  });

  inChromium('shows only what the key may read', async () => {
    const { page, complaints } = await open('/', { key: await shop.service.issueKey({ scopes: ['orders:read'] }) });
    await page.getByRole('region', { name: 'Requests', exact: true }).getByText('This key').waitFor();
    await page.getByRole('region', { name: 'Stock' }).getByText(/^1$/).waitFor();
    expect(await page.getByRole('region', { name: 'Activity' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Getting started' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
