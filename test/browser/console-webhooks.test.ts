import { afterAll, describe, expect } from 'bun:test';
import { createTestClock } from '../service.ts';
import { fine, refuse, startReceiver } from '../webhook-receiver.ts';
import { startConsole } from './console.ts';
import { stopClock } from './visit.ts';

// The page's countdowns use the browser's clock, so the service's clock must start at the current time.
const clock = createTestClock(new Date().toISOString());
const shop = startConsole({ environment: { PETSTORE_WEBHOOK_ALLOW_PRIVATE: 'true' }, clock });
const { inChromium, open } = shop;
const receiver = startReceiver(clock);
afterAll(() => receiver.down());

describe('the webhooks page', () => {
  inChromium('shows failed deliveries, rotates the secret, and disables and deletes a webhook', async () => {
    const url = receiver.url('/refusing');
    const { body } = await shop.service.post('/v1/webhooks', { url, events: ['pet.created'] });
    const { page } = await open(`/webhooks?webhook=${body.id}`);
    const drawer = page.getByRole('dialog', { name: url });
    const parts = [page.getByRole('row', { name: /refusing/ }), drawer.locator('.facts')];
    for (const part of parts) await part.getByText('no deliveries yet').waitFor();
    // The service's clock is an hour ahead, so the browser does not see the next attempt become due during this test.
    clock.advance(3_600_000);
    const boom = () => new Response('boom: printer is out of paper', { status: 500 });
    receiver.respond(({ path }) => (path === '/refusing' ? boom() : fine()));
    await shop.service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    await receiver.until('/refusing', 1);
    const delivery = drawer.getByRole('button', { name: /^retrying 500 pet\.created.*Rex · pet \d+.* 1 attempt$/ });
    await delivery.click();
    const attempt = drawer.getByRole('table').getByRole('row').last();
    await attempt.getByText('500', { exact: true }).waitFor();
    await attempt
      .getByRole('cell')
      .last()
      .getByText(/^in (\d+ min|1 h)/)
      .waitFor();
    await drawer.getByText('"name": "Rex"').waitFor();
    const first = drawer.locator('.exchange > *').first();
    expect(await first.innerText()).toBe('Your endpoint answered 500: boom: printer is out of paper');
    for (const part of parts) await part.getByText('failing', { exact: true }).waitFor();
    await drawer.getByText('last 1: 1 retrying').waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('link', { name: /^Open webhook: Deliveries to .* are failing$/ }).click();

    await drawer.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('button', { name: 'Rotate', exact: true }).click();
    expect(await page.getByText(/^whsec_/).innerText()).not.toBe(body.secret);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Close without saving the secret?' }).getByText('Keep it open').click();
    await page.getByRole('button', { name: "I've saved it" }).click();
    await drawer.getByRole('button', { name: 'Disable' }).click();
    expect((await shop.service.get(`/v1/webhooks/${body.id}`)).body.enabled).toBe(true);
    await page.getByRole('button', { name: 'Disable webhook' }).click();
    await drawer.getByText('Disabled: it was turned off by hand').waitFor();
    expect(await drawer.getByText('Fix the cause').count()).toBe(0);
    await drawer.getByRole('list', { name: 'Deliveries' }).getByText('failed', { exact: true }).waitFor();
    expect(await drawer.getByRole('button', { name: /^(Redeliver|Send test event)/ }).count()).toBe(0);

    await drawer.getByRole('button', { name: 'Delete' }).click();
    await stopClock(page);
    await page.getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByText(`Webhook to ${url} deleted.`).waitFor();
    expect((await shop.service.get(`/v1/webhooks/${body.id}`)).status).toBe(404);
  });

  inChromium('says that a delivery is waiting, if its next attempt is due while the service pauses', async () => {
    const url = receiver.url('/failing');
    const { body } = await shop.service.post('/v1/webhooks', { url, events: ['pet.created'] });
    receiver.respond(() => refuse(500));
    await shop.service.post('/v1/pets', { name: 'Due', categoryId: 1 });
    await receiver.until('/failing', 1);
    const { page } = await open(`/webhooks?webhook=${body.id}`);
    const drawer = page.getByRole('dialog', { name: url });
    await drawer.getByRole('button', { name: /^retrying 500/ }).click();
    await page.clock.setFixedTime(clock() + 3_600_000);
    await drawer.getByRole('row', { name: /^1 .* 500 .* waiting$/ }).waitFor();
    await drawer.getByText(/^If an endpoint fails several times in a row/).waitFor();
  });

  inChromium('offers only events that the key may read, and shows why an endpoint is invalid', async () => {
    const key = await shop.service.issueKey({ scopes: ['pets:read', 'webhooks:write'] });
    const { page } = await open('/webhooks', { key });
    await page.getByRole('button', { name: 'Add webhook' }).first().click();
    const adding = page.getByRole('dialog', { name: 'Add webhook' });
    await adding.getByLabel('Endpoint').waitFor();
    const types = await adding.getByRole('checkbox').count();
    expect([types, await adding.getByText('order.placed').count()]).toEqual([7, 0]);
    await adding.getByText(/^For sales, choose pet\.status_changed/).waitFor();
    await adding.getByLabel('Endpoint').fill('ftp://shop.example');
    await adding.getByRole('checkbox', { name: 'pet.created' }).uncheck();
    await adding.getByRole('button', { name: 'Add webhook' }).click();
    await adding.getByRole('alert').getByText('Choose at least one event.').waitFor();
    await adding.getByRole('alert').getByText('Enter a public address that starts with https://').waitFor();
    await page.locator('input[name="url"]:focus').waitFor();
    await adding.getByText('PETSTORE_WEBHOOK_ALLOW_PRIVATE=true').waitFor();
    await adding.getByText('Receive events on your laptop', { exact: true }).click();
    await adding.getByText('petstore webhooks listen').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Discard your changes?' }).getByRole('button', { name: 'Discard' }).click();
    await page.getByText('No webhooks yet').waitFor();
  });

  inChromium('finds any key of the store by name or id, also one that is not among the newest 100', async () => {
    const { storeId } = (await shop.service.get('/v1/keys/me')).body;
    const scopes = ['pets:read'];
    const add = async (name: string): Promise<string> =>
      (await shop.service.post('/v1/keys', { name, plan: 'free', storeId, scopes })).body.id;
    const [partner, other] = [await add('Old partner'), await add('Other partner')];
    for (let index = 0; index < 100; index += 1) await add(`Key ${index}`);
    const { body } = await shop.service.post('/v1/webhooks', { url: receiver.url('/old'), events: ['pet.created'] });
    const { page } = await open(`/webhooks?webhook=${body.id}`);
    const dialog = page.getByRole('dialog', { name: 'Edit webhook' });
    const key = dialog.getByRole('combobox', { name: 'Key' });
    const edit = () => page.getByRole('button', { name: 'Change', exact: true }).click();
    const save = async (): Promise<unknown> => {
      const saved = page.waitForRequest((request) => request.method() === 'PATCH');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      return (await saved).postDataJSON();
    };
    await edit();
    await key.fill('old part');
    await dialog.getByRole('option', { name: `Old partner · ${partner}` }).click();
    expect(await save()).toEqual({ keyId: partner });
    await edit();
    await key.fill(other);
    expect(await save()).toEqual({ keyId: other });
  });

  inChromium('a double click adds one webhook, and shows its secret', async () => {
    const before = (await shop.service.get('/v1/webhooks')).body.length;
    const { page } = await open('/webhooks');
    const requests: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') requests.push(new URL(request.url()).pathname);
    });
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Endpoint').fill(receiver.url('/once'));
    await dialog.getByRole('button', { name: 'Add webhook' }).dblclick();
    await page.getByText(/^whsec_/).waitFor();
    expect(requests).toEqual(['/v1/webhooks']);
    expect((await shop.service.get('/v1/webhooks')).body).toHaveLength(before + 1);
  });
});
