import type { ResponseInfo, WithResponse } from './answer.ts';
import { unexpected } from './errors.ts';

/** One page of a list. */
export interface Page<Item> {
  items: Item[];
  /** Whether there is a page behind this one. */
  hasNext: boolean;
  /** Where the next page starts, to go on later: `list({ cursor })`. */
  cursor: string | undefined;
  /** The page behind this one; undefined behind the last. */
  next(): Promise<Page<Item> | undefined>;
  response: ResponseInfo;
}

/** A list of any length: `for await` walks all of it, page by page as it is needed. */
export interface List<Item> extends AsyncIterable<Item> {
  /** One page, of as many rows as `limit` says. */
  page(): Promise<Page<Item>>;
  /** All rows, or the first `max` of them. */
  toArray(options?: { max?: number }): Promise<Item[]>;
}

/** The most that the service gives at once: whoever walks the whole list spends the fewest requests so. */
const LARGEST_PAGE = 100;

/** The cursor in `Link: <…>; rel="next"`. The address itself is not called: a key is sent to `baseUrl` alone. */
const nextCursor = (link: string | null): string | undefined => {
  const [, query] = /<[^>]*?\?([^>]*)>; rel="next"/.exec(link ?? '') ?? [];
  return new URLSearchParams(query).get('cursor') ?? undefined;
};

/** The list that `ask` gives a page of, by the query. */
export const createList = <Item>(ask: (query: object) => Promise<WithResponse<unknown>>, asked: object): List<Item> => {
  const readPage = async (query: { cursor?: string; limit?: number }): Promise<Page<Item>> => {
    const { data, response } = await ask(query);
    const cursor = nextCursor(response.headers.get('link'));
    if (!Array.isArray(data)) throw unexpected('its body is no list', response);
    if (cursor !== undefined && cursor === query.cursor) throw unexpected('its list has no end', response);
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
