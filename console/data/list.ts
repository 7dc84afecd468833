import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { List, Page } from '../../client/src/index.ts';

/** The service's maximum page size. */
const PAGE_ROWS = 100;

/** A search may return empty pages before its first match. */
const MAX_EMPTY = 10;

const readRows = async <Item>(list: List<Item>): Promise<Page<Item>> => {
  let page = await list.page();
  for (let empty = 1; page.items.length === 0 && empty < MAX_EMPTY; empty += 1) page = (await page.next()) ?? page;
  return page;
};

/** A refresh fetches every loaded page again, so only the first page stays. */
export const firstPage = <Data>({ pages, pageParams }: InfiniteData<Data>): InfiniteData<Data> => ({
  pages: pages.slice(0, 1),
  pageParams: pageParams.slice(0, 1),
});

/** A refresh costs one request per page, so only lists with one page refresh automatically. */
const isShort = ({ state }: { state: { data?: { pages: readonly unknown[] } | undefined } }): boolean =>
  (state.data?.pages.length ?? 0) <= 1;

export const useList = <Item>(
  key: readonly unknown[],
  ask: (query: { cursor?: string; limit: number }) => List<Item>,
  { isEnabled = true }: { isEnabled?: boolean } = {},
) => {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => readRows(ask({ limit: PAGE_ROWS, ...(pageParam ? { cursor: pageParam } : {}) })),
    initialPageParam: '',
    getNextPageParam: (page) => page.cursor,
    enabled: isEnabled,
    // A list misses live events while it is not on screen, so its cached rows must not be shown again.
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
    updatedAt: query.dataUpdatedAt,
    pages: data?.pages.length ?? 0,
    retry: () => query.refetch(),
    more: hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined,
  };
};
