import { describe, expect } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { waitFor } from '../wait-for.ts';
import { petRow, press, startConsole } from './console.ts';

const shop = startConsole();
const { inChromium, open } = shop;

const drawer = (page: Page): Locator => page.getByRole('dialog');

describe('the dialog that adds a pet', () => {
  inChromium('creates a new category together with the first pet in it, if the key may', async () => {
    const { page } = await open('/pets?do=add');
    const form = drawer(page);
    await form.getByLabel('Name', { exact: true }).fill('Flopsy');
    await form.getByLabel('Category').fill('Rabbits');
    await form.getByText('Rabbits is a new category. It is created together with the pet.').waitFor();
    expect(await form.getByRole('alert').count()).toBe(0);
    await press(form, 'Add pet and category');
    await page.getByText(/^Flopsy added as pet \d+, in the new category Rabbits\.$/).waitFor();
    await form.waitFor({ state: 'detached' });
    await petRow(page, 'Flopsy').getByRole('cell', { name: 'Rabbits' }).waitFor();
    const { body } = await shop.service.get('/v1/categories');
    expect(body.filter(({ name }: { name: string }) => name === 'Rabbits').length).toBe(1);

    await press(page, 'Add pet');
    await form.getByLabel('Category').fill('rabbits');
    await press(form, 'Add and enter another');
    const isNameFocused = () => form.getByLabel('Name', { exact: true }).evaluate((it: any) => it.matches(':focus'));
    expect(await isNameFocused()).toBe(true);
    await form.getByLabel('Name', { exact: true }).fill('Cottontail');
    await press(form, 'Add and enter another');
    await form.getByRole('link', { name: /^Cottontail added as pet \d+\.$/ }).waitFor();
    await waitFor('the field is ready for the next name', isNameFocused);
    expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('');
    await press(form, 'Done');
    await petRow(page, 'Cottontail').waitFor();

    const key = await shop.service.issueKey({ scopes: ['pets:read', 'pets:write'] });
    const { page: other } = await open('/pets?do=add', { key });
    await drawer(other).getByLabel('Name', { exact: true }).fill('Mopsy');
    await drawer(other).getByLabel('Category').fill('Hares');
    expect(await drawer(other).getByRole('alert').count()).toBe(0);
    await press(drawer(other), 'Add');
    await drawer(other).getByText('Choose a category from the list.').waitFor();
    expect((await shop.service.get('/v1/pets?search=Mopsy')).body).toEqual([]);
  });

  inChromium('leaves no new category behind if the service refuses the pet', async () => {
    const { page } = await open('/pets?do=add');
    const form = drawer(page);
    await form.getByLabel('Name', { exact: true }).fill('   ');
    await form.getByLabel('Category').fill('Ferrets');
    await press(form, 'Add pet and category');
    await form.getByText(/^Must not be empty/).waitFor();
    const names = (await shop.service.get('/v1/categories')).body.map(({ name }: { name: string }) => name);
    expect(names).not.toContain('Ferrets');
  });

  inChromium('says what is wrong with a field until the user edits the form', async () => {
    const { page } = await open('/pets?do=add');
    const form = drawer(page);
    await form.getByLabel('Name', { exact: true }).fill('x'.repeat(256));
    await form.getByLabel('Category').fill('1');
    await press(form, 'Add');
    await form.getByText('Must be at most 255 characters long', { exact: true }).waitFor();
    await form.getByLabel('Name', { exact: true }).press('Backspace');
    expect(await form.getByRole('alert').count()).toBe(0);
    await press(form, 'Add');
    await form.waitFor({ state: 'detached' });
  });

  inChromium('asks only about unsaved changes before it signs out a key that is no longer valid', async () => {
    const { id, key } = (await shop.service.post('/v1/keys', { name: 'Back office', plan: 'pro' })).body;
    const { page } = await open('/pets?do=add', { key });
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Draft');
    await page.getByRole('dialog').getByLabel('Category').fill('1');
    await shop.service.call('DELETE', `/v1/keys/${id}`);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const signIn = page.getByRole('button', { name: 'Sign in with another key' });
    await signIn.click();
    const question = page.getByRole('dialog', { name: 'Discard your changes?' });
    await question.waitFor();
    expect(await signIn.count()).toBe(0);
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await signIn.click();
    await question.getByRole('button', { name: 'Discard' }).click();
    await page.getByLabel('API key').waitFor();
  });
});
