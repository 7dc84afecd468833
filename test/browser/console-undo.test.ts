import { describe, expect } from 'bun:test';
import { waitFor } from '../wait-for.ts';
import { endUndo, extendUndo, petRow, press, startConsole } from './console.ts';

const shop = startConsole();
const { inChromium, open } = shop;

const addPet = async (name: string): Promise<number> =>
  (await shop.service.post('/v1/pets', { name, categoryId: 1 })).body.id;

describe('a step that can be undone', () => {
  inChromium('is sent when the page is reloaded, even if other steps are pending too', async () => {
    const names = ['First', 'Second', 'Third'];
    const ids = await Promise.all(names.map(addPet));
    const { page } = await open(`/pets?ids=${ids.join()}`);
    await extendUndo(page);
    for (const name of names) {
      await petRow(page, name).getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
      await petRow(page, name).waitFor({ state: 'detached' });
    }
    await page.reload();
    const isEmpty = async () => (await shop.service.get(`/v1/pets?ids=${ids.join()}`)).body.length === 0;
    await waitFor('all pets are deleted', isEmpty);
  });

  inChromium('shows the state on the service again if someone else was faster', async () => {
    const id = await addPet('Wanted');
    const { page } = await open(`/pets?pet=${id}`);
    await extendUndo(page);
    await press(page.getByRole('dialog'), 'Mark as sold');
    await page.getByText('Wanted marked as sold').waitFor();
    await shop.service.call('PATCH', `/v1/pets/${id}`, { body: { status: 'sold' } });
    await endUndo(page);
    await page.getByText(/^Wanted was not marked as sold/).waitFor();
    await petRow(page, 'Wanted').getByText('Sold').waitFor();
  });
});

describe('the deletion of a pet', () => {
  inChromium('can be undone if it is the only selected pet, and is refused while an order holds the pet', async () => {
    const [kept, held] = [await addPet('Kept'), await addPet('Held')];
    await shop.service.post('/v1/store/orders', { petId: held });
    const { page } = await open(`/pets?ids=${kept},${held}`);
    await extendUndo(page);
    const bar = page.getByRole('region', { name: 'Selected' });
    await petRow(page, 'Held').getByRole('checkbox').check();
    await petRow(page, 'Held').getByRole('link', { name: /left$/ }).waitFor();
    await press(bar, 'Delete');
    await page.getByText('Held was not deleted. A pet with an open order cannot be deleted.').waitFor();
    await press(page, 'Dismiss');
    await petRow(page, 'Held').getByRole('checkbox').uncheck();
    await petRow(page, 'Kept').getByRole('checkbox').check();
    await press(bar, 'Delete');
    await petRow(page, 'Kept').waitFor({ state: 'detached' });
    await press(page, 'Undo');
    await petRow(page, 'Kept').waitFor();
    await bar.getByText('1 selected').waitFor();
    await press(bar, 'Delete');
    await endUndo(page);
    await waitFor('the pet is deleted', async () => (await shop.service.get(`/v1/pets?ids=${kept}`)).body.length === 0);
  });

  inChromium('waits while the pointer is over the message, or while its button has the focus', async () => {
    const id = await addPet('Hesitant');
    const { page } = await open(`/pets?ids=${id}`);
    await extendUndo(page);
    await petRow(page, 'Hesitant').getByRole('checkbox').check();
    await press(page.getByRole('region', { name: 'Selected' }), 'Delete');
    const undo = page.getByRole('button', { name: 'Undo', exact: true });
    const stands = async () => {
      await page.locator('.toast.paused').waitFor();
      await endUndo(page);
      expect((await shop.service.get(`/v1/pets?ids=${id}`)).body).toHaveLength(1);
      expect(await undo.count()).toBe(1);
    };
    await undo.hover();
    await stands();
    await undo.focus();
    await page.mouse.move(0, 0);
    await stands();
    await undo.blur();
    await page.locator('.toast.paused').waitFor({ state: 'detached' });
    await waitFor('the pet is deleted', async () => {
      await endUndo(page);
      return (await shop.service.get(`/v1/pets?ids=${id}`)).body.length === 0;
    });
  });

  inChromium('that is cancelled has its own message, even if two pets have the same name', async () => {
    const ids = [await addPet('Twin'), await addPet('Twin'), await addPet('Spare')];
    const { page } = await open(`/pets?ids=${ids.join()}`);
    await extendUndo(page);
    const twins = petRow(page, 'Twin');
    const message = page.getByText('Twin was not deleted. The service could not be reached.');
    const countsAre = (rows: number, messages: number) =>
      waitFor('the counts', async () => (await twins.count()) === rows && (await message.count()) === messages);
    const remove = async () => {
      await twins.first().getByRole('checkbox').check();
      // The messages may cover the bar, so this uses the keyboard.
      await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
    };
    await twins.first().waitFor();
    await remove();
    await countsAre(1, 0);
    await remove();
    await countsAre(0, 0);
    await page.context().setOffline(true);
    await petRow(page, 'Spare').getByRole('link').click();
    await page
      .getByText(/Retrying in/)
      .first()
      .waitFor();
    await press(page.getByRole('dialog'), 'Close');
    await countsAre(2, 2);
    await page.context().setOffline(false);
    await page.getByText(/Retrying in/).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Clear selection' }).press('Enter');
    await remove();
    await countsAre(1, 1);
    await remove();
    await countsAre(0, 0);
  });
});
