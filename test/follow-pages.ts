import type { Ask, Service, Told } from './service.ts';

/** The links of an answer by their relation. */
export const relations = ({ headers }: Told): Record<string, string> =>
  Object.fromEntries(
    [...(headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="([\w-]+)"/g)].map(([, url, relation]) => [relation, url]),
  );

/** More pages than any test has: a link that leads back must not be followed for ever. */
const MOST_PAGES = 200;

/** The pages from this one to the last, by following `next`. */
export const followPages = async (service: Service, path: string, ask: Ask = {}): Promise<Told[]> => {
  const pages = [await service.get(path, ask)];
  for (let next = relations(pages[0] as Told).next; next; next = relations(pages.at(-1) as Told).next) {
    pages.push(await service.get(next.slice(service.url('').length), ask));
    if (pages.length > MOST_PAGES) throw new Error(`more than ${MOST_PAGES} pages of ${path}`);
  }
  return pages;
};

/** The rows of all pages together. */
export const rowsOf = (pages: readonly Told[]): any[] => pages.flatMap(({ body }) => body);
