import { findChromium, launchChromium } from '../test/browser/chromium.ts';
import { median } from './compare.ts';
import type { Answer } from './questions.ts';
import { type Server, sqlite, startService } from './servers.ts';
import type { Setting } from './works.ts';

const LOADS = 5;
const LAUNCH_MS = 60_000;
const MOST_SECONDS = 2;

type Load = { processorSeconds: number; nodes: number; loadedMs: number; kilobytes: number };

/** One visit by a browser that has nothing of the page yet: what it costs the process that draws it. */
const loadOnce = async (browser: Awaited<ReturnType<typeof launchChromium>>, url: string): Promise<Load> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable');
  await page.goto(url, { waitUntil: 'networkidle' });
  const { metrics } = await session.send('Performance.getMetrics');
  const told = Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  const { loadedMs, bytes } = await page.evaluate<{ loadedMs: number; bytes: number }>(`({
    loadedMs: performance.getEntriesByType('navigation')[0].loadEventEnd,
    bytes: [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .reduce((sum, { transferSize }) => sum + transferSize, 0),
  })`);
  await context.close();
  return { processorSeconds: told.ProcessTime ?? 0, nodes: told.Nodes ?? 0, loadedMs, kilobytes: bytes / 1000 };
};

const ask = async (server: Server, executable: string): Promise<Answer> => {
  const browser = await launchChromium(executable, LAUNCH_MS);
  try {
    const loads: Load[] = [];
    for (let round = 0; round < LOADS; round += 1) loads.push(await loadOnce(browser, `${server.origin}/docs`));
    const of = (name: keyof Load) => median(loads.map((load) => load[name]));
    const nodes = Math.round(of('nodes')).toLocaleString('en');
    return {
      question: 'the reference page in Chromium',
      promise: `≤ ${MOST_SECONDS} s of processor`,
      answer: `${of('processorSeconds').toFixed(2)} s of processor, ${of('loadedMs').toFixed(0)} ms to loaded, ${nodes} nodes, ${of('kilobytes').toFixed(0)} KB`,
      isMet: of('processorSeconds') <= MOST_SECONDS,
    };
  } finally {
    await browser.close();
  }
};

/** What it costs to open the reference page; nothing where there is no Chromium to open it with. */
export const askPage = async ({ database, log }: Setting): Promise<Answer | undefined> => {
  const executable = findChromium();
  if (!executable) return undefined;
  const server = await startService(sqlite(database), log);
  try {
    return await ask(server, executable);
  } finally {
    await server.stop();
  }
};
