import { afterAll, afterEach, beforeAll, test } from 'bun:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type Service, startService } from '../service.ts';
import { waitFor } from '../wait-for.ts';
import { findChromium, launchChromium } from './chromium.ts';
import { STEP_MS, type Visit, visitPage } from './visit.ts';

const PATIENCE_MS = 3_600_000;

export const startPages = () => {
  const chromium = findChromium();
  const started: { service?: Service; browser?: Browser } = {};
  beforeAll(async () => {
    if (!chromium) return;
    started.service = await startService();
    started.browser = await launchChromium(chromium, STEP_MS);
  }, PATIENCE_MS);
  afterAll(async () => {
    await started.browser?.close();
    await started.service?.stop();
  }, PATIENCE_MS);
  afterEach(async () => {
    for (const context of started.browser?.contexts() ?? []) await context.close();
  }, PATIENCE_MS);

  return {
    get service(): Service {
      return started.service as Service;
    },
    inChromium: (promise: string, body: () => Promise<void>) => test.skipIf(!chromium)(promise, body, PATIENCE_MS),
    visit: (path: string, options?: BrowserContextOptions): Promise<Visit> =>
      visitPage(started.browser as Browser, (started.service as Service).url(path), options),
  };
};

/**
 * The page header covers the top 52 px of the viewport, so an element that is scrolled to the top does not have a `top`
 * of 0.
 */
export const waitUntilAtTop = (page: Page, selector: string) =>
  waitFor(`${selector} is at the top`, () =>
    page.locator(selector).evaluate((part: any) => {
      const { top } = part.getBoundingClientRect() as { top: number };
      return (top > 0 && top < 160) || undefined;
    }),
  );
