import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { ROOT } from '../check/root.ts';
import { findChromium, launchChromium } from '../test/browser/chromium.ts';
import { ADMIN_KEY, type Service, startService } from '../test/service.ts';
import { waitFor } from '../test/wait-for.ts';

const FOLDER = join(ROOT, 'docs', 'pictures');
const STEP_MS = 60_000;

const NAMES = [
  ...[
    'Ada',
    'Bella',
    'Cleo',
    'Daisy',
    'Emil',
    'Fips',
    'Greta',
    'Hugo',
    'Ida',
    'Jasper',
    'Kira',
    'Łatek',
    'Luna',
    'Milo',
  ],
  ...['Nala', 'Oscar', 'Paula', 'Quito', 'Rex', 'Simba', 'Tilda', 'Uma', 'Vito', 'Wanda', 'Xaver', 'Yuki', 'Zoë'],
];
const PLANS = ['pro', 'business', 'free'];

const DAY_MS = 86_400_000;
const DAYS = 14;

/**
 * Difference between the service's clock and real time. The service's clock starts two weeks in the past, so that the
 * charts show two weeks of data.
 */
let shiftMs = -DAYS * DAY_MS;
const clock = Object.assign(() => Date.now() + shiftMs, { advance: () => undefined, set: () => undefined });

const KEYS = ['Front desk', 'Website', 'Partner in Lyon'];

const fill = async (service: Service): Promise<void> => {
  const keys = await Promise.all(KEYS.map((name, index) => service.issueKey({ name, plan: PLANS[index] })));
  const [desk = '', site = ''] = keys;
  const pets = NAMES.map((name, index) => ({ name, categoryId: 1 + (index % 6) }));
  const { body: added } = await service.post('/v1/pets/batch', { pets: [...pets, ...pets] });
  const ids: number[] = added.map(({ id }: { id: number }) => id);
  const sell = async (...moves: string[]): Promise<void> => {
    const { body } = await service.post('/v1/store/orders', { petId: ids.shift() ?? 0 }, { key: site });
    for (const move of moves) await service.post(`/v1/store/orders/${body.id}/${move}`, undefined, { key: desk });
  };
  for (let day = DAYS - 1; day > 0; day -= 1) {
    shiftMs = -day * DAY_MS;
    for (let sold = 0; sold <= (day * 5) % 3; sold += 1) {
      await ((day + sold) % 6 === 0 ? sell('cancel') : sell('approve', 'deliver'));
    }
  }
  shiftMs = -50 * 60_000;
  await sell();
  shiftMs = -20 * 60_000;
  for (const moves of [[], [], ['approve'], ['approve'], ['approve', 'deliver']]) await sell(...moves);
  await service.post('/v1/pets/batch', { pets: pets.slice(0, 12) }, { key: desk });
  shiftMs = 0;
  for (const [index, key] of keys.entries()) {
    for (let sent = 0; sent < 40 - index * 11; sent += 1) await service.get('/v1/pets', { key });
    await service.get('/v1/pets/9999', { key });
  }
  await service.runJobs();
};

type Picture = { path: string; name: string; width: number; colorScheme?: 'light' | 'dark' };

const PICTURES: Picture[] = [
  ...(['light', 'dark'] as const).flatMap((colorScheme) =>
    [360, 1280, 2560].map((width) => ({ path: 'pets', name: `pets-${width}-${colorScheme}`, width, colorScheme })),
  ),
  { path: '', name: 'overview', width: 1280 },
  { path: 'pets?pet=29', name: 'pet', width: 1280 },
  { path: 'orders', name: 'orders', width: 1280 },
  { path: 'keys', name: 'keys', width: 1280 },
  { path: 'events', name: 'events', width: 1280 },
];

const take = async (browser: Browser, service: Service, { path, name, width, colorScheme = 'light' }: Picture) => {
  const height = width < 600 ? 740 : width > 2000 ? 1080 : 760;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  context.setDefaultTimeout(STEP_MS);
  const page = await context.newPage();
  await page.goto(service.url(`/console/${path}`));
  await page.getByLabel('API key').fill(ADMIN_KEY);
  await page.getByRole('button', { name: 'Sign in' }).click();
  // The sign-in form also has an `h1`, so this line waits for the `h1` inside `#page`.
  await page.locator('#page h1').waitFor();
  await page.waitForLoadState('load');
  await waitFor('everything is loaded', async () => (await page.locator('.skeleton, .skeleton-row').count()) === 0);
  if ((await page.locator('.plot').count()) > 0) await page.locator('.plot :is(rect, .drawn)').last().waitFor();
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: 'disabled' });
  await context.close();
};

const main = async (): Promise<void> => {
  const chromium = findChromium();
  if (!chromium) throw new Error('there is no Chromium here: npm run services:install');
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const service = await startService({ clock });
  const browser = await launchChromium(chromium, STEP_MS);
  try {
    await fill(service);
    for (const picture of PICTURES) await take(browser, service, picture);
  } finally {
    await browser.close();
    await service.stop();
  }
  console.log(`docs/pictures: ${PICTURES.length} pictures of the console`);
};

await main();
