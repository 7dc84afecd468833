import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { List } from '../../client/src/index.ts';

/** The rows of one page: as many as the service gives at once. */
const PAGE_ROWS = 100;

/** A refresh keeps only the first page. */
export const firstPage = <Data>({ pages, pageParams }: InfiniteData<Data>): InfiniteData<Data> => ({
  pages: pages.slice(0, 1),
  pageParams: pageParams.slice(0, 1),
});

/** Whether to refresh without being asked: a longer list would cost a request per page. */
const isShort = ({ state }: { state: { data?: { pages: readonly unknown[] } | undefined } }): boolean =>
  (state.data?.pages.length ?? 0) <= 1;

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
    // What happened while nobody looked is not in a list that is kept.
    gcTime: 0,
    refetchOnWindowFocus: isShort,
    refetchOnReconnect: isShort,
  });
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const rows = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  return {
    rows,
    isLoading: query.isPending || isFetchingNextPage,
    error: query.error,
    retry: () => query.refetch(),
    /** Fetches the next page; undefined behind the last. */
    more: hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined,
  };
};
