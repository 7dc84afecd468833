import type { ResponseInfo, WithResponse } from './answer.ts';
import { unexpected } from './errors.ts';

export interface Page<Item> {
  items: Item[];
  hasNext: boolean;
  /** Marks the start of the next page. To resume the list later, pass this value to `list({ cursor })`. */
  cursor: string | undefined;
  /** Fetches the next page. Returns undefined after the last page. */
  next(): Promise<Page<Item> | undefined>;
  response: ResponseInfo;
}

/** A list of any length. `for await` fetches its pages as needed. */
export interface List<Item> extends AsyncIterable<Item> {
  page(): Promise<Page<Item>>;
  toArray(options?: { max?: number }): Promise<Item[]>;
}

/** The service's maximum page size. Larger pages mean fewer requests. */
const LARGEST_PAGE = 100;

/** Uses only the cursor from the URL in the `Link` header, because the client may send the key only to `baseUrl`. */
const nextCursor = (link: string | null): string | undefined => {
  const [, query] = /<[^>]*?\?([^>]*)>; rel="next"/.exec(link ?? '') ?? [];
  return new URLSearchParams(query).get('cursor') ?? undefined;
};

export const createList = <Item>(ask: (query: object) => Promise<WithResponse<unknown>>, asked: object): List<Item> => {
  const readPage = async (query: { cursor?: string; limit?: number }): Promise<Page<Item>> => {
    const { data, response } = await ask(query);
    const cursor = nextCursor(response.headers.get('link'));
    if (!Array.isArray(data)) throw unexpected('the body is not a list', response);
    if (cursor !== undefined && cursor === query.cursor)
      throw unexpected('a page links to itself as the next page', response);
    return {
      items: data,
      hasNext: cursor !== undefined,
      cursor,
      next: async () => (cursor === undefined ? undefined : readPage({ ...query, cursor })),
      response,
    };
  };

  async function* walk(): AsyncGenerator<Item, void> {
    let page: Page<Item> | undefined = await readPage({ limit: LARGEST_PAGE, ...asked });
    while (page) {
      yield* page.items;
      page = await page.next();
    }
  }

  const toArray = async ({ max = Number.POSITIVE_INFINITY } = {}): Promise<Item[]> => {
    const items: Item[] = [];
    if (max <= 0) return items;
    for await (const item of walk()) {
      items.push(item);
      if (items.length >= max) break;
    }
    return items;
  };
  return { page: () => readPage(asked), toArray, [Symbol.asyncIterator]: walk };
};
