import { describe, expect } from 'bun:test';
import { startConsole } from './browser/console.ts';
import { waitFor } from './wait-for.ts';

const shop = startConsole();
const { inChromium, open } = shop;

const TEN = ['Ada', 'Bea', 'Cleo', 'Dina', 'Ella', 'Fips', 'Greta', 'Hugo', 'Ida', 'Jo'];

describe('a user who has never seen the API', () => {
  inChromium('adds ten pets, sells one, creates a key for a partner, watches its requests and revokes it', async () => {
    const { page, foreign } = await open('/');
    const pages = page.getByRole('navigation', { name: 'Pages' });

    await pages.getByRole('link', { name: 'Pets' }).click();
    await page.getByRole('button', { name: /Add/ }).first().click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Category').fill('Dog');
    await page.getByRole('dialog').getByRole('option', { name: /^Dogs/ }).waitFor();
    for (const name of TEN) {
      await form.getByLabel('Name', { exact: true }).fill(name);
      await form.getByLabel('Category').fill('Dogs');
      await form.getByRole('button', { name: 'Add and enter another' }).click();
      await page.getByText(`${name} added`).waitFor();
    }
    await form.getByRole('button', { name: 'Done' }).click();

    await page.getByRole('row', { name: /Cleo/ }).click();
    const cleo = page.getByRole('dialog');
    await cleo.getByRole('button', { name: /sold/i }).click();
    await cleo.getByText('sold', { exact: true }).first().waitFor();
    await waitFor('it is written', async () => (await shop.service.get('/v1/pets?status=sold')).body.length === 1);
    await page.keyboard.press('Escape');

    await pages.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Partner');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const secret = await page.getByRole('dialog', { name: 'Key created' }).locator('code').first().innerText();
    await page.getByRole('button', { name: "I've saved it" }).click();
    await page.getByRole('row', { name: /Partner/ }).click();
    const partner = page.getByRole('dialog', { name: 'Partner' });
    await partner.getByText(/^0 of 300/).waitFor();

    const sold = await shop.service.get('/v1/pets?status=sold', { key: secret });
    expect(sold.body.map(({ name }: { name: string }) => name)).toEqual(['Cleo']);
    await partner.getByText(/^1 of 300/).waitFor();

    await partner.getByRole('button', { name: 'Revoke' }).click();
    const question = page.getByRole('dialog', { name: 'Revoke Partner?' });
    await question.getByLabel('Type "Partner" to confirm').fill('Partner');
    await question.getByRole('button', { name: 'Revoke key' }).click();
    await partner.getByText('revoked', { exact: true }).waitFor();
    expect((await shop.service.get('/v1/pets', { key: secret })).status).toBe(401);
    expect(foreign).toEqual([]);
  });
});
