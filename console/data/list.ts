import { useInfiniteQuery } from '@tanstack/react-query';
import type { List } from '../../client/src/index.ts';

/** The rows of one page: as many as the service gives at once. */
const PAGE_ROWS = 100;

/**
 * A list that is read page by page as it is needed. `ask` gets where the page starts; `key` names the list and its
 * filters, in strings and numbers alone.
 */
export const useList = <Item>(
  key: readonly unknown[],
  ask: (query: { cursor?: string; limit: number }) => List<Item>,
  { isEnabled = true }: { isEnabled?: boolean } = {},
) => {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => ask({ limit: PAGE_ROWS, ...(pageParam ? { cursor: pageParam } : {}) }).page(),
    initialPageParam: '',
    getNextPageParam: (page) => page.cursor,
    enabled: isEnabled,
  });
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  return {
    rows: data?.pages.flatMap(({ items }) => items) ?? [],
    isLoading: query.isPending || isFetchingNextPage,
    error: query.error,
    retry: () => query.refetch(),
    /** Fetches the next page; undefined behind the last. */
    more: hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined,
  };
};
