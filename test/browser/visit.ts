import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/**
 * Timeout for one step, in ms. It is shorter than a test's timeout, because when a whole test times out, the error does
 * not name the step.
 */
export const STEP_MS = 10 * 60_000;

/** Turns off animations, because without a graphics card, the browser would spend most of its time drawing them. */
const CONTEXT: BrowserContextOptions = { viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' };

export type Visit = {
  page: Page;
  foreign: string[];
  complaints: string[];
};

export const stopClock = async (page: Page): Promise<void> => {
  await page.clock.install();
  // `pauseAt` rejects a time in the past. A time one hour ahead is still in the future, even if a slow machine delays
  // this call.
  await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 3_600_000);
};

export const visitPage = async (browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> => {
  const context = await browser.newContext({ ...CONTEXT, ...options });
  context.setDefaultTimeout(STEP_MS);
  const foreign: string[] = [];
  const complaints: string[] = [];
  const isForeign = (asked: URL) => /^(https?|wss?):$/.test(asked.protocol) && asked.origin !== new URL(url).origin;
  await context.route(isForeign, (route) => {
    foreign.push(route.request().url());
    return route.abort();
  });
  await context.exposeFunction('noteViolation', (violation: string) => complaints.push(violation));
  await context.addInitScript(`addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    noteViolation('refused by policy: ' + violatedDirective + ' ' + blockedURI))`);
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
  });
  await page.goto(url);
  return { page, foreign, complaints };
};
