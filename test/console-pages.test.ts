import { afterAll, describe, expect } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { listenToEvents, ordersAreRead, startConsole } from './browser/console.ts';
import { ADMIN_KEY, createTestClock } from './service.ts';
import { startReceiver } from './webhook-receiver.ts';

const clock = createTestClock(new Date().toISOString());
const shop = startConsole({
  clock,
  // Orders are held for 890 s, because the page highlights orders that expire within 15 minutes (900 s).
  environment: { PETSTORE_ORDER_HOLD_SECONDS: '890', PETSTORE_WEBHOOK_ALLOW_PRIVATE: 'true' },
});
const { inChromium, open } = shop;
const receiver = startReceiver(clock);
afterAll(() => receiver.down());

const addPet = async (name: string): Promise<{ id: number }> =>
  (await shop.service.post('/v1/pets', { name, categoryId: 1 })).body;
const row = (page: Page, name: string): Locator =>
  page.getByRole('table', { name: 'Pets' }).getByRole('row').filter({ hasText: name });
const cardIn = (page: Page, column: string, pet: string): Locator =>
  page.getByRole('region', { name: column, exact: true }).getByRole('listitem').filter({ hasText: pet });

describe('the console page', () => {
  inChromium('Overview guides a new user to a colleague and a first call, and shows when it arrives', async () => {
    const { page, foreign, complaints } = await open('/');
    await listenToEvents(page);
    const guide = page.getByRole('region', { name: 'Getting started' });
    await guide.getByRole('heading', { name: 'Take an order' }).waitFor();
    await guide.getByText('Add a pet first.').waitFor();
    await guide.getByLabel("Colleague's name").fill('Ada');
    await guide.getByRole('button', { name: 'Create key' }).click();
    await guide.getByText('Send this key to Ada').waitFor();
    const steps = guide.getByRole('tabpanel', { name: 'Your shop' });
    const colleague = await steps.getByText(/^ps_live_/).innerText();
    expect((await shop.service.get('/v1/events', { key: colleague })).status).toBe(200);
    await guide.getByRole('heading', { name: /^Invite a colleague.*done$/ }).waitFor();
    await guide.getByRole('button', { name: 'Close' }).click();
    const leaving = page.getByRole('dialog', { name: 'Close without saving the secret?' });
    await leaving.getByRole('button', { name: 'Keep it open' }).click();
    await guide.getByRole('tab', { name: 'For developers' }).click();
    await guide.getByLabel('Key name').fill('Robot');
    await guide.getByRole('button', { name: 'Create key' }).click();
    const key = await guide
      .getByRole('tabpanel', { name: 'For developers' })
      .getByText(/^ps_live_/)
      .innerText();
    await guide.getByText('Waiting for your call').waitFor();
    await shop.service.post('/v1/pets', { name: 'Mia', categoryId: 2 }, { key });
    await guide.getByText('Received').waitFor();
    await guide.getByRole('link', { name: 'Mia' }).waitFor();
    await guide.getByRole('button', { name: 'Done' }).click();
    await leaving.getByRole('button', { name: 'Discard' }).click();
    await guide.waitFor({ state: 'detached' });
    expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
  });

  inChromium('Pets adds a pet, finds it by name, and keeps the view in the address', async () => {
    const { page, foreign, complaints } = await open('/pets');
    await listenToEvents(page);
    await page.getByRole('button', { name: 'Add pet' }).waitFor();
    await page.keyboard.press('n');
    await page.keyboard.type('Łatek');
    await page.getByRole('dialog').getByLabel('Category').fill('dog');
    await page.getByRole('dialog').getByRole('option', { name: /^Dogs/ }).waitFor();
    await page.getByRole('dialog').getByLabel('Category').fill('dogs');
    await page.keyboard.press('Enter');
    await page.getByText('Łatek added').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await row(page, 'Łatek').waitFor();
    await addPet('Latte');
    const fresh = page.getByRole('button', { name: 'Show 1 new pet' });
    const [button, table] = [await fresh.boundingBox(), await page.locator('.table').boundingBox()];
    expect(button?.y).toBeGreaterThanOrEqual((table?.y ?? 0) + (table?.height ?? 0));
    await fresh.click();
    await row(page, 'Latte').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('ŁA');
    await page.waitForURL(/name=/);
    await row(page, 'Latte').waitFor({ state: 'detached' });
    await page.getByLabel('available').check({ force: true });
    await page.waitForURL(/status=available/);
    const { page: other } = await open(
      new URL(page.url()).pathname.replace('/console', '') + new URL(page.url()).search,
    );
    await row(other, 'Łatek').click();
    await other.waitForURL(/pet=\d+/);
    await other.getByRole('dialog').getByRole('heading', { name: /Łatek/ }).waitFor();
    await other.goBack();
    await other.getByRole('dialog').waitFor({ state: 'detached' });
    expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
  });

  inChromium(
    'Orders places an order for a pet, approves it with a button, and delivers it with a shortcut',
    async () => {
      clock.set(new Date().toISOString());
      const { id } = await addPet('Otto');
      const { page, foreign, complaints } = await open('/orders');
      await page.getByRole('button', { name: 'New order' }).click();
      await page.getByLabel('Pet', { exact: true }).fill(String(id));
      await page.getByRole('radio', { name: new RegExp(`^Otto.*pet ${id}`) }).check();
      await page.getByRole('button', { name: 'Place order for Otto' }).click();
      await cardIn(page, 'Placed', 'Otto')
        .getByText(/\d+ s left/)
        .waitFor();
      await ordersAreRead(page);
      await cardIn(page, 'Placed', 'Otto').getByRole('button', { name: 'Approve' }).click();
      await cardIn(page, 'Approved', 'Otto').waitFor();
      await page.locator(':focus').filter({ hasText: 'Otto' }).waitFor();
      await page.keyboard.press('d');
      await cardIn(page, 'Delivered', 'Otto').waitFor();
      expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
    },
  );

  inChromium('Keys creates a working key and shows it once, shows its requests, and revokes it', async () => {
    const { page } = await open('/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const form = page.getByRole('dialog', { name: 'Create key' });
    await form.getByLabel('Name', { exact: true }).fill('Partner');
    await form.getByLabel('Plan').selectOption('free');
    await form.getByLabel('A website or program').check();
    await form.getByRole('button', { name: 'Create key' }).click();
    const shown = page.getByRole('dialog', { name: 'Key created' });
    await shown.waitFor();
    await page.mouse.click(5, 5);
    const secret = await shown.locator('code').first().innerText();
    expect(secret).toMatch(/^ps_live_[0-9A-Za-z]{36}$/);
    expect(await shown.locator('code').nth(2).innerText()).toContain(
      `/v1/pets?limit=5' -H 'Authorization: Bearer ${secret}'`,
    );
    await shown.getByRole('button', { name: "I've saved it" }).click();

    await page.getByRole('row', { name: /Partner/ }).click();
    const drawer = page.getByRole('dialog', { name: 'Partner' });
    await drawer.getByText(/^0 of 60/).waitFor();
    for (let sent = 0; sent < 3; sent += 1) {
      expect((await shop.service.get('/v1/pets', { key: secret })).status).toBe(200);
    }
    await drawer.getByText(/^3 of 60/).waitFor();
    expect(new URL(page.url()).searchParams.get('key')).toMatch(/^key_/);

    await drawer.getByRole('button', { name: 'Revoke' }).click();
    const question = page.getByRole('dialog', { name: 'Revoke Partner?' });
    expect(await question.getByRole('button', { name: 'Revoke key' }).isDisabled()).toBe(true);
    await question.getByLabel('Type "Partner" to confirm').fill(' Partner ');
    await question.getByRole('button', { name: 'Revoke key' }).click();
    await drawer.getByText('revoked', { exact: true }).waitFor();
    expect((await shop.service.get('/v1/pets', { key: secret })).status).toBe(401);
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: /Partner.*revoked/ }).waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  inChromium('Webhooks adds a webhook, shows its secret once, and shows requests and responses', async () => {
    const { page } = await open('/webhooks');
    await page.getByText('No webhooks yet').waitFor();
    await page.keyboard.press('n');
    const adding = page.getByRole('dialog', { name: 'Add webhook' });
    await adding.getByLabel('Endpoint').fill(receiver.url('/tried'));
    await adding.getByRole('button', { name: 'Select all: Orders' }).click();
    await adding.getByRole('button', { name: 'Add webhook' }).click();
    const secret = await page.getByText(/^whsec_/).innerText();
    receiver.secrets.set('/tried', secret);
    await page.getByRole('button', { name: "I've saved it" }).click();

    const drawer = page.getByRole('dialog', { name: receiver.url('/tried') });
    const log = drawer.getByRole('list', { name: 'Deliveries' });
    await drawer.getByText('pet.created, order.placed').waitFor();
    // While the drawer is loading, its buttons move, and a click may miss.
    await drawer.getByText('Send a test event to check the endpoint').waitFor();
    const tested = page.waitForResponse(/\/test$/);
    await drawer.getByRole('button', { name: 'Send test event' }).click();
    await tested;
    await log.getByText('delivered', { exact: true }).waitFor();
    await drawer.getByText(/"type": "webhook.test"/).waitFor();
    await drawer.getByText(/^200\s+thanks/).waitFor();
    const asked = page.waitForResponse(/\/redeliver$/);
    await drawer.getByRole('button', { name: /^Redeliver/ }).click();
    await asked;
    await shop.service.runJobs();
    const [first, second] = await receiver.until('/tried', 2);
    expect([first?.isValid, second?.isValid, second?.id]).toEqual([true, true, first?.id as string]);

    await page.reload();
    await log.getByText('delivered', { exact: true }).waitFor();
    expect(await page.getByText(secret).count()).toBe(0);
    await drawer.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('img', { name: 'last 1: 1 delivered' }).waitFor();
  });

  inChromium('Events shows events live, holds them while paused, and keeps filters in the address', async () => {
    const { page } = await open('/events');
    await listenToEvents(page);
    const feed = page.getByRole('table', { name: 'Events' });
    const nox = await addPet('Nox');
    await feed.getByText('admin added Nox').waitFor();
    await feed.getByText(`pet ${nox.id}`, { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Pause' }).click();
    const nala = await addPet('Nala');
    await shop.service.post('/v1/store/orders', { petId: nala.id });
    await page.getByText('3 new events').waitFor();
    expect(await feed.getByText('Nala').count()).toBe(0);
    await page.getByRole('button', { name: 'Show' }).click();
    await feed.getByText('Nala').first().waitFor();

    await page.getByRole('searchbox', { name: 'Pet' }).fill(String(nala.id));
    await feed.getByText('Nox').waitFor({ state: 'detached' });
    await page.getByText('All types').click();
    await page.getByRole('button', { name: 'Select all: Orders' }).click();
    await feed.getByText('pet.created').waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('pet')).toBe(String(nala.id));
    await page.reload();
    await feed.getByText('admin placed an order for Nala').waitFor();
    expect(await feed.getByRole('row').count()).toBe(2);
  });

  inChromium(
    'Health shows the last hour from its first visit on, in one sentence, charts and errors by code',
    async () => {
      await shop.service.runJobs();
      for (let asked = 0; asked < 3; asked += 1) await shop.service.get('/v1/nowhere');
      clock.advance(10_000);
      await shop.service.runJobs();
      const { page, complaints } = await open('/health');
      // On PostgreSQL, the service makes no backups, so it does not warn about missing backups.
      const isOnPostgres = shop.service.place.startsWith('postgres:');
      // The test process may use so much memory that the page shows a warning about memory.
      await page.getByText(isOnPostgres ? /^(Everything is working|Working, with)/ : /^Working, with/).waitFor();
      expect(await page.getByText('There is no backup yet.').count()).toBe(isOnPostgres ? 0 : 1);
      await page.getByRole('img', { name: /^Memory: Memory [\d.]+ [MG]B/ }).waitFor();
      await page.getByRole('region', { name: 'Errors by code' }).getByText('route_not_found').waitFor();
      await page.getByText('accepts changes').waitFor();
      expect(complaints).toEqual([]);
    },
  );

  inChromium('Health makes a backup, and shows the settings without secrets', async () => {
    const isOnPostgres = shop.service.place.startsWith('postgres:');
    const { page, complaints } = await open('/health');
    const backups = page.getByRole('region', { name: 'Backups' });
    await backups.getByText(isOnPostgres ? 'such as pg_dump' : 'No backups yet.').waitFor();
    const now = backups.getByRole('button', { name: 'Back up now' });
    expect(await now.count()).toBe(isOnPostgres ? 0 : 1);
    if (!isOnPostgres) {
      await now.click();
      await backups.getByText('backups/petstore.db').waitFor();
      await backups.getByText('done', { exact: true }).waitFor();
    }
    await page.getByText(isOnPostgres ? /^PostgreSQL, schema \d+$/ : /^SQLite, schema \d+$/).waitFor();
    const settings = page.getByRole('region', { name: 'Settings' });
    await settings.getByText('set, not shown').waitFor();
    await settings.getByText(/^Show \d+ default settings$/).click();
    await settings.getByText('PETSTORE_ORDER_HOLD_SECONDS').waitFor();
    expect(await page.locator('main').innerText()).not.toContain(ADMIN_KEY);
    expect(complaints).toEqual([]);

    const key = await shop.service.issueKey({ name: 'Monitoring', scopes: ['ops:read'] });
    const reader = await open('/health', { key });
    await reader.page.getByRole('region', { name: 'Settings' }).getByText('set, not shown').waitFor();
    expect(await reader.page.getByRole('button', { name: 'Back up now' }).count()).toBe(0);
  });
});
