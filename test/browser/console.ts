import { afterAll, afterEach, beforeAll, test } from 'bun:test';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { ADMIN_KEY, type Service, startService } from '../service.ts';
import { waitFor } from '../wait-for.ts';
import { findChromium, launchChromium } from './chromium.ts';
import { STEP_MS, type Visit, visitPage } from './visit.ts';

const PATIENCE_MS = 3_600_000;

export const listenToEvents = async (page: Page): Promise<void> => {
  const url = page.url();
  // Closes the current event stream first. Otherwise, the test could mistake the current stream for the new one.
  await page.goto('about:blank');
  const opened = page.waitForResponse(/\/events\/stream/);
  await page.goto(url);
  await opened;
};

/**
 * Keeps "Undo" available until `endUndo` is called. Otherwise, "Undo" would disappear after six seconds, and tests
 * would fail on a slow machine.
 */
export const extendUndo = async (page: Page): Promise<void> => {
  await page.addInitScript(`const [start, stop, ends] = [window.setTimeout, window.clearTimeout, new Map()];
    window.setTimeout = (act, ms, ...rest) => {
      const id = start(act, ms === 6000 ? 3_600_000 : ms, ...rest);
      if (ms === 6000) ends.set(id, act);
      return id;
    };
    window.clearTimeout = (id) => {
      ends.delete(id);
      stop(id);
    };
    window.endUndo = () => {
      for (const [id, act] of ends) {
        window.clearTimeout(id);
        act();
      }
    };`);
  await page.reload();
};

export const endUndo = (page: Page): Promise<unknown> => page.evaluate('endUndo()');

export const pressBoth = async (page: Page, first: string, second: string): Promise<void> => {
  await Promise.all([page.keyboard.press(first), page.keyboard.press(second)]);
};

export const ordersAreRead = async (page: Page): Promise<void> => {
  const board = page.locator('.board');
  await board.waitFor();
  await waitFor('every list is read', async () => (await board.getByLabel('Loading').count()) === 0);
};

/** The row of a pet with this text in its name. */
export const petRow = (page: Page, name: string): Locator =>
  page.getByRole('table', { name: 'Pets' }).getByRole('row').filter({ hasText: name });

export const press = (within: Page | Locator, name: string): Promise<void> =>
  within.getByRole('button', { name, exact: true }).click();

type Options = Parameters<typeof startService>[0];

/**
 * Starts one service and one browser for all tests in a file. The service's clock stands still, so a file must stay
 * within 600 requests for pages and their parts. If it does not, move some of its tests to another file.
 */
export const startConsole = (options?: Options) => {
  const chromium = findChromium();
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    if (!chromium) return;
    service = await startService(options);
    browser = await launchChromium(chromium, STEP_MS);
  }, PATIENCE_MS);
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
  }, PATIENCE_MS);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  }, PATIENCE_MS);

  return {
    get service(): Service {
      return service;
    },
    get browser(): Browser {
      return browser;
    },
    inChromium: (promise: string, body: () => Promise<void>) => test.skipIf(!chromium)(promise, body, PATIENCE_MS),
    open: async (
      path: string,
      { key = ADMIN_KEY, ...context }: BrowserContextOptions & { key?: string } = {},
    ): Promise<Visit> => {
      const visit = await visitPage(browser, service.url(`/console${path}`), context);
      await visit.page.getByLabel('API key').fill(key);
      await visit.page.getByRole('button', { name: 'Sign in' }).click();
      await visit.page.getByRole('navigation', { name: 'Pages' }).waitFor();
      return visit;
    },
  };
};
