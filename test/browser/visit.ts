import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** A step that takes longer fails with its name, before the test as a whole is cut off without a word. */
export const STEP_MS = 40 * 60_000;

/** Drawing is most of a browser's work where no graphics card does it: nothing moves unless a test is about that. */
const CONTEXT: BrowserContextOptions = { viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' };

export type Visit = {
  page: Page;
  /** Requests for other origins, none of which is let through. */
  foreign: string[];
  /** What the browser complained of: errors, refusals by policy, answers of 400 and more. */
  complaints: string[];
};

/** Stops the clock of a page: what it says for some seconds it says until somebody has seen it. */
export const stopClock = async (page: Page): Promise<void> => {
  await page.clock.install();
  // It goes on until then, however late this is heard.
  await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 3_600_000);
};

/** Opens a page in a profile of its own, cut off from every other origin, and notes what it tries and complains of. */
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
