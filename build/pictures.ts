import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { ROOT } from '../check/root.ts';
import { findChromium, launchChromium } from '../test/browser/chromium.ts';
import { ADMIN_KEY, type Service, startService } from '../test/service.ts';

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

const fill = async (service: Service): Promise<void> => {
  const pets = NAMES.map((name, index) => ({ name, categoryId: 1 + (index % 6) }));
  await service.post('/v1/pets/batch', { pets });
  for (const petId of [3, 8, 13, 19, 21]) await service.post('/v1/store/orders', { petId });
  for (const move of ['1/approve', '1/deliver', '2/approve', '3/cancel']) {
    await service.post(`/v1/store/orders/${move}`, undefined);
  }
  for (const [index, name] of ['Front desk', 'Website', 'Partner in Lyon'].entries()) {
    const key = await service.issueKey({ name, plan: PLANS[index] });
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
  { path: 'pets?pet=8', name: 'pet', width: 1280 },
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
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('load');
  await page.locator('.skeleton, .skeleton-row').first().waitFor({ state: 'detached' });
  if ((await page.locator('.plot').count()) > 0) await page.locator('.plot :is(rect, .drawn)').last().waitFor();
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: 'disabled' });
  await context.close();
};

const main = async (): Promise<void> => {
  const chromium = findChromium();
  if (!chromium) throw new Error('there is no Chromium here: npm run services:install');
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const service = await startService({
    clock: Object.assign(Date.now, { advance: () => undefined, set: () => undefined }),
  });
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
