import { describe, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { waitFor } from '../wait-for.ts';
import { startConsole } from './console.ts';

const shop = startConsole();
const { inChromium, open } = shop;

const AXE = `if (!globalThis.axe) {
  ${await Bun.file(new URL(import.meta.resolve('axe-core/axe.min.js'))).text()}
}`;
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];
const RULES_HERE = `matchMedia('(prefers-color-scheme: dark)').matches
  ? ${JSON.stringify(RULES_OF_COLOURS)} : ${JSON.stringify(RULES)}`;
const PAGES = ['Overview', 'Pets', 'Orders', 'Categories', 'Keys', 'Webhooks', 'Events', 'Health'];

/**
 * axe accepts small click targets if there is space around them, so this script checks the size of every target. A link
 * inside a sentence is exempt, because it is only as tall as its line of text.
 */
const SMALL_TARGETS = `[...document.querySelectorAll('a, button, input, select, summary')].filter((it) => {
  const { width, height } = (it.closest('label') ?? it).getBoundingClientRect();
  const isInSentence = [...it.parentElement.childNodes].some(({ nodeType, data }) => nodeType === 3 && /\\w/.test(data));
  return width > 0 && (width < 24 || height < 24) && !isInSentence;
}).map(({ outerHTML }) => 'smaller than 24 px: ' + outerHTML.slice(0, 120))`;

const findViolations = async (page: Page): Promise<string[]> => {
  await page.evaluate(AXE);
  const small = await page.evaluate<string[]>(SMALL_TARGETS);
  // Text whose contrast axe cannot determine also counts as a violation.
  const violations = await page.evaluate(`axe.run({ runOnly: ${RULES_HERE} }).then(({ violations, incomplete }) =>
    [...violations, ...incomplete.filter(({ id }) => id === 'color-contrast')].flatMap(({ id, nodes }) => nodes.map(({ target, html }) => id + ': ' + target + ' ' + html.slice(0, 120))))`);
  return [...small, ...(violations as string[])];
};

const go = async (page: Page, title: string) => {
  const link = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: title });
  if (!(await link.isVisible())) await page.getByText('More', { exact: true }).click();
  await link.click();
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  await waitFor(
    'everything is loaded',
    async () => (await page.locator('[aria-label="Loading"]').count()) === 0 || undefined,
  );
};

const fill = async () => {
  for (const name of ['Rex', 'Luna', 'Milo']) await shop.service.post('/v1/pets', { name, categoryId: 1 });
  await shop.service.post('/v1/store/orders', { petId: 1 });
  await shop.service.post('/v1/webhooks', { url: 'https://receiver.example/hook', events: ['pet.created'] });
};

describe('the accessibility of the console: axe finds no violation of WCAG 2.2 AA', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    inChromium(`on every page in ${colorScheme} colours, on a wide and on a narrow screen`, async () => {
      await fill();
      const { page } = await open('/', { colorScheme });
      const found: string[] = [];
      for (const title of PAGES) {
        await go(page, title);
        found.push(...(await findViolations(page)).map((violation) => `${title}: ${violation}`));
      }
      await page.setViewportSize({ width: 360, height: 740 });
      for (const title of PAGES) {
        await go(page, title);
        const isWider = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
        if (isWider) found.push(`${title}: wider than 360 px`);
        found.push(...(await findViolations(page)).map((violation) => `${title}, narrow: ${violation}`));
      }
      expect(found).toEqual([]);
    });

    inChromium(`in dialogs and drawers, in ${colorScheme} colours`, async () => {
      await fill();
      // The window is very tall, because axe cannot check text that is scrolled out of view.
      const { page } = await open('/keys', { colorScheme, viewport: { width: 1280, height: 3200 } });
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('dialog').waitFor();
      expect(await findViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('row', { name: /admin/ }).click();
      await page.getByRole('dialog', { name: 'admin' }).getByText('Per minute', { exact: true }).waitFor();
      expect(await findViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await go(page, 'Pets');
      await page.getByRole('row', { name: /Milo/ }).first().click();
      await page.getByRole('dialog').waitFor();
      expect(await findViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      for (const address of ['orders?order=1', 'orders?place=', 'orders?view=list&when=custom', '?start=']) {
        await page.goto(shop.service.url(`/console/${address}`));
        await page
          .getByText(/Order placed|pet 2 ·|From|Add your pets/)
          .first()
          .waitFor();
        expect(await findViolations(page)).toEqual([]);
      }
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Search' }).waitFor();
      expect(await findViolations(page)).toEqual([]);
    });
  }
});
