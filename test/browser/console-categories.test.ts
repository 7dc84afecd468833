import { describe, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { waitFor } from '../wait-for.ts';
import { extendUndo, startConsole } from './console.ts';

const shop = startConsole();
const { inChromium, open } = shop;

const create = async (name: string): Promise<number> => (await shop.service.post('/v1/categories', { name })).body.id;
const nameOf = async (id: number) => (await shop.service.get(`/v1/categories/${id}`)).body.name;
const exists = async (id: number) => (await shop.service.get(`/v1/categories/${id}`)).status === 200;
const row = (page: Page, name: string) => page.getByRole('table', { name: 'Categories' }).getByRole('row', { name });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

describe('the categories page', () => {
  inChromium('adds and renames a category, and refuses a name that another one has', async () => {
    const id = await create('Newts');
    const { page } = await open('/categories');
    await row(page, 'Newts').waitFor();
    await press(page, 'Add category');
    const name = page.getByRole('dialog').getByLabel('Name');
    await name.fill(' newts');
    await press(page, 'Add');
    await page.getByText('Another category has this name.').waitFor();
    await page.locator('dialog input:focus').waitFor();
    await name.fill('Frogs');
    await press(page, 'Add');
    await row(page, 'Frogs').waitFor();
    await row(page, 'Newts').click();
    await name.fill('Salamanders');
    await press(page, 'Rename');
    await row(page, 'Salamanders').waitFor();
    expect(await nameOf(id)).toBe('Salamanders');
  });

  inChromium('says that a change may have been made, if the service did not answer', async () => {
    const id = await create('Voles');
    const { page } = await open(`/categories?category=${id}`);
    await page.route(`**/v1/categories/${id}`, (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    );
    await page.getByRole('dialog').getByLabel('Name').fill('Shrews');
    await press(page, 'Rename');
    const said = page.getByRole('dialog').getByRole('alert');
    await said.waitFor();
    expect(await said.innerText()).toBe(
      'The service did not answer. The change may have been made: check before you try again.',
    );
  });

  inChromium(
    'deletes an unused category when the time to undo ends, and does not offer to delete a used one',
    async () => {
      const [unused, used] = [await create('Unused'), await create('Used')];
      await shop.service.post('/v1/pets', { name: 'Rex', categoryId: used });
      const { page } = await open(`/categories?category=${used}`);
      await extendUndo(page);
      await page.getByText('This category has pets. To delete it, merge it into another category.').waitFor();
      expect(await page.getByRole('button', { name: 'Delete category' }).count()).toBe(0);
      await page.locator(`a[aria-label="Show 1 pet"][href$="/pets?categoryId=${used}"]`).waitFor();
      await row(page, 'Unused').click();
      await press(page, 'Delete category');
      await row(page, 'Unused').waitFor({ state: 'detached' });
      await press(page, 'Undo');
      await page.getByText('Undone.').waitFor();
      await row(page, 'Unused').click();
      expect(await exists(unused)).toBe(true);
      await press(page, 'Delete category');
      await page.goto('about:blank');
      await waitFor('it is deleted', async () => !(await exists(unused)));
    },
  );

  inChromium('counts moved pets in their new category while the move can be undone', async () => {
    const [from, into] = [await create('Finches'), await create('Canaries')];
    for (const name of ['Pip', 'Chip']) await shop.service.post('/v1/pets', { name, categoryId: from });
    const { page } = await open(`/pets?categoryId=${from}`);
    await extendUndo(page);
    await page.getByLabel('Select all loaded rows').check();
    await page.getByRole('region', { name: 'Selected' }).getByRole('button', { name: 'Category' }).click();
    await page.getByRole('dialog').getByLabel('Category').fill('Canaries');
    await press(page, 'Set category');
    await page.getByText('2 pets set to Canaries.').waitFor();
    await page.getByRole('link', { name: 'Categories' }).first().click();
    await row(page, 'Canaries').getByRole('link', { name: 'Show 2 pets' }).waitFor();
    expect(await row(page, 'Finches').getByRole('link', { name: /Show/ }).count()).toBe(0);
    expect((await shop.service.get(`/v1/pets?categoryId=${into}`)).body).toHaveLength(0);
    await press(page, 'Undo');
    await row(page, 'Finches').getByRole('link', { name: 'Show 2 pets' }).waitFor();
  });

  inChromium('are offered by name to a pet, and Escape closes only the list of names', async () => {
    await create('Otters');
    const { body: pet } = await shop.service.post('/v1/pets', { name: 'Tom', categoryId: await create('Weasels') });
    const { page } = await open(`/pets?pet=${pet.id}`);
    const drawer = page.getByRole('dialog');
    const category = drawer.getByRole('combobox', { name: 'Category' });
    const names = drawer.getByRole('option');
    const shows = (name: string) => waitFor(`shows ${name}`, async () => (await category.inputValue()) === name);
    await shows('Weasels');
    await category.click();
    await names.filter({ hasText: 'Otters' }).waitFor();
    await page.keyboard.press('Escape');
    await names.first().waitFor({ state: 'detached' });
    await category.fill('ter');
    await waitFor('one matches', async () => (await names.count()) === 1);
    await names.click();
    await shows('Otters');
    await press(page, 'Save');
    await page.getByRole('row', { name: /Tom/ }).getByRole('cell', { name: 'Otters' }).waitFor();
  });

  inChromium('merges a category after its name is typed', async () => {
    const [from, into] = [await create('Pups'), await create('Hounds')];
    await shop.service.post('/v1/pets', { name: 'Rex', categoryId: from });
    const { page } = await open(`/categories?category=${from}`);
    await page.getByLabel('Merge into').selectOption(String(into));
    await press(page, 'Merge');
    const question = page.getByRole('dialog', { name: 'Merge Pups into Hounds?' });
    const confirm = question.getByRole('button', { name: 'Merge', exact: true });
    expect(await confirm.isDisabled()).toBe(true);
    await question.getByLabel('Type "Pups" to confirm').fill('Pups');
    await confirm.click();
    await page.getByText('Pups merged into Hounds: 1 pet moved.').waitFor();
    await row(page, 'Pups').waitFor({ state: 'detached' });
    const { body: moved } = await shop.service.get(`/v1/pets?categoryId=${into}`);
    expect(moved).toHaveLength(1);
    expect(await exists(from)).toBe(false);
    await page.goto(shop.service.url(`/console/pets?pet=${moved[0].id}`));
    await page.getByText('Category changed from Pups to Hounds').waitFor();
    await page.goto(shop.service.url('/console/events'));
    await page.getByText('merged the category Pups into Hounds').waitFor();
  });

  inChromium('offers no changes to a key that may only read', async () => {
    const key = await shop.service.issueKey({ scopes: ['pets:read'] });
    const { page } = await open('/categories?category=1', { key });
    await page.getByRole('dialog').getByRole('link', { name: 'Show pets' }).waitFor();
    expect(await page.getByRole('button', { name: /Add|Rename|Merge|Delete/ }).count()).toBe(0);
  });
});
