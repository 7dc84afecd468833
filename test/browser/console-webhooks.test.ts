import { afterAll, describe, expect } from 'bun:test';
import { createTestClock } from '../service.ts';
import { fine, refuse, startReceiver } from '../webhook-receiver.ts';
import { startConsole } from './console.ts';
import { stopClock } from './visit.ts';

// Browsers count down by the clock of the machine.
const clock = createTestClock(new Date().toISOString());
const shop = startConsole({ environment: { PETSTORE_WEBHOOK_ALLOW_PRIVATE: 'true' }, clock });
const { inChromium, open } = shop;
const receiver = startReceiver(clock);
afterAll(() => receiver.down());

describe('the page of webhooks', () => {
  inChromium('tells of an endpoint that refuses, switches it off, gives it another secret and removes it', async () => {
    const url = receiver.url('/refusing');
    const { body } = await shop.service.post('/v1/webhooks', { url, events: ['pet.created'] });
    receiver.respond(({ path }) => (path === '/refusing' ? refuse(500) : fine()));
    await shop.service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    await receiver.until('/refusing', 1);
    const { page } = await open(`/webhooks?webhook=${body.id}`);
    const drawer = page.getByRole('dialog', { name: url });
    await drawer.getByText(/status 500 in .* again in/).waitFor();
    await drawer.getByRole('button', { name: 'Request and answer' }).click();
    await drawer.getByText('"name": "Rex"').waitFor();

    await drawer.getByRole('button', { name: 'Rotate the secret' }).click();
    expect(await drawer.getByText(/^whsec_/).innerText()).not.toBe(body.secret);
    await drawer.getByRole('button', { name: 'Switch off' }).click();
    await drawer.getByText('off: somebody switched it off').waitFor();
    await drawer.getByRole('list', { name: 'Deliveries' }).getByText('✕ failed').waitFor();
    expect(await drawer.getByRole('button', { name: /^(Redeliver|Send a test)/ }).count()).toBe(0);

    await drawer.getByRole('button', { name: 'Remove' }).click();
    await stopClock(page);
    await page.getByRole('button', { name: 'Remove the webhook' }).click();
    await page.getByText(`The webhook to ${url} is removed.`).waitFor();
    expect((await shop.service.get(`/v1/webhooks/${body.id}`)).status).toBe(404);
  });

  inChromium('offers a key the events that it may read, and says what is wrong with an endpoint', async () => {
    const key = await shop.service.issueKey({ scopes: ['pets:read', 'webhooks:write'] });
    const { page } = await open('/webhooks', { key });
    await page.getByRole('button', { name: 'Add a webhook' }).first().click();
    const adding = page.getByRole('dialog', { name: 'Add a webhook' });
    await adding.getByLabel('Endpoint').waitFor();
    const types = await adding.getByRole('checkbox').count();
    expect([types, await adding.getByText('order.placed').count()]).toEqual([6, 0]);
    await adding.getByLabel('Endpoint').fill('ftp://shop.example');
    await adding.getByRole('button', { name: 'Add the webhook' }).click();
    await adding.getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Nobody is told yet').waitFor();
  });
});
