import { describe } from 'bun:test';
import { waitFor } from '../wait-for.ts';
import { startConsole } from './console.ts';

const shop = startConsole();
const { inChromium, open } = shop;

describe('scroll positions in the console', () => {
  inChromium('opens pages at the top, and after Back or Forward where the user left them', async () => {
    const pets = Array.from({ length: 60 }, (_, index) => ({ name: `Pet ${index}`, categoryId: 1 }));
    await shop.service.post('/v1/pets/batch', { pets });
    const { page } = await open('/', { viewport: { width: 1280, height: 400 } });
    const goTo = (name: string) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
    const topIs = (scroller: string, top: number) =>
      waitFor(`${scroller} is at ${top}`, async () =>
        page.locator(scroller).evaluate((node: { scrollTop: number }, at) => Math.abs(node.scrollTop - at) < 1, top),
      );
    const scroll = async (scroller: string, top: number) => {
      await waitFor(`${scroller} is long enough`, () =>
        page.locator(scroller).evaluate((node: { scrollTop: number }, at) => {
          node.scrollTop = at;
          return node.scrollTop === at;
        }, top),
      );
    };
    await page.getByRole('heading', { name: 'Latest orders' }).waitFor();
    const loading = page.getByRole('main').getByLabel('Loading');
    await waitFor('every part is loaded', async () => (await loading.count()) === 0);
    await scroll('#page', 100);
    const left = await page.locator('#page').evaluate((node: { scrollTop: number }) => node.scrollTop);
    await goTo('Pets');
    await scroll('#page .table', 900);
    await page.goBack();
    await topIs('#page', left);
    await page.goForward();
    await topIs('#page .table', 900);
    await goTo('Overview');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await topIs('#page', 0);
  });
});
