import { describe, expect } from 'bun:test';
import type { Locator } from 'playwright-core';
import { waitFor } from '../wait-for.ts';
import { startConsole } from './console.ts';

const shop = startConsole();
const { inChromium, open } = shop;

const PHONE = { viewport: { width: 390, height: 844 } };
const TARGET_PX = 44;

const addPets = (count: number) =>
  shop.service.post('/v1/pets/batch', {
    pets: Array.from({ length: count }, (_, index) => ({ name: `Pet ${index}`, categoryId: 1 })),
  });

const boxOf = async (place: Locator) => {
  const box = await place.boundingBox();
  if (!box) throw new Error('not visible');
  return box;
};

describe('the pets page on a phone', () => {
  inChromium('shows nine rows, and every target in them is 44 pixels high', async () => {
    await addPets(20);
    const { page } = await open('/pets', PHONE);
    const table = page.getByRole('table', { name: 'Pets' });
    await table.getByRole('row').nth(12).waitFor();
    const rows = (await table.getByRole('row').all()).slice(1);
    const [frame, boxes] = [await boxOf(page.locator('.table')), await Promise.all(rows.map(boxOf))];
    expect(boxes.filter(({ y, height }) => y + height <= frame.y + frame.height).length).toBeGreaterThanOrEqual(9);
    expect(Math.min(...boxes.map(({ height }) => height))).toBeGreaterThanOrEqual(TARGET_PX);
    const targets = await page.locator('#page :is(button, summary, .check, input[type=search]):visible').all();
    const small = (await Promise.all(targets.map(boxOf))).filter(({ height }) => height < TARGET_PX);
    expect(small).toEqual([]);
  });

  inChromium('has the filters and the sort order behind one button, which counts the filters', async () => {
    await addPets(3);
    const { page } = await open('/pets', PHONE);
    const button = page.getByRole('search').locator('summary');
    const isSegmentsShown = () => page.getByRole('group', { name: 'Status' }).isVisible();
    expect(await isSegmentsShown()).toBe(false);
    await button.click();
    await page.getByRole('radio', { name: /^sold/ }).check();
    await page.getByText('No matching pets').waitFor();
    expect(await button.innerText()).toContain('1');
    await page.getByRole('radio', { name: /^all/ }).check();
    await page.getByLabel('Sort by', { exact: true }).selectOption('Oldest first');
    await waitFor(
      'the address has the sort order only',
      async () => new URL(page.url()).search,
      (search) => search === '?sort=oldest',
    );
    await page.keyboard.press('Escape');
    await waitFor('the filters are hidden', async () => !(await isSegmentsShown()));
  });
});
