import { Database } from 'bun:sqlite';
import { describe, expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { Download, Locator, Page } from 'playwright-core';
import { waitFor } from '../wait-for.ts';
import { endUndo, extendUndo, petRow, press, startConsole } from './console.ts';
import { STEP_MS, stopClock } from './visit.ts';

const shop = startConsole();
const { inChromium, open } = shop;

const drawer = (page: Page): Locator => page.getByRole('dialog');

const addPets = async (categoryId: number, names: readonly string[]): Promise<string[]> => {
  const pets = names.map((name) => ({ name, categoryId }));
  const { body } = await shop.service.post('/v1/pets/batch', { pets });
  return body.map(({ id }: { id: unknown }) => String(id));
};

const addCrowd = (categoryId: number): void => {
  const file = new Database(shop.service.place);
  file.run(
    `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 99999)
     INSERT INTO pets (store_id, id, name, category_id, status, version, folded_name, created_at, updated_at)
     SELECT 1, 1000000 + n, 'Crowd ' || (n % 1000), ?, 'available', 1, 'crowd ' || (n % 1000), 0, 0 FROM numbers`,
    [categoryId],
  );
  file.close();
};

const readPets = async (query: string): Promise<{ name: string; status: string }[]> =>
  (await shop.service.get(`/v1/pets?${query}`)).body;

const textOf = async (download: Promise<Download>): Promise<string> =>
  readFileSync(await (await download).path(), 'utf8');

describe('the pets page', () => {
  inChromium('shows both versions after an edit conflict, and saves the chosen one', async () => {
    const [id] = await addPets(71, ['Rex']);
    const { page } = await open(`/pets?pet=${id}`);
    const name = drawer(page).getByLabel('Name');
    const writeBoth = async (mine: string, theirs: string) => {
      await name.fill(mine);
      await shop.service.call('PATCH', `/v1/pets/${id}`, { body: { name: theirs } });
      await press(drawer(page), 'Save');
      await drawer(page).getByRole('cell', { name: theirs }).waitFor();
      await drawer(page).getByRole('cell', { name: mine }).waitFor();
    };
    await writeBoth('Rex of mine', 'Rex of theirs');
    await press(page, 'Discard my changes');
    await waitFor(
      'theirs is shown',
      () => name.inputValue(),
      (value) => value === 'Rex of theirs',
    );
    await writeBoth('Rex the second', 'Rex the third');
    await press(page, 'Save my changes');
    await page.getByText('Rex the second was saved.', { exact: true }).waitFor();
    await drawer(page).getByRole('heading', { name: 'Rex the second' }).waitFor();
    await waitFor(
      'mine is written',
      () => readPets(`ids=${id}`),
      ([pet]) => pet?.name === 'Rex the second',
    );
  });

  inChromium(
    'offers the allowed status changes, but none while an order holds the pet, and shows the history',
    async () => {
      const [id] = await addPets(72, ['Mia']);
      const { page } = await open(`/pets?pet=${id}`);
      await extendUndo(page);
      const status = drawer(page).getByRole('region', { name: 'Status' });
      await press(status, 'Place order');
      await status.getByText(/Held by order/).waitFor();
      await status.getByText(/left/).waitFor();
      expect(await status.getByRole('button', { name: /^Mark/ }).count()).toBe(0);
      expect(await drawer(page).getByRole('button', { name: 'Delete' }).count()).toBe(0);
      await press(status, 'Cancel order');
      await status.getByText('available', { exact: true }).waitFor();
      await press(page, 'Undo');
      await status.getByText(/Held by order/).waitFor();
      await press(status, 'Cancel order');
      await status.getByText('available', { exact: true }).waitFor();
      await endUndo(page);
      // The page offers "Mark as sold" only after the service has cancelled the order.
      await press(status, 'Mark as sold');
      await status.getByText('sold', { exact: true }).waitFor();
      await endUndo(page);
      await waitFor('sold is final', async () => (await status.getByRole('button').count()) === 0);
      const history = drawer(page).getByRole('list', { name: 'History' });
      await history.getByText('Marked as sold').waitFor();
      const shown = (await history.getByRole('listitem').allInnerTexts()).map((text) => text.split('\n')[0]);
      expect(shown).toEqual([
        'Marked as sold',
        'Order 1 cancelled, available again',
        'Held by order 1',
        'Added as “Mia”',
      ]);
      expect(await history.getByText('admin · ').count()).toBe(4);
    },
  );

  inChromium('deletes a pet when the time to undo ends, or when the page is closed', async () => {
    const [late, left] = await addPets(73, ['Late', 'Left', 'Kept']);
    const { page } = await open('/pets?categoryId=73');
    await petRow(page, 'Kept').waitFor();
    await stopClock(page);
    const step = async (work: Promise<unknown>) => {
      let isOver = false;
      const ended = work.finally(() => {
        isOver = true;
      });
      while (!isOver) await page.clock.runFor(10);
      await ended;
    };
    const remove = async (name: string) => {
      await step(petRow(page, name).click());
      await step(press(drawer(page), 'Delete pet'));
      await step(petRow(page, name).waitFor({ state: 'detached' }));
    };
    const isGone = async (id: string | undefined) => (await readPets(`ids=${id}`)).length === 0;
    await remove('Kept');
    await step(page.keyboard.press('u'));
    await step(petRow(page, 'Kept').waitFor());
    await remove('Late');
    expect(await isGone(late)).toBe(false);
    await page.clock.runFor(6000);
    await step(waitFor('the time is over', () => isGone(late)));
    await remove('Left');
    expect(await isGone(left)).toBe(false);
    await page.goto('about:blank');
    await waitFor('it is removed behind the page', () => isGone(left));
    expect((await readPets('categoryId=73')).map(({ name }) => name)).toEqual(['Kept']);
  });

  inChromium('imports each row of a file once across a reload, and returns the rejected rows', async () => {
    const { page } = await open('/pets?categoryId=74');
    await press(page, 'Import');
    const lines = Array.from({ length: 2500 }, (_, at) => `Pet ${at},74,`);
    const text = ['name,category id,status', 'Rex,74,gone', ...lines].join('\n');
    const file = { name: 'pets.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
    await drawer(page).getByLabel('File').setInputFiles(file);
    await drawer(page).getByText('You can download the 1 invalid row after the import.').waitFor();
    await drawer(page).getByText('2,491 more rows').waitFor();
    await drawer(page).getByText('status must be one of available, pending, sold').waitFor();
    // Lets the service process the second batch, but never passes the response on to the page. The route must stay in
    // place until the reload; otherwise, the browser would complete the request itself.
    const sent: { size: number; key: string | undefined }[] = [];
    const taken = Promise.withResolvers<void>();
    await page.route('**/v1/pets/batch', async (route) => {
      const { pets } = route.request().postDataJSON() as { pets: unknown[] };
      if (sent.push({ size: pets.length, key: route.request().headers()['idempotency-key'] }) !== 2)
        return route.continue();
      await route.fetch({ timeout: STEP_MS });
      return taken.resolve();
    });
    await press(drawer(page), 'Add 2,500 pets');
    await taken.promise;
    await page.reload();
    const card = page.getByRole('region', { name: 'Import pets.csv' });
    await card.getByText('Done. 2,500 added').waitFor();
    expect(sent.map(({ size }) => size)).toEqual([500, 500, 500, 500, 500, 500]);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(5);
    expect(sent[2]?.key).toBe(sent[1]?.key as string);
    await petRow(page, 'Pet 2499').waitFor();
    expect(await page.getByRole('button', { name: /new pets?$/ }).count()).toBe(0);
    await card.getByText('1 rejected').click();
    const download = page.waitForEvent('download');
    await card.getByRole('button', { name: /Download/ }).click();
    expect(await textOf(download)).toStartWith('name,category id,status,reason\nRex,74,gone,');
    const { body } = await shop.service.get('/v1/pets?categoryId=74&limit=1&name=Pet%202499');
    expect(body).toHaveLength(1);
    await page.getByText('Export', { exact: true }).click();
    const exported = page.waitForEvent('download');
    await press(page, 'CSV for Excel');
    const names = (await textOf(exported))
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',')[1]);
    expect([names.length, new Set(names).size]).toEqual([2500, 2500]);
  });

  inChromium('updates many pets, and lists the rejected ones with the reason', async () => {
    const [held, late] = await addPets(75, ['Held', 'Late', 'Ada', 'Bea']);
    await shop.service.post('/v1/store/orders', { petId: Number(held) });
    const { page } = await open('/pets?categoryId=75');
    await extendUndo(page);
    await petRow(page, 'Ada').waitFor();
    await page.getByLabel('Select all loaded rows').check();
    const bar = page.getByRole('region', { name: 'Selected' });
    await bar.getByText('Status').click();
    await press(bar, 'Sold');
    await drawer(page).getByText('Not included: 1 pet held by an order. You have 6 seconds to undo this.').waitFor();
    await petRow(page, 'Ada').getByText('available', { exact: true }).waitFor();
    await press(drawer(page), 'Set 3 pets to sold');
    await petRow(page, 'Ada').getByText('sold', { exact: true }).waitFor();
    await press(page, 'Undo');
    await petRow(page, 'Ada').getByText('available', { exact: true }).waitFor();
    await bar.getByText('4 selected').waitFor();
    await bar.getByText('Status').click();
    await press(bar, 'Sold');
    await press(drawer(page), 'Set 3 pets to sold');
    await petRow(page, 'Ada').getByText('sold', { exact: true }).waitFor();
    await shop.service.post('/v1/store/orders', { petId: Number(late) });
    await endUndo(page);
    const card = page.getByRole('region', { name: 'Set 3 pets to sold' });
    await card.getByText('Done. 2 updated').waitFor();
    await card.getByText('1 rejected').click();
    await card.getByText(/is reserved by order/).waitFor();
    await petRow(page, 'Ada').getByText('sold', { exact: true }).waitFor();
    await page.getByLabel('Select all loaded rows').check();
    await press(bar, 'Delete');
    await press(drawer(page), 'Delete 4 pets');
    await page.getByText('Done. 2 deleted').waitFor();
    expect((await readPets('categoryId=75')).map(({ name }) => name)).toEqual(['Held', 'Late']);
  });

  inChromium('undoes filters, searches and sort orders with Back, and opens a row in a new tab', async () => {
    const ids = await addPets(78, ['Anna', 'Bert', 'Carl']);
    const { page } = await open('/pets?categoryId=78');
    const names = async () => (await page.locator('.row-link').allInnerTexts()).join();
    const shows = (what: string) => waitFor(`shows ${what}`, names, (text) => text === what);
    await shows('Carl,Bert,Anna');
    await page.getByRole('link', { name: 'Sort by Name' }).click();
    await shows('Anna,Bert,Carl');
    await page.getByRole('link', { name: 'Sort by Name' }).click();
    await shows('Carl,Bert,Anna');
    const headers = page.getByRole('columnheader', { name: 'Name' });
    expect(await headers.getAttribute('aria-sort')).toBe('descending');
    await page.getByLabel('Search by name').fill('ERT');
    await shows('Bert');
    await page.getByLabel('Search by name').fill(ids[0] ?? '');
    await shows('Anna');
    await page.getByLabel('sold').check({ force: true });
    await page.getByRole('heading', { name: 'No matching pets' }).waitFor();
    for (const before of ['Anna', 'Carl,Bert,Anna', 'Anna,Bert,Carl', 'Carl,Bert,Anna']) {
      await page.goBack();
      await shows(before);
    }
    const opened = page.context().waitForEvent('page');
    await petRow(page, 'Bert').click({ modifiers: ['Control'] });
    await (await opened).waitForURL(`**/console/pets?categoryId=78&pet=${ids[1]}`);
    await petRow(page, 'Bert').click();
    await drawer(page).getByRole('heading', { name: 'Bert' }).waitFor();
    await press(drawer(page), 'Next pet');
    await drawer(page).getByRole('heading', { name: 'Anna' }).waitFor();
    expect(await drawer(page).getByRole('button', { name: 'Next pet' }).isDisabled()).toBe(true);
  });

  inChromium('saves a view by name, and keeps it until it is removed', async () => {
    await addPets(79, ['Rosa']);
    const { page } = await open('/pets?categoryId=79');
    await extendUndo(page);
    const openViews = () => page.locator('summary.view').click();
    await openViews();
    await press(page, 'Save this view');
    await drawer(page).getByLabel('Name').fill('Parrots');
    await press(drawer(page), 'Save');
    await page.goto(shop.service.url('/console/pets'));
    await openViews();
    await page.getByRole('link', { name: 'Parrots' }).click();
    await petRow(page, 'Rosa').waitFor();
    expect(page.url()).toEndWith('/console/pets?categoryId=79');
    await openViews();
    await press(page, 'Remove view Parrots');
    await press(page, 'Undo');
    await openViews();
    await page.getByRole('link', { name: 'Parrots' }).waitFor();
  });

  inChromium('selects all matching pets, and asks before it changes more than 100', async () => {
    await addPets(
      80,
      Array.from({ length: 130 }, (_, at) => `Match ${at}`),
    );
    const { page } = await open('/pets?categoryId=80');
    await petRow(page, 'Match 129').waitFor();
    await page.getByLabel('Select all loaded rows').check();
    const bar = page.getByRole('region', { name: 'Selected' });
    await bar.getByText('100 selected').waitFor();
    await page.getByText('100 pets shown so far').waitFor();
    await press(page, 'Select all matching pets');
    await bar.getByText('130 selected').waitFor();
    expect(await page.getByLabel('Select all loaded rows').isChecked()).toBe(true);
    await bar.getByText('Status').click();
    await press(bar, 'Pending');
    await press(drawer(page), 'Set 130 pets to pending');
    await page.getByText('Done. 130 updated').waitFor();
    expect((await shop.service.get('/v1/pets?categoryId=80&status=pending&limit=100')).body).toHaveLength(100);
  });

  inChromium('offers to create the new categories of an import', async () => {
    const { page } = await open('/pets');
    await press(page, 'Import');
    const text = 'Name;Category;Status;Price\nPolly;Parrots;Available;9\nRex;dogs;SOLD;\nNew;Newts;;\n';
    const file = { name: 'pets.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
    await drawer(page).getByLabel('File').setInputFiles(file);
    await drawer(page).getByText('2 new categories').waitFor();
    await drawer(page).getByText('The column Price is ignored.').waitFor();
    await drawer(page).getByLabel('Newts (1 pet)').uncheck();
    await press(drawer(page), 'Add 2 pets');
    const card = page.getByRole('region', { name: 'Import pets.csv' });
    await card.getByText('Done. 2 added').waitFor();
    await petRow(page, 'Polly').waitFor();
    await card.getByText('1 rejected').click();
    await card.getByText(/category must be the name of one category/).waitFor();
    const { body } = await shop.service.get('/v1/categories?limit=100');
    const named = new Map(body.map(({ id, name }: { id: number; name: string }) => [name, id]));
    expect([named.has('Parrots'), named.has('Newts')]).toEqual([true, false]);
    const pets = await readPets(`categoryId=${named.get('Parrots')}`);
    expect(pets.map(({ name, status }) => [name, status])).toEqual([['Polly', 'available']]);
  });

  inChromium('keeps searching on request, after ten pages without a match', async () => {
    await addPets(71, ['Needle']);
    const { page } = await open('/pets');
    let asked = 0;
    await page.route(/\/v1\/pets\?.*search=Needle/, async (route) => {
      asked += 1;
      const url = route
        .request()
        .url()
        .replace(/[?&]cursor=[^&]*/, '');
      if (asked > 10) return route.continue({ url });
      await route.fulfill({ json: [], headers: { Link: `<${url}&cursor=${asked}>; rel="next"` } });
    });
    await page.getByLabel('Search by name').fill('Needle');
    await page.getByRole('heading', { name: 'No matching pets so far' }).waitFor();
    expect(asked).toBe(10);
    await press(page, 'Keep searching');
    await petRow(page, 'Needle').waitFor();
  });

  inChromium('offers no changes to a key that may only read', async () => {
    const [id] = await addPets(76, ['Seen']);
    const key = await shop.service.issueKey({ scopes: ['pets:read'] });
    const { page } = await open(`/pets?categoryId=76&pet=${id}`, { key });
    await drawer(page).getByRole('definition').first().waitFor();
    await drawer(page).getByRole('list', { name: 'History' }).getByRole('listitem').waitFor();
    expect(
      await drawer(page)
        .getByRole('button', { name: /Mark|Save|Delete|order/ })
        .count(),
    ).toBe(0);
    await page.keyboard.press('Escape');
    await petRow(page, 'Seen').waitFor();
    expect(await page.getByRole('button', { name: /Add|Import/ }).count()).toBe(0);
    expect(await page.getByRole('checkbox', { name: /Select/ }).count()).toBe(0);
  });

  inChromium('renders only the visible rows of 100,000 pets, and pages with cursors', async () => {
    addCrowd(77);
    const { page } = await open('/pets');
    const table = page.getByRole('table', { name: 'Pets' });
    await petRow(page, 'Crowd 999').waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const scroller = page.locator('.table');
    const shown = async () => Number((await page.getByText(/ shown/).innerText()).split(' ')[0]?.replaceAll(',', ''));
    await waitFor('3,000 are read', async () => {
      await scroller.evaluate((it: any) => it.scrollTo(0, it.scrollHeight));
      return (await shown()) >= 3000;
    });
    expect(await table.getByRole('row').count()).toBeLessThan(80);
    const pages = asked.filter((url) => url.includes('/v1/pets?'));
    expect(pages.length).toBeGreaterThanOrEqual(29);
    expect(pages.every((url) => url.includes('cursor='))).toBe(true);
    await page.getByLabel('Search by name').fill('crowd 77');
    await petRow(page, 'Crowd 77').first().waitFor();
    expect(await table.getByRole('row').count()).toBeLessThan(80);
  });
});
