import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { contractsIn } from '../../src/contract.ts';
import { ADMIN_KEY, type Service, startService } from '../service.ts';
import { findChromium, launchChromium } from './chromium.ts';

const chromium = findChromium();
const inChromium = test.skipIf(!chromium);
/** A step that takes longer fails with its name, before the test as a whole is cut off without a word. */
const STEP_MS = 180_000;
const PATIENCE_MS = 900_000;

let service: Service;
let browser: Browser;
beforeAll(async () => {
  if (!chromium) return;
  service = await startService();
  browser = await launchChromium(chromium, STEP_MS);
}, PATIENCE_MS);
afterAll(async () => {
  await browser?.close();
  await service?.stop();
}, PATIENCE_MS);

// A page that is left open goes on working beside the next.
afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
}, PATIENCE_MS);

/** The reference's schema library asks whether it may compile code, and does without when the policy says no. */
const EVAL_PROBE = 'refused by policy: script-src eval';

type Visit = { page: Page; foreign: string[]; complaints: string[] };

/** Opens a page in a profile of its own, cut off from every other origin, and notes what it tries and complains of. */
const visit = async (path: string): Promise<Visit> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(STEP_MS);
  const foreign: string[] = [];
  const complaints: string[] = [];
  const isForeign = (url: URL) =>
    /^(https?|wss?):$/.test(url.protocol) && url.origin !== new URL(service.url('/')).origin;
  await context.route(isForeign, (route) => {
    foreign.push(route.request().url());
    return route.abort();
  });
  await context.exposeFunction('noteViolation', (violation: string) => {
    if (violation !== EVAL_PROBE) complaints.push(violation);
  });
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
  await page.goto(service.url(path));
  return { page, foreign, complaints };
};

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Sidebar for Pet Store' });

/** The first group is open from the start. */
const GROUPS = [...Map.groupBy(contractsIn('production'), ({ tag }) => tag)];

describe('the reference page', () => {
  inChromium(
    'shows every group and every operation in its navigation, and tells of each in full',
    async () => {
      const { page } = await visit('/docs');
      expect(await page.title()).toBe('Pet Store reference');
      for (const [at, [name, contracts]] of GROUPS.entries()) {
        const group = navigation(page).getByRole('listitem').filter({ hasText: name }).first();
        if (at > 0) await group.getByRole('button', { name: `${name} Open Group` }).click();
        for (const { summary, method, path } of contracts) {
          const shown = method === 'DELETE' ? 'DEL' : method;
          await group.getByRole('button', { name: `${summary} HTTP Method: ${shown}` }).click();
          const section = page.getByRole('region', { name: summary });
          await section.getByRole('heading', { name: summary }).waitFor();
          expect(await section.textContent()).toContain(path);
        }
        // With all of them open the page is slow to draw.
        await group.getByRole('button', { name: `${name} Close Group` }).click();
      }
    },
    PATIENCE_MS,
  );

  inChromium(
    'asks no other origin for anything and breaks no policy, from the first byte to a request tried out',
    async () => {
      const { body: pet } = await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
      const { page, foreign, complaints } = await visit('/docs');
      await page.getByRole('textbox', { name: 'Bearer Token' }).fill(ADMIN_KEY);
      await navigation(page).getByRole('button', { name: 'List all animals' }).click();
      await page.getByRole('button', { name: 'Test Request' }).first().click();
      const answered = page.waitForResponse(service.url('/v1/pets'));
      await page.getByRole('button', { name: 'Send get request' }).click();
      expect(await (await answered).json()).toEqual([pet]);
      await page.getByRole('link', { name: '200 OK' }).waitFor();
      expect(foreign).toEqual([]);
      expect(complaints).toEqual([]);
    },
    PATIENCE_MS,
  );
});

describe('the first page', () => {
  inChromium(
    'leads to the reference',
    async () => {
      const { page, foreign, complaints } = await visit('/');
      expect(await page.locator('pre').textContent()).toStartWith(`curl ${service.url('/v1/pets')} `);
      await page.getByRole('link', { name: 'Reference' }).click();
      await page.waitForURL(service.url('/docs'));
      await navigation(page).waitFor();
      expect(foreign).toEqual([]);
      expect(complaints).toEqual([]);
    },
    PATIENCE_MS,
  );

  inChromium(
    'has no link that leads nowhere',
    async () => {
      const { page } = await visit('/');
      const links = await page.getByRole('link').all();
      expect(links.length).toBeGreaterThan(0);
      for (const link of links) {
        const href = (await link.getAttribute('href')) as string;
        expect({
          href,
          status: (await page.request.get(new URL(href, page.url()).href, { timeout: STEP_MS })).status(),
        }).toEqual({
          href,
          status: 200,
        });
      }
    },
    PATIENCE_MS,
  );
});
