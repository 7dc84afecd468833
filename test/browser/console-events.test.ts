import { describe, expect } from 'bun:test';
import { waitFor } from '../wait-for.ts';
import { startReceiver } from '../webhook-receiver.ts';
import { startConsole } from './console.ts';

const shop = startConsole({ environment: { PETSTORE_WEBHOOK_ALLOW_PRIVATE: 'true' } });
const { inChromium, open } = shop;
const addPet = async (name: string, key?: string) =>
  (await shop.service.post('/v1/pets', { name, categoryId: 1 }, key === undefined ? {} : { key })).body;

describe('the events page', () => {
  inChromium('shows what an event changed, which key caused it, and its deliveries', async () => {
    const receiver = startReceiver();
    const { body: webhook } = await shop.service.post('/v1/webhooks', {
      url: receiver.url('/hooks'),
      events: ['pet.updated'],
    });
    const key = await shop.service.issueKey({ name: 'Front desk' });
    const { id } = await addPet('Before', key);
    const changed = await shop.service.call('PATCH', `/v1/pets/${id}`, { key, body: { name: 'After' } });
    await receiver.until('/hooks', 1);
    const { page } = await open('/events?types=pet.updated');
    const feed = page.getByRole('table', { name: 'Events' });
    await feed.getByText('name: Before → After').waitFor();
    await page.getByLabel('Changed by').selectOption({ label: 'admin' });
    await page.getByText('No matching events').waitFor();
    await page.getByLabel('Changed by').selectOption({ label: 'Front desk' });
    await feed.getByText('Front desk renamed Before to After').click();
    const story = page.getByRole('dialog', { name: 'Front desk renamed Before to After' });
    await story.getByText('pet.updated', { exact: true }).waitFor();
    await story.getByRole('row', { name: 'name Before After' }).waitFor();
    await story.getByRole('link', { name: 'Front desk' }).waitFor();
    await story.getByText(changed.headers.get('x-request-id') as string, { exact: true }).waitFor();
    await story.getByText(/delivered\s+status 200/).waitFor();
    expect(await story.getByRole('link', { name: `After · pet ${id}` }).getAttribute('href')).toEndWith(
      `/pets?pet=${id}`,
    );
    await story.getByRole('link', { name: webhook.url }).click();
    await page.getByRole('dialog', { name: webhook.url }).getByText('"name": "After"').waitFor();
    await page.goBack();
    await story.getByText('"previous"').waitFor();
    await receiver.down();
  });

  inChromium('names the categories of a change', async () => {
    const { body: newts } = await shop.service.post('/v1/categories', { name: 'Newts' });
    const { body: frogs } = await shop.service.post('/v1/categories', { name: 'Frogs' });
    const { body: pet } = await shop.service.post('/v1/pets', { name: 'Hops', categoryId: newts.id });
    await shop.service.call('PATCH', `/v1/pets/${pet.id}`, { body: { categoryId: frogs.id } });
    const { page } = await open(`/events?pet=${pet.id}`);
    const feed = page.getByRole('table', { name: 'Events' });
    await feed.getByText('category: Newts → Frogs').waitFor();
    await feed.getByText('admin moved Hops to the category Frogs').click();
    await page.getByRole('dialog').getByRole('row', { name: 'category Newts Frogs' }).waitFor();
  });

  inChromium('keeps the number of pets in the navigation up to date', async () => {
    const { page } = await open('/events');
    const count = page.locator('.nav .count');
    const before = Number(await count.innerText());
    await addPet('Counted');
    await waitFor('the number grows', async () => Number(await count.innerText()) === before + 1);
  });

  inChromium('hides keys, webhooks and deliveries from a key with only events:read', async () => {
    const key = await shop.service.issueKey({ scopes: ['events:read'] });
    await addPet('Seen');
    const { page } = await open('/events', { key });
    const feed = page.getByRole('table', { name: 'Events' });
    await feed.getByText('admin added Seen').click();
    const story = page.getByRole('dialog', { name: 'admin added Seen' });
    await story.getByText('"name": "Seen"').waitFor();
    expect(await story.getByRole('link').count()).toBe(0);
    expect(await story.getByRole('region', { name: 'Deliveries' }).count()).toBe(0);
    expect(await feed.getByText(/^key\./).count()).toBe(0);
  });
});
