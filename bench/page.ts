import type { Browser } from 'playwright-core';
import { median } from './compare.ts';
import { inBrowser } from './in-browser.ts';

const LOADS = 5;
const MAX_SECONDS = 0.3;

type Load = { processorSeconds: number; nodes: number; loadedMs: number; kilobytes: number };

const loadOnce = async (browser: Browser, url: string): Promise<Load> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable');
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.waitForLoadState('load');
  const { metrics } = await session.send('Performance.getMetrics');
  const seen = Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  const { loadedMs, bytes } = await page.evaluate<{ loadedMs: number; bytes: number }>(`({
    loadedMs: performance.getEntriesByType('navigation')[0].loadEventEnd,
    bytes: [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .reduce((sum, { transferSize }) => sum + transferSize, 0),
  })`);
  await context.close();
  return { processorSeconds: seen.ProcessTime ?? 0, nodes: seen.Nodes ?? 0, loadedMs, kilobytes: bytes / 1000 };
};

export const askPage = inBrowser(async (server, browser) => {
  const loads: Load[] = [];
  for (let round = 0; round < LOADS; round += 1) loads.push(await loadOnce(browser, `${server.origin}/docs`));
  const of = (name: keyof Load) => median(loads.map((load) => load[name]));
  const nodes = Math.round(of('nodes')).toLocaleString('en');
  return {
    question: 'the reference page in Chromium',
    promise: `≤ ${MAX_SECONDS} s of processor`,
    answer: `${of('processorSeconds').toFixed(2)} s of processor, ${of('loadedMs').toFixed(0)} ms to load, ${nodes} nodes, ${of('kilobytes').toFixed(0)} KB`,
    isMet: of('processorSeconds') <= MAX_SECONDS,
  };
});
