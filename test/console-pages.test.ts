import { afterAll, describe, expect } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { listenToEvents, ordersAreRead, startConsole } from './browser/console.ts';
import { createTestClock } from './service.ts';
import { startReceiver } from './webhook-receiver.ts';

const clock = createTestClock(new Date().toISOString());
const shop = startConsole({
  clock,
  // Nearly the quarter of an hour before its end that an order is marked in: so long the page has to show it.
  environment: { PETSTORE_ORDER_HOLD_SECONDS: '890', PETSTORE_WEBHOOK_ALLOW_PRIVATE: 'true' },
});
const { inChromium, open } = shop;
const receiver = startReceiver(clock);
afterAll(() => receiver.down());

const addPet = async (name: string): Promise<{ id: number }> =>
  (await shop.service.post('/v1/pets', { name, categoryId: 1 })).body;
const row = (page: Page, name: string): Locator =>
  page.getByRole('table', { name: 'Animals' }).getByRole('row').filter({ hasText: name });
const cardIn = (page: Page, column: string, pet: string): Locator =>
  page.getByRole('region', { name: column, exact: true }).getByRole('listitem').filter({ hasText: pet });

/** What each page is for, on every engine; what else it does is tried on one, in test/browser. */
describe('a page of the console', () => {
  inChromium('the overview leads through an empty shop to a first call, and says when it arrives', async () => {
    const { page, foreign, complaints } = await open('/');
    await listenToEvents(page);
    const guide = page.getByRole('region', { name: 'Getting started' });
    await guide.getByRole('button', { name: 'Add Rex, a dog' }).click();
    await guide.getByRole('link', { name: 'Rex' }).waitFor();
    await guide.getByLabel('What the key is for').fill('Robot');
    await guide.getByRole('button', { name: 'Issue the key' }).click();
    const key = await guide.getByText(/^ps_live_/).innerText();
    await guide.getByText('Waiting for it').waitFor();
    await shop.service.post('/v1/pets', { name: 'Mia', categoryId: 2 }, { key });
    await guide.getByText('It has arrived').waitFor();
    await guide.getByRole('link', { name: 'Mia' }).waitFor();
    await guide.getByRole('button', { name: 'Done' }).click();
    await guide.waitFor({ state: 'detached' });
    expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
  });

  inChromium('Pets adds an animal, finds it by its name, and shares the view by its address', async () => {
    const { page, foreign, complaints } = await open('/pets');
    await listenToEvents(page);
    await page.getByRole('button', { name: '+ Add' }).waitFor();
    await page.keyboard.press('n');
    await page.keyboard.type('Łatek');
    await page.locator('datalist option[value="Dogs"]').waitFor({ state: 'attached' });
    await page.getByRole('dialog').getByLabel('Category').fill('dogs');
    await page.keyboard.press('Enter');
    await page.getByText('Łatek is added').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    await row(page, 'Łatek').waitFor();
    await addPet('Latte');
    await page.getByRole('button', { name: '1 new: show' }).click();
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
    'Orders places one for an animal that is found, approves it by a button, and delivers it by a key',
    async () => {
      // The page counts down by the time of the machine.
      clock.set(new Date().toISOString());
      const { id } = await addPet('Otto');
      const { page, foreign, complaints } = await open('/orders');
      await page.getByRole('button', { name: 'Place an order' }).click();
      await page.getByLabel('Animal', { exact: true }).fill(String(id));
      await page.getByRole('button', { name: `Order Otto, animal ${id}` }).click();
      await cardIn(page, 'Placed', 'Otto').getByText('expires soon').waitFor();
      await ordersAreRead(page);
      await cardIn(page, 'Placed', 'Otto').getByRole('button', { name: 'Approve' }).click();
      await cardIn(page, 'Approved', 'Otto').waitFor();
      // The focus has gone with the card.
      await page.locator(':focus').filter({ hasText: 'Otto' }).waitFor();
      await page.keyboard.press('d');
      await cardIn(page, 'Delivered', 'Otto').waitFor();
      const inventory = page.getByRole('region', { name: 'Inventory' });
      await inventory.locator('.sold').getByText('1', { exact: true }).waitFor();
      await inventory.getByText(/^The newest \d+ changes/).waitFor();
      expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
    },
  );

  inChromium('Keys issues one that is shown once and works, shows its requests, and revokes it', async () => {
    const { page } = await open('/keys');
    await page.getByRole('button', { name: 'Issue a key' }).click();
    const form = page.getByRole('dialog', { name: 'Issue a key' });
    await form.getByLabel('Name', { exact: true }).fill('Partner');
    await form.getByLabel('Plan').selectOption('free');
    await form.getByRole('button', { name: 'Issue the key' }).click();
    const shown = page.getByRole('dialog', { name: 'A new key' });
    // What is shown once is not lost by a click that went astray.
    await shown.waitFor();
    await page.mouse.click(5, 5);
    const secret = await shown.locator('code').first().innerText();
    expect(secret).toMatch(/^ps_live_[0-9A-Za-z]{36}$/);
    expect(await shown.locator('code').nth(1).innerText()).toContain(
      `/v1/pets?limit=5' -H 'Authorization: Bearer ${secret}'`,
    );
    await shown.getByRole('button', { name: 'I have kept it' }).click();

    await page.getByRole('row', { name: /Partner/ }).click();
    const drawer = page.getByRole('dialog', { name: 'Partner' });
    await drawer.getByText('0 of 60', { exact: false }).waitFor();
    for (let sent = 0; sent < 3; sent += 1) {
      expect((await shop.service.get('/v1/pets', { key: secret })).status).toBe(200);
    }
    await drawer.getByText('3 of 60', { exact: false }).waitFor();
    expect(new URL(page.url()).searchParams.get('key')).toMatch(/^key_/);

    await drawer.getByRole('button', { name: 'Revoke' }).click();
    const question = page.getByRole('dialog', { name: 'Revoke Partner?' });
    expect(await question.getByRole('button', { name: 'Revoke the key' }).isDisabled()).toBe(true);
    await question.getByLabel('Type "Partner" to go on').fill(' Partner ');
    await question.getByRole('button', { name: 'Revoke the key' }).click();
    await drawer.getByText('✕ revoked').waitFor();
    expect((await shop.service.get('/v1/pets', { key: secret })).status).toBe(401);
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: /Partner.*revoked/ }).waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  inChromium('Webhooks adds one, shows its secret once, and what was sent and answered', async () => {
    const { page } = await open('/webhooks');
    await page.getByText('Nobody is told yet').waitFor();
    await page.keyboard.press('n');
    const adding = page.getByRole('dialog', { name: 'Add a webhook' });
    await adding.getByLabel('Endpoint').fill(receiver.url('/tried'));
    await adding.getByRole('button', { name: 'All of Orders' }).click();
    await adding.getByRole('button', { name: 'Add the webhook' }).click();
    const secret = await page.getByText(/^whsec_/).innerText();
    receiver.secrets.set('/tried', secret);
    await page.getByRole('button', { name: 'I have kept it' }).click();

    const drawer = page.getByRole('dialog', { name: receiver.url('/tried') });
    const log = drawer.getByRole('list', { name: 'Deliveries' });
    await drawer.getByText('Told of pet.created, order.placed').waitFor();
    await drawer.getByRole('button', { name: 'Send a test' }).click();
    await log.getByText('● delivered').waitFor();
    await drawer.getByText(/"type": "webhook.test"/).waitFor();
    await drawer.getByText(/^200\s+thanks/).waitFor();
    const asked = page.waitForResponse(/\/redeliver$/);
    await drawer.getByRole('button', { name: /^Redeliver/ }).click();
    await asked;
    await shop.service.runJobs();
    const [first, second] = await receiver.until('/tried', 2);
    expect([first?.isValid, second?.isValid, second?.id]).toEqual([true, true, first?.id as string]);

    await page.reload();
    await log.getByText('● delivered').waitFor();
    expect(await page.getByText(secret).count()).toBe(0);
    await drawer.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('img', { name: 'of the last 1: 1 arrived' }).waitFor();
  });

  inChromium(
    'Events shows what happens as it happens, holds it back while paused, and keeps filters in the address',
    async () => {
      const { page } = await open('/events');
      await listenToEvents(page);
      const feed = page.getByRole('table', { name: 'Events' });
      const nox = await addPet('Nox');
      await feed.getByText(`Nox, animal ${nox.id}`).waitFor();

      await page.getByRole('button', { name: 'Pause' }).click();
      const nala = await addPet('Nala');
      await shop.service.post('/v1/store/orders', { petId: nala.id });
      await page.getByText('3 new events wait').waitFor();
      expect(await feed.getByText('Nala').count()).toBe(0);
      await page.getByRole('button', { name: 'Show' }).click();
      await feed.getByText('Nala').first().waitFor();

      await page.getByRole('searchbox', { name: 'Animal' }).fill(String(nala.id));
      await feed.getByText('Nox').waitFor({ state: 'detached' });
      await page.getByText('All types').click();
      await page.getByRole('button', { name: 'All of Orders' }).click();
      await feed.getByText('pet.created').waitFor({ state: 'detached' });
      expect(new URL(page.url()).searchParams.get('pet')).toBe(String(nala.id));
      await page.reload();
      await feed.getByText(`animal ${nala.id}`).waitFor();
      expect(await feed.getByRole('row').count()).toBe(2);
    },
  );

  inChromium('Health plots what /metrics tells, and errors by their code', async () => {
    const { page, complaints } = await open('/health');
    await page.clock.install();
    await page.reload();
    await page.getByText('● up').first().waitFor();
    for (let asked = 0; asked < 3; asked += 1) await shop.service.get('/v1/nowhere');
    await page.clock.fastForward(5000);
    await page.getByRole('img', { name: /^Errors a second, by code: route_not_found \d/ }).waitFor();
    await page.getByRole('img', { name: /^Memory: resident \d+ MB/ }).waitFor();
    expect(complaints).toEqual([]);
  });
});
