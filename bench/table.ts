import type { Page } from 'playwright-core';
import { visitPage } from '../test/browser/visit.ts';
import { waitFor } from '../test/wait-for.ts';
import { median } from './compare.ts';
import { inBrowser } from './in-browser.ts';
import { issueKey } from './servers.ts';

const ROWS = 10_000;
const ROUNDS = 3;
const FRAMES = 300;
/**
 * Pixels scrolled per frame. At 60 frames per second, this is 6,000 pixels per second, as with a fast turn of the mouse
 * wheel.
 */
const STEP_PX = 100;
const MAX_MS = 1000 / 60;

type Scroll = { perSecond: number; late: number; longTasks: number; mainMs: number };

const TABLE = "document.querySelector('.table')";

const SCROLL = `new Promise((done) => {
  const table = ${TABLE};
  let top = table.scrollHeight / 2;
  const times = [];
  let longTasks = 0;
  const observer = new PerformanceObserver((list) => { longTasks += list.getEntries().length; });
  observer.observe({ entryTypes: ['longtask'] });
  const onFrame = (time) => {
    times.push(time);
    table.scrollTop = top += ${STEP_PX};
    if (times.length <= ${FRAMES}) return requestAnimationFrame(onFrame);
    observer.disconnect();
    done({ times, longTasks });
  };
  requestAnimationFrame(onFrame);
})`;

const scrollOnce = async (page: Page): Promise<Scroll> => {
  const session = await page.context().newCDPSession(page);
  // Measures only the processor time of the page's main thread, so that other work on the machine does not count.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const mainSeconds = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
  };
  const before = await mainSeconds();
  const { times, longTasks } = await page.evaluate<{ times: number[]; longTasks: number }>(SCROLL);
  const mainMs = ((await mainSeconds()) - before) * 1000;
  await session.detach();
  const gaps = times.slice(1).map((time, index) => time - (times[index] as number));
  const tookMs = gaps.reduce((sum, gap) => sum + gap, 0);
  return {
    perSecond: (gaps.length * 1000) / tookMs,
    late: gaps.filter((gap) => gap > 1.5 * MAX_MS).length / gaps.length,
    longTasks,
    mainMs: mainMs / gaps.length,
  };
};

const openTable = async (page: Page, key: string): Promise<void> => {
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const shown = page.getByText(/^[\d,]+ .*shown$/);
  await waitFor(`${ROWS} rows are read`, async () => {
    const [count = ''] = (await shown.innerText()).split(' ');
    if (Number(count.replaceAll(',', '')) >= ROWS) return true;
    await page.evaluate(`${TABLE}.scrollTo(0, ${TABLE}.scrollHeight)`);
    return false;
  });
};

export const askTable = inBrowser(async (server, browser) => {
  const { page } = await visitPage(browser, `${server.origin}/console/pets`);
  await openTable(page, await issueKey(server));
  const rounds: Scroll[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await scrollOnce(page));
  const of = (name: keyof Scroll) => median(rounds.map((scroll) => scroll[name]));
  return {
    question: `${ROWS.toLocaleString('en')} pets scrolled in the console, ${STEP_PX} pixels a frame, without a graphics card`,
    promise: `≤ ${MAX_MS.toFixed(1)} ms of the main thread a frame, for 60 frames a second`,
    answer: `${of('mainMs').toFixed(1)} ms of the main thread a frame; ${of('perSecond').toFixed(0)} frames a second, ${(100 * of('late')).toFixed(0)} % of them late, ${of('longTasks')} tasks over 50 ms in ${FRAMES} frames`,
    isMet: of('mainMs') <= MAX_MS,
  };
});
