import { afterEach, describe, expect } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { waitFor } from '../wait-for.ts';
import { endUndo, extendUndo, ordersAreRead, startConsole } from './console.ts';

const shop = startConsole();
const { inChromium, open } = shop;

// The service's clock stands still, so without this call, all tests would run in the same minute. Together, the tests
// load more pages than one address may load per minute.
afterEach(() => shop.service?.clock.advance(60_000));

const addPet = async (name: string): Promise<number> =>
  (await shop.service.post('/v1/pets', { name, categoryId: 1 })).body.id;
const approved = async (name: string): Promise<{ id: number; petId: number }> => {
  const petId = await addPet(name);
  const { id } = (await shop.service.post('/v1/store/orders', { petId })).body;
  await shop.service.post(`/v1/store/orders/${id}/approve`, undefined);
  return { id, petId };
};
const statusOf = async (order: number): Promise<string> =>
  (await shop.service.get(`/v1/store/orders/${order}`)).body.status;
const petStatus = async (id: number): Promise<string> => (await shop.service.get(`/v1/pets?ids=${id}`)).body[0].status;
const cardIn = (page: Page, column: string, pet: string) =>
  page.getByRole('region', { name: column, exact: true }).getByRole('listitem').filter({ hasText: pet });
const loseConnection = async (page: Page, card: Locator): Promise<void> => {
  await page.context().setOffline(true);
  // The test browser keeps the event stream open while it is offline, so the page notices the lost connection only when
  // another request fails.
  await card.getByRole('link').click();
  const notice = page.getByText(/Retrying in/);
  await notice.first().waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
};
/** Aborts the first change that the page sends and all API requests after it, until the returned function is called. */
const loseChange = async (page: Page): Promise<() => Promise<void>> => {
  let isLost = false;
  await page.route(/\/v1\//, (route) => {
    isLost ||= route.request().method() !== 'GET';
    return isLost ? route.abort() : route.continue();
  });
  return () => page.unroute(/\/v1\//);
};
const writesOf = (page: Page): string[] => {
  const writes: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== 'GET') writes.push(`${request.method()} ${pathname}`);
  });
  return writes;
};
/** Clicks twice in the same task, so that the page cannot render between the two clicks. */
const clickTwice = (button: Locator) =>
  button.evaluate((node: { click(): void }) => {
    node.click();
    node.click();
  });
const undo = (page: Page) => page.getByRole('button', { name: 'Undo' }).click();

