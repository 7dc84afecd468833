import { describe, expect } from 'bun:test';
import { createTestClock } from '../service.ts';
import { startConsole } from './console.ts';

/**
 * The page uses the browser's clock to decide whether a ban has ended. The service's clock is an hour ahead of the
 * browser's clock, so no ban ends during the test.
 */
const shop = startConsole({ clock: createTestClock(new Date(Date.now() + 3_600_000).toISOString()) });
const { inChromium, open } = shop;

describe('the keys page', () => {
  inChromium('shows an error next to its field, changes a plan, rotates a key and lifts a ban', async () => {
    const key = await shop.service.issueKey({
      name: 'Busy',
      plan: 'enterprise',
      limits: { perMinute: 2, perDay: 100 },
    });
    for (let sent = 0; sent < 4; sent += 1) await shop.service.get('/v1/pets', { key });
    const { page } = await open('/keys');
    await page.getByRole('row', { name: /Busy.*banned/ }).click();
    const drawer = page.getByRole('dialog', { name: 'Busy' });
    await drawer.getByRole('button', { name: 'Lift ban' }).click();
    await drawer.getByText('near limit', { exact: true }).waitFor();
    await drawer.getByRole('button', { name: 'Change' }).click();
    await drawer.getByLabel('Name', { exact: true }).fill('   ');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await drawer.getByRole('alert').first().waitFor();
    await page.locator('input[name="name"]:focus').waitFor();
    await page.keyboard.press('Escape');
    await page
      .getByRole('dialog', { name: 'Discard your changes?' })
      .getByRole('button', { name: 'Keep editing' })
      .click();
    await drawer.getByLabel('Name', { exact: true }).fill('Calm');
    await drawer.getByLabel('Plan').selectOption('pro');
    await drawer.getByRole('button', { name: 'Save' }).click();
    const calm = page.getByRole('dialog', { name: 'Calm' });
    await calm
      .getByText(/of 300/)
      .first()
      .waitFor();
    await calm.getByRole('button', { name: 'Rotate secret' }).click();
    await page
      .getByRole('dialog', { name: 'Rotate the secret of Calm' })
      .getByRole('button', { name: 'Rotate' })
      .click();
    const fresh = await page.locator('.secret code').first().innerText();
    expect((await shop.service.get('/v1/pets', { key: fresh })).status).toBe(200);
    expect((await shop.service.get('/v1/pets', { key })).status).toBe(200);
  });

  inChromium("shows the admin key's limits as no limit", async () => {
    const { id } = (await shop.service.get('/v1/keys/me')).body;
    const { page } = await open(`/keys?key=${id}`);
    const used = page.getByRole('dialog', { name: 'admin' }).getByRole('region', { name: 'Requests used' });
    await used.getByText('in this store').waitFor();
    expect([await used.getByText(/^\d+ · no limit$/).count(), await used.getByText('100,000,000').count()]).toEqual([
      3, 0,
    ]);
  });

  inChromium('shows who used a key in the last hour, and what was refused', async () => {
    const key = await shop.service.issueKey({ name: 'Website' });
    for (let sent = 0; sent < 11; sent += 1) await shop.service.get('/v1/pets', { key });
    const refused = await shop.service.get('/v1/pets/999', { key });
    const { page } = await open('/keys');
    await page.getByRole('row', { name: /Website/ }).click();
    const log = page.getByRole('dialog', { name: 'Website' }).getByRole('region', { name: 'Latest requests' });
    await log.getByText('12 requests from 127.0.0.1').waitFor();
    const [line = ''] = await log.getByRole('listitem').allInnerTexts();
    for (const part of [
      'GET /v1/pets/999',
      '404 not_found',
      '127.0.0.1',
      String(refused.headers.get('x-request-id')),
    ]) {
      expect(line).toContain(part);
    }
    expect(await log.getByRole('listitem').count()).toBe(10);
    await log.getByRole('button', { name: 'Show all 12' }).click();
    expect(await log.getByRole('listitem').count()).toBe(12);
    await shop.service.get('/v1/store/orders/999', { key });
    await shop.service.post('/v1/pets', { name: 'Added', categoryId: 1 }, { key });
    await log.getByText('GET /v1/store/orders/999').waitFor();
    await log.getByText('POST /v1/pets').waitFor();
    expect(await log.getByLabel('All', { exact: true }).isChecked()).toBe(true);
    await log.getByLabel('Failed only').check();
    await log.getByText('2 requests from 127.0.0.1').waitFor();
    expect(await log.getByRole('listitem').count()).toBe(2);
    await page.reload();
    await log.getByText('1 request from 127.0.0.1').waitFor();
    await log.getByText('POST /v1/pets').waitFor();
    expect(await log.getByLabel('Changes only').isChecked()).toBe(true);
  });

  inChromium('links from a key to the changes made with it, or names its store if that is another one', async () => {
    const key = await shop.service.issueKey({ name: 'Till' });
    const [mine, other] = [
      (await shop.service.post('/v1/pets', { name: 'By the till', categoryId: 1 }, { key })).body,
      (await shop.service.post('/v1/pets', { name: 'By the admin', categoryId: 1 })).body,
    ];
    await shop.service.issueKey({ name: 'Branch', storeId: 7 });
    const { page } = await open('/keys');
    await page.getByRole('row', { name: /Till/ }).click();
    const changes = page.getByRole('dialog', { name: 'Till' }).getByRole('region', {
      name: 'Changes made with this key',
    });
    await changes.getByText('Till added By the till').waitFor();
    expect(await changes.getByText('By the admin').count()).toBe(0);
    await changes.getByRole('link', { name: 'Show all' }).click();
    const feed = page.getByRole('table', { name: 'Events' });
    await feed.getByText(`pet ${mine.id}`, { exact: true }).waitFor();
    expect(await feed.getByText(`pet ${other.id}`, { exact: true }).count()).toBe(0);
    await page.goto(shop.service.url('/console/keys'));
    await page.getByRole('row', { name: /Branch/ }).click();
    const branch = page.getByRole('dialog', { name: 'Branch' });
    await branch.getByText('The changes made with this key are in store 7.').waitFor();
    expect(await branch.getByRole('region', { name: 'Changes made with this key' }).count()).toBe(0);
  });

  inChromium('shows without a reload when a key was last used, and lets new keys use the console', async () => {
    const { page } = await open('/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const form = page.getByRole('dialog', { name: 'Create key' });
    await form.getByLabel('Name', { exact: true }).fill('Colleague');
    await page.keyboard.press('Escape');
    await page
      .getByRole('dialog', { name: 'Discard your changes?' })
      .getByRole('button', { name: 'Keep editing' })
      .click();
    await form.getByRole('button', { name: 'Create key' }).click();
    const key = await page.locator('.secret code').first().innerText();
    await page.getByText('Colleague opens this address and signs in with the key:').waitFor();
    expect(await page.locator('.secret code').nth(1).innerText()).toBe(shop.service.url('/console'));
    await page.getByRole('button', { name: "I've saved it" }).click();
    const row = page.getByRole('row', { name: /Colleague/ });
    await row.getByText('never', { exact: true }).waitFor();
    const issued = (await shop.service.get('/v1/keys/me', { key })).body;
    expect(issued.scopes).toContain('events:read');
    expect(issued.storeId).toBe((await shop.service.get('/v1/keys/me')).body.storeId);
    await page
      .getByRole('row', { name: /^admin/ })
      .getByText('never', { exact: true })
      .waitFor({ state: 'detached' });
    await shop.service.runJobs();
    await row.getByText('never', { exact: true }).waitFor({ state: 'detached' });
  });

  inChromium('asks before a key for an unknown store creates that store', async () => {
    await shop.service.issueKey({ name: 'Second shop', storeId: 8 });
    const { page } = await open('/keys');
    const form = page.getByRole('dialog', { name: 'Create key' });
    const create = async (name: string, storeId: string) => {
      await page.getByRole('button', { name: 'Create key' }).first().click();
      await form.getByRole('button', { name: 'Create key for store 1', exact: true }).waitFor();
      await form.getByLabel('Name', { exact: true }).fill(name);
      await page.keyboard.press('Tab');
      await page.keyboard.type(storeId);
      await form.getByRole('button', { name: `Create key for store ${storeId}`, exact: true }).click();
    };
    const keyNames = async (): Promise<string[]> =>
      (await shop.service.get('/v1/keys?limit=100')).body.map(({ name }: { name: string }) => name);
    await create('Mistyped', '99');
    const question = page.getByRole('dialog', { name: 'Create store 99?' });
    await question.getByRole('button', { name: 'Correct the number' }).click();
    expect(await keyNames()).not.toContain('Mistyped');
    await form.getByRole('button', { name: 'Create key' }).click();
    await question.getByRole('button', { name: 'Create store and key' }).click();
    await page.getByRole('button', { name: 'Open store 99 with this key' }).waitFor();
    await page.getByRole('button', { name: "I've saved it" }).click();
    await create('Known', '08');
    await page.getByRole('button', { name: 'Open store 8 with this key' }).waitFor();
    expect(await keyNames()).toContain('Known');
  });

  inChromium('offers the permission that placing an order needs, and a first call that the key may make', async () => {
    const { page } = await open('/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const form = page.getByRole('dialog', { name: 'Create key' });
    await form.getByLabel('Name', { exact: true }).fill('Counter');
    await form.getByText('6 permissions').click();
    for (const scope of ['See pets', 'Change pets', 'Change categories', 'Follow events']) {
      await form.getByRole('checkbox', { name: scope }).uncheck();
    }
    await form.getByRole('button', { name: 'Add "See pets"' }).click();
    expect(await form.getByRole('checkbox', { name: 'See pets' }).isChecked()).toBe(true);
    await form.getByRole('checkbox', { name: 'See pets' }).uncheck();
    await form.getByText('To place orders in the console, this key also needs "See pets".').waitFor();
    await form.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('To use the console, open this address and sign in with the key:').waitFor();
    const [, address, call] = await page.locator('.secret code').allInnerTexts();
    expect(address).toBe(shop.service.url('/console'));
    expect(call).toContain(`${shop.service.url('/v1/store/orders?limit=5')}'`);
  });

  inChromium('shows only the session’s own key without keys:write', async () => {
    const key = await shop.service.issueKey({ name: 'Reader', scopes: ['pets:read'] });
    const { page } = await open('/keys', { key });
    await page.getByRole('heading', { name: 'Reader' }).waitFor();
    expect(await page.getByRole('button', { name: 'Create key' }).count()).toBe(0);
    await page.getByText('This key cannot create keys').waitFor();
    await page.getByText('Per minute', { exact: true }).waitFor();
    await page.getByRole('region', { name: 'Latest requests' }).getByText('GET /v1/keys/me').first().waitFor();
  });
});
