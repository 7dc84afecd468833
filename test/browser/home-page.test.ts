import { describe, expect } from 'bun:test';
import { ADMIN_KEY } from '../service.ts';
import { startPages, waitUntilAtTop } from './pages.ts';
import { STEP_MS } from './visit.ts';

const pages = startPages();
const { inChromium, visit } = pages;

describe('every page', () => {
  inChromium('fits a narrow screen', async () => {
    const { page } = await visit('/', { viewport: { width: 360, height: 800 } });
    // The style sheet lets the browser skip the layout of parts that are off the screen, so a part that is too wide
    // could go unnoticed.
    await page.addInitScript(`addEventListener('DOMContentLoaded', () => {
      for (const part of document.querySelectorAll('.part')) part.style.contentVisibility = 'visible';
    })`);
    for (const path of ['/docs', '/', '/docs#createKey', '/docs/errors', '/docs#guide-webhooks']) {
      await page.goto(pages.service.url(path));
      expect({ path, width: await page.evaluate('document.documentElement.scrollWidth') }).toEqual({
        path,
        width: 360,
      });
    }
  });

  inChromium('uses the colours of the system, or the chosen ones', async () => {
    const { page } = await visit('/', { colorScheme: 'dark' });
    const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const dark = await ground();
    await page.getByRole('button', { name: 'Theme: system' }).click();
    const light = await ground();
    expect(light).not.toBe(dark);
    for (const path of ['/docs', '/docs/errors']) {
      await page.goto(pages.service.url(path));
      expect(await ground()).toBe(light);
    }
    await page.locator('header').getByRole('button', { name: 'Theme: light' }).click();
    expect(await ground()).toBe(dark);
  });
});

describe('the home page', () => {
  inChromium('links to the reference and the guides', async () => {
    const { page, foreign, complaints } = await visit('/');
    await page.getByRole('link', { name: 'how to get one' }).click();
    await page.waitForURL(pages.service.url('/docs#guide-keys-issuing-changing-and-revoking-keys'));
    await page.goBack();
    expect(await page.locator('pre').textContent()).toStartWith(`curl ${pages.service.url('/v1/pets')} `);
    await page.getByRole('link', { name: 'Reference', exact: true }).click();
    await page.waitForURL(pages.service.url('/docs'));
    await page.locator('#contents').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Guides' }).click();
    await waitUntilAtTop(page, '#guide-using h2');
    expect(foreign).toEqual([]);
    expect(complaints).toEqual([]);
  });

  inChromium('has a command to copy, with the key that the tab knows', async () => {
    const { page } = await visit('/', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.evaluate(`sessionStorage.setItem('petstore-key', '${ADMIN_KEY}')`);
    await page.reload();
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(
      `curl ${pages.service.url('/v1/pets')} \\\n  -H "Authorization: Bearer ${ADMIN_KEY}"`,
    );
    expect(await page.locator('pre').innerText()).not.toContain(ADMIN_KEY);
  });

  inChromium('has no dead links', async () => {
    const { page } = await visit('/');
    const links = await page.getByRole('link').all();
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) {
      const href = (await link.getAttribute('href')) as string;
      const answer = await page.request.get(new URL(href, page.url()).href, { timeout: STEP_MS });
      expect({ href, status: answer.status() }).toEqual({ href, status: 200 });
    }
  });
});