describe('no step in the console is irreversible in one click', () => {
  inChromium('a delivery can be undone, and is sent when the tab closes', async () => {
    const [kept, sent] = [await approved('Kept'), await approved('Sent')];
    const { page } = await open('/orders');
    await extendUndo(page);
    await ordersAreRead(page);
    await cardIn(page, 'Approved', 'Kept').getByRole('button', { name: 'Deliver' }).click();
    await cardIn(page, 'Delivered', 'Kept').waitFor();
    const shownAt = await cardIn(page, 'Delivered', 'Kept').locator('time').getAttribute('datetime');
    expect(shownAt).not.toBe((await shop.service.get(`/v1/store/orders/${kept.id}`)).body.updatedAt);
    expect(await statusOf(kept.id)).toBe('approved');
    await undo(page);
    await cardIn(page, 'Approved', 'Kept').waitFor();
    await cardIn(page, 'Approved', 'Sent').getByRole('button', { name: 'Deliver' }).click();
    await cardIn(page, 'Delivered', 'Sent').waitFor();
    await page.goto('about:blank');
    await waitFor('it is sent', async () => (await statusOf(sent.id)) === 'delivered');
    expect(await statusOf(kept.id)).toBe('approved');
  });

  inChromium('an approval is not shown while the service cannot be reached', async () => {
    const { id } = (await shop.service.post('/v1/store/orders', { petId: await addPet('Waits') })).body;
    const { page } = await open('/orders');
    const card = cardIn(page, 'Placed', 'Waits');
    await card.waitFor();
    await loseConnection(page, card);
    await card.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Cannot reach the service. Try again when it is back.').waitFor();
    expect(await cardIn(page, 'Approved', 'Waits').count()).toBe(0);
    await page.context().setOffline(false);
    await page.getByText(/Retrying in/).waitFor({ state: 'detached' });
    expect(await statusOf(id)).toBe('placed');
  });

  inChromium('a pending delivery is cancelled when the connection is lost; none starts until it is back', async () => {
    const { id } = await approved('Stays');
    await shop.service.post('/v1/store/orders', { petId: await addPet('Tried') });
    const { page } = await open('/orders');
    await extendUndo(page);
    await ordersAreRead(page);
    const deliver = () => cardIn(page, 'Approved', 'Stays').getByRole('button', { name: 'Deliver' }).click();
    const refused = page.getByText('Cannot reach the service. Try again when it is back.');
    const undone = page.getByText(`Order ${id} for Stays was not delivered. The service could not be reached.`);
    await deliver();
    await cardIn(page, 'Delivered', 'Stays').waitFor();
    const other = cardIn(page, 'Placed', 'Tried');
    await other.waitFor();
    await loseConnection(page, other);
    await undone.waitFor();
    await cardIn(page, 'Approved', 'Stays').waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    await other.getByRole('button', { name: 'Approve' }).click();
    await refused.waitFor();
    await deliver();
    expect(await cardIn(page, 'Delivered', 'Stays').count()).toBe(0);
    await page.context().setOffline(false);
    await page.getByText(/Retrying in/).waitFor({ state: 'detached' });
    await refused.waitFor({ state: 'detached' });
    expect(await statusOf(id)).toBe('approved');
    await deliver();
    await cardIn(page, 'Delivered', 'Stays').waitFor();
    await undone.waitFor({ state: 'detached' });
  });

  inChromium('a sale or delivery that is being sent is not known to be made while the connection is lost', async () => {
    const id = await addPet('Lost');
    const { id: order } = await approved('Sending');
    const { page } = await open(`/pets?pet=${id}`);
    const unknown = (change: string) =>
      page.getByRole('status').getByText(`Not confirmed yet: ${change}`, { exact: true });
    await extendUndo(page);
    await page.getByRole('button', { name: 'Mark as sold' }).click();
    const findAgain = await loseChange(page);
    await endUndo(page);
    await unknown('Lost marked as sold.').waitFor();
    await page.getByRole('row', { name: /Lost/ }).getByText('sold', { exact: true }).waitFor();
    expect(await petStatus(id)).toBe('available');
    await findAgain();
    await page.locator('.toast').getByText('marked as sold.').waitFor();
    expect([await unknown('').count(), await petStatus(id)]).toEqual([0, 'sold']);

    await page.goto(shop.service.url('/console/orders'));
    await ordersAreRead(page);
    await cardIn(page, 'Approved', 'Sending').getByRole('button', { name: 'Deliver' }).click();
    await cardIn(page, 'Delivered', 'Sending').waitFor();
    const findOrders = await loseChange(page);
    await endUndo(page);
    await unknown(`Order ${order} for Sending delivered.`).waitFor();
    await cardIn(page, 'Delivered', 'Sending').waitFor();
    await findOrders();
    await page.locator('.toast').getByText('delivered.').waitFor();
    expect(await statusOf(order)).toBe('delivered');
  });

  inChromium('a sale from the drawer can be undone, even on another page, and so can a delivery', async () => {
    const id = await addPet('Rex');
    const { id: order, petId } = await approved('Held');
    const { page } = await open(`/pets?pet=${id}`);
    await extendUndo(page);
    await page.getByRole('button', { name: 'Mark as sold' }).click();
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText('sold', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Keys' }).click();
    await undo(page);
    expect(await petStatus(id)).toBe('available');
    await page.goto(shop.service.url(`/console/pets?pet=${petId}`));
    await page.getByRole('button', { name: 'Deliver' }).click();
    await status.getByText('Held by').waitFor({ state: 'detached' });
    await undo(page);
    await status.getByRole('button', { name: 'Deliver' }).waitFor();
    expect(await statusOf(order)).toBe('approved');
  });

  inChromium('a delivery shows the order and its pet in one state on every page, until it is undone', async () => {
    const { id: order, petId } = await approved('Otto');
    const { page } = await open(`/orders?order=${order}`);
    await extendUndo(page);
    const pages = page.getByRole('navigation', { name: 'Pages' });
    const goTo = (name: string) => pages.getByRole('link', { name }).click();
    const drawer = page.getByRole('dialog');
    const stock = async () => (await page.locator('.shelf .number').allInnerTexts()).join();
    const inventory = (await shop.service.get('/v1/store/inventory')).body;
    const counted = (moved: 0 | 1) =>
      [inventory.available, inventory.pending - moved, inventory.sold + moved].map(String).join();
    const expectEverywhere = async (orderStatus: string, petStatus: string, moved: 0 | 1) => {
      await drawer.locator('.facts').getByText(orderStatus, { exact: true }).waitFor();
      await drawer.getByRole('link', { name: 'Otto' }).click();
      await drawer.getByRole('region', { name: 'Status' }).getByText(petStatus, { exact: true }).waitFor();
      await drawer.locator('.orders').getByText(orderStatus, { exact: true }).waitFor();
      await page.getByRole('row', { name: /Otto/ }).getByText(petStatus, { exact: true }).waitFor();
      expect(await drawer.getByRole('button', { name: 'Deliver' }).count()).toBe(1 - moved);
      await drawer.getByRole('button', { name: 'Close' }).click();
      await goTo('Overview');
      await waitFor('the counts agree', async () => (await stock()) === counted(moved));
      await goTo('Orders');
      await cardIn(page, moved ? 'Delivered' : 'Approved', 'Otto').waitFor();
      await page.getByText('List', { exact: true }).click();
      await page.getByRole('row', { name: /Otto/ }).getByText(orderStatus, { exact: true }).waitFor();
      await page.getByRole('link', { name: String(order), exact: true }).click();
    };
    await drawer.getByRole('button', { name: 'Deliver' }).click();
    await expectEverywhere('delivered', 'sold', 1);
    expect([await statusOf(order), await petStatus(petId)]).toEqual(['approved', 'pending']);
    await undo(page);
    await expectEverywhere('approved', 'pending', 0);
  });

  inChromium('replacing a secret without a grace period asks for the name of the key', async () => {
    const key = await shop.service.issueKey({ name: 'Partner' });
    const { page } = await open('/keys');
    await page.getByRole('row', { name: /Partner/ }).click();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    const rotating = page.getByRole('dialog', { name: 'Rotate the secret of Partner' });
    await rotating.getByLabel('stops working now').check();
    await rotating.getByRole('button', { name: 'Rotate' }).click();
    const question = page.getByRole('dialog', { name: 'Replace the secret of Partner now?' });
    expect(await question.getByRole('button', { name: 'Replace secret' }).isDisabled()).toBe(true);
    expect((await shop.service.get('/v1/pets', { key })).status).toBe(200);
    await question.getByLabel('Type "Partner" to confirm').fill('Partner');
    await question.getByRole('button', { name: 'Replace secret' }).click();
    await page.locator('.secret code').first().waitFor();
    expect((await shop.service.get('/v1/pets', { key })).status).toBe(401);

    await page.keyboard.press('Escape');
    const leaving = page.getByRole('dialog', { name: 'Close without saving the secret?' });
    await leaving.getByRole('button', { name: 'Keep it open' }).click();
    await page.locator('.secret code').first().waitFor();
    await page.keyboard.press('Escape');
    await leaving.getByRole('button', { name: 'Discard' }).click();
    await page.locator('.secret').waitFor({ state: 'detached' });
  });

  inChromium('a double click on a button opens its dialog, and does not close it', async () => {
    const { page } = await open('/pets');
    for (const button of ['Add pet', 'Import']) {
      await page.getByRole('button', { name: button, exact: true }).first().dblclick();
      await page.locator('dialog').waitFor();
      await page.mouse.click(5, 5);
      await page.locator('dialog').waitFor({ state: 'detached' });
    }
  });

  inChromium('Escape asks before it discards the rows of an import', async () => {
    const { page } = await open('/pets?do=import');
    const dialog = page.getByRole('dialog', { name: /import/i });
    const question = page.getByRole('dialog', { name: 'Discard your changes?' });
    await dialog.getByRole('textbox').fill('name,category\nPip,1');
    for (const _ of ['while pasting', 'in the preview']) {
      await page.keyboard.press('Escape');
      await question.getByRole('button', { name: 'Keep editing' }).click();
      if (await dialog.getByRole('textbox').count()) await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByRole('button', { name: 'Add 1 pet' }).waitFor();
    }
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  inChromium('the preview of an import says if this browser has already imported the file', async () => {
    const { page } = await open('/pets?do=import');
    const add = page.getByRole('button', { name: 'Add 1 pet' });
    const countWarnings = async (rows: string) => {
      await page.getByRole('dialog').getByRole('textbox').fill(rows);
      await page.getByRole('button', { name: 'Preview' }).click();
      await add.waitFor();
      return page.getByText(/^This file was already imported on .+ adds the pets a second time\.$/).count();
    };
    expect(await countWarnings('name,category\nEcho,1')).toBe(0);
    await add.click();
    await page.getByText('Done. 1 added').waitFor();
    await page.goto(shop.service.url('/console/pets?do=import'));
    expect(await countWarnings('name,category\nEcho,1')).toBe(1);
    await page.getByRole('button', { name: 'Choose another file' }).click();
    expect(await countWarnings('name,category\nEcho the second,1')).toBe(0);
  });

  inChromium('Escape, the close button and a click outside ask before they discard a new pet or order', async () => {
    await addPet('Wanted');
    const { page } = await open('/pets?do=add');
    const dialog = page.getByRole('dialog');
    const question = page.getByRole('dialog', { name: 'Discard your changes?' });
    const expectQuestions = async (isKept: () => Promise<boolean>) => {
      for (const leave of [
        () => page.keyboard.press('Escape'),
        () => dialog.getByRole('button', { name: 'Close' }).click(),
        () => page.mouse.click(5, 5),
      ]) {
        await leave();
        await question.getByRole('button', { name: 'Keep editing' }).click();
        await question.waitFor({ state: 'detached' });
        expect(await isKept()).toBe(true);
      }
      await page.keyboard.press('Escape');
      await question.getByRole('button', { name: 'Discard' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    const name = dialog.getByLabel('Name', { exact: true });
    await name.fill('Typed');
    await expectQuestions(async () => (await name.inputValue()) === 'Typed');

    await page.goto(shop.service.url('/console/orders?place='));
    const wanted = dialog.getByRole('radio', { name: /^Wanted/ });
    await dialog.getByLabel('Pet', { exact: true }).fill('Wanted');
    await wanted.check();
    await expectQuestions(() => wanted.isChecked());
  });

  inChromium('Escape, the close button and another page ask before they discard an edit; filters do not', async () => {
    const id = await addPet('Luna');
    const { page } = await open(`/pets?pet=${id}`);
    const name = page.getByRole('dialog').getByLabel('Name');
    const question = page.getByRole('dialog', { name: 'Discard your changes?' });
    await name.fill('Luna the second');
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => page.getByRole('button', { name: 'Close' }).click(),
      () => page.getByRole('link', { name: 'Orders' }).click(),
    ]) {
      await leave();
      await question.getByRole('button', { name: 'Keep editing' }).click();
      expect(await name.inputValue()).toBe('Luna the second');
    }
    await page.getByLabel('available').check({ force: true });
    await page.waitForURL(/status=available/);
    expect(await name.inputValue()).toBe('Luna the second');
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await shop.service.get(`/v1/pets?ids=${id}`)).body[0].name).toBe('Luna');
  });

  inChromium('Back asks before it discards an edit or a secret, and still undoes a filter', async () => {
    const id = await addPet('Milo');
    const { page } = await open('/pets');
    await page.getByRole('row', { name: /Milo/ }).click();
    const name = page.getByRole('dialog').getByLabel('Name');
    const question = page.getByRole('dialog', { name: 'Discard your changes?' });
    await name.fill('Milo the second');
    await page.getByLabel('available').check({ force: true });
    await page.waitForURL(/status=available/);
    await page.goBack();
    await page.waitForURL((url) => !url.search.includes('status'));
    for (const _ of ['once', 'twice']) {
      await page.goBack();
      await question.getByRole('button', { name: 'Keep editing' }).click();
      expect(new URL(page.url()).searchParams.get('pet')).toBe(String(id));
      expect(await name.inputValue()).toBe('Milo the second');
    }
    await page.goBack();
    await question.getByRole('button', { name: 'Discard' }).click();
    await name.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');

    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Partner of Milo');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const secret = page.locator('.secret code').first();
    await secret.waitFor();
    const url = page.url();
    await page.goBack();
    const leaving = page.getByRole('dialog', { name: 'Close without saving the secret?' });
    await leaving.getByRole('button', { name: 'Keep it open' }).click();
    expect([page.url(), await secret.count()]).toEqual([url, 1]);
    await page.goBack();
    await leaving.getByRole('button', { name: 'Discard' }).click();
    await secret.waitFor({ state: 'detached' });
  });

  for (const [how, act] of [
    ['a double click', (button: Locator) => button.dblclick()],
    ['two clicks before the next render', clickTwice],
  ] as const) {
    inChromium(`${how}: the console imports, sells and backs up once`, async () => {
      const id = await addPet('Solo');
      const { page } = await open('/pets?do=import');
      const writes = writesOf(page);
      await page.getByRole('dialog').getByRole('textbox').fill(`name,category\nPip,Pond fish ${id}`);
      await page.getByRole('button', { name: 'Preview' }).click();
      await act(page.getByRole('button', { name: 'Add 1 pet' }));
      await page.getByText('Done. 1 added').waitFor();
      expect(writes.splice(0)).toEqual(['POST /v1/categories', 'POST /v1/pets/batch']);

      await page.goto(shop.service.url(`/console/pets?pet=${id}`));
      await act(page.getByRole('button', { name: 'Mark as sold' }));
      await page.getByRole('list', { name: 'History' }).getByText('Marked as sold').waitFor();
      expect(writes.splice(0)).toEqual([`PATCH /v1/pets/${id}`]);

      await page.goto(shop.service.url('/console/health'));
      await act(page.getByRole('button', { name: 'Back up now' }));
      await page.getByText('Backup started.').waitFor();
      expect(writes).toEqual(['POST /v1/backups']);
      await waitFor(
        'the backup is done',
        async () => (await shop.service.get('/v1/backups')).body[0].state !== 'running',
      );
    });
  }
});
