import type { Ask, Service, TestResponse } from './service.ts';

export const relations = ({ headers }: TestResponse): Record<string, string> =>
  Object.fromEntries(
    [...(headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="([\w-]+)"/g)].map(([, url, relation]) => [relation, url]),
  );

const MAX_PAGES = 200;

export const followPages = async (service: Service, path: string, ask: Ask = {}): Promise<TestResponse[]> => {
  const pages = [await service.get(path, ask)];
  for (let next = relations(pages[0] as TestResponse).next; next; next = relations(pages.at(-1) as TestResponse).next) {
    pages.push(await service.get(next.slice(service.url('').length), ask));
    if (pages.length > MAX_PAGES) throw new Error(`more than ${MAX_PAGES} pages of ${path}`);
  }
  return pages;
};

export const rowsOf = (pages: readonly TestResponse[]): any[] => pages.flatMap(({ body }) => body);
