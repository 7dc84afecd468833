import { describe, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { startPages } from './pages.ts';

const pages = startPages();

const AXE = await Bun.file(new URL(import.meta.resolve('axe-core/axe.min.js'))).text();
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * On each page, axe checks only these parts. One part of each kind is enough, because the other parts of that kind
 * consist of the same elements.
 */
const PARTS: Record<string, readonly string[]> = {
  '/': ['body'],
  '/docs': [
    ...['.top', '.toc', '#about', '#guide-limits', '#group-pets', '#createPet', '#getPet'],
    ...['[id="sent-pet.updated"]', '#object-Pet', '#errors'],
  ],
  '/docs/errors': ['body'],
};

/**
 * Counts an incomplete contrast check as a violation, because it means that axe could not see the background. Scrolling
 * tables are exempt: axe cannot see their hidden columns, which have the same colours as other text.
 */
const findFaults = (page: Page, parts: readonly string[]): Promise<string[]> =>
  page.evaluate<string[]>(`axe.run({ include: ${JSON.stringify(parts)} }, { runOnly: ${JSON.stringify(RULES)} })
    .then(({ violations, incomplete }) =>
      [...violations, ...incomplete.filter(({ id }) => id === 'color-contrast')].flatMap(({ id, nodes }) =>
        nodes.filter(({ target }) => id !== 'color-contrast' || !document.querySelector(target[0]).closest('.wide'))
          .map(({ target, html, any }) => id + ': ' + target + ' ' + html.slice(0, 120) + ' ' + (any[0]?.message ?? '')),
      ))`);

/** Links inside a sentence are exempt, because they are only as tall as their line of text. */
const SMALL_TARGETS = `[...document.querySelectorAll('a, button, input, select, summary')].filter((it) => {
  const { width, height } = (it.closest('label') ?? it).getBoundingClientRect();
  return it.checkVisibility() && width > 0 && (width < 24 || height < 24) && getComputedStyle(it).display !== 'inline';
}).map(({ outerHTML }) => 'smaller than 24 px: ' + outerHTML.slice(0, 120))`;

describe('the pages for readers: axe finds no violation of WCAG 2.2 AA', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [390, 1280, 1920]) {
      pages.inChromium(`in ${colorScheme} colours, ${width} px wide`, async () => {
        const found: string[] = [];
        for (const [path, parts] of Object.entries(PARTS)) {
          const { page } = await pages.visit(path, { colorScheme, viewport: { width, height: 900 } });
          await page.evaluate(
            `for (const part of document.querySelectorAll('.part')) part.style.contentVisibility = 'visible'`,
          );
          await page.evaluate(AXE);
          const faults = [...(await findFaults(page, parts)), ...(await page.evaluate<string[]>(SMALL_TARGETS))];
          found.push(...faults.map((fault) => `${path}: ${fault}`));
        }
        expect(found).toEqual([]);
      });
    }
  }
});
