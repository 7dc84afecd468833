import { describe, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { createTestClock, STAGING } from '../service.ts';
import { waitFor } from '../wait-for.ts';
import { startConsole } from './console.ts';

const clock = createTestClock(new Date().toISOString());
const shop = startConsole({ clock, environment: { ...STAGING, PETSTORE_REHEARSE_DATE: '2031-01-01T00:00:00Z' } });
const { inChromium, open } = shop;

const storeName = (page: Page): Promise<string> => page.locator('.nav .store b').innerText();

describe('the console on staging', () => {
  inChromium('says that Health is still measuring, then shows the figures without asking for a backup', async () => {
    const { page, complaints } = await open('/health');
    const traffic = page.getByRole('region', { name: 'Traffic' });
    await traffic.getByText('Measuring. The first figures appear about 20 seconds after the service starts.').waitFor();
    await shop.service.runJobs();
    clock.advance(10_000);
    await shop.service.runJobs();
    await page.reload();
    await traffic.getByRole('region', { name: 'Requests', exact: true }).waitFor();
    expect(await page.getByText('Measuring.').count()).toBe(0);
    await page.getByText(/^(Everything is working|Working, with)/).waitFor();
    expect(await page.getByText('There is no backup yet.').count()).toBe(0);
    const period = (name: string) => page.getByRole('radio', { name });
    expect(await period('1 hour').isChecked()).toBe(true);
    await period('15 min').check();
    await page.waitForURL(/[?]minutes=15$/);
    await page.reload();
    await traffic.getByRole('region', { name: 'Requests', exact: true }).waitFor();
    expect(await period('15 min').isChecked()).toBe(true);
    await page.goBack();
    await waitFor('the hour is chosen again', () => period('1 hour').isChecked());
    expect(complaints).toEqual([]);
  });

  inChromium('does not say that a store has sample data if it has none', async () => {
    await shop.service.post('/v1/pets', { name: 'Own', categoryId: 1 });
    const { page } = await open('/');
    const answered = page.waitForResponse((response) => response.url().includes('name=Captain'));
    await page.reload();
    await answered;
    await page.getByRole('region', { name: 'Stock' }).waitFor();
    expect(await page.getByText('This store has sample data').count()).toBe(0);
  });

  inChromium('offers to reset the store only with a key that may do so', async () => {
    const key = await shop.service.issueKey({ scopes: ['pets:read'] });
    const { page } = await open('/pets', { key });
    await page.getByText('Staging: test data only.').waitFor();
    expect(await page.getByRole('button', { name: 'Reset store' }).count()).toBe(0);
  });

  inChromium('says how many pets a store can have, if that is less than the plan allows', async () => {
    const { page } = await open('/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Plan', { exact: true }).selectOption('business');
    await page
      .getByText(/1,000,000 pets\. However, this service has room for only 100,000 pets in each store\.$/)
      .waitFor();
  });

  inChromium('shows rehearsed removals, and resets the store', async () => {
    const scopes = ['pets:read', 'pets:write', 'orders:read', 'orders:write', 'ops:read'];
    const { key } = (await shop.service.post('/v1/keys', { name: 'Team', plan: 'pro', scopes })).body;
    const [pet] = (await shop.service.get('/v1/pets?limit=1&order=desc', { key })).body;
    await shop.service.call('PATCH', `/v1/pets/${pet.id}`, { key, body: { name: 'Spoilt' } });
    const { page, complaints } = await open('/', { key });
    await page.getByText('This store has sample data').waitFor();
    await page.getByText(/^getPet will be removed on December 5, 2030\. .* already returns 410/).waitFor();

    await page.getByRole('link', { name: 'Pets', exact: true }).click();
    await page.getByRole('row', { name: /Spoilt/ }).waitFor();
    expect(complaints).toEqual([]);
    await page.getByRole('button', { name: 'Reset store' }).click();
    const question = page.getByRole('dialog', { name: 'Reset the store?' });
    expect(await question.getByRole('button', { name: 'Reset store' }).isDisabled()).toBe(true);
    await question.getByLabel(/^Type "Store \d+" to confirm$/).fill(await storeName(page));
    await question.getByRole('button', { name: 'Reset store' }).click();
    await question.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /Spoilt/ }).waitFor({ state: 'detached' });
    await page.getByRole('row', { name: new RegExp(pet.name) }).waitFor();
    expect((await shop.service.get(`/v1/pets?ids=${pet.id}`, { key })).body).toEqual([]);
    expect(complaints.filter((complaint) => !complaint.includes('503'))).toEqual([]);
  });
});
