import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { List, Page } from '../../client/src/index.ts';
import { useIsLost } from './notices.ts';

/** The service's maximum page size. */
const PAGE_ROWS = 100;

/** Maximum number of empty pages to read in a row. A search may return empty pages before its first match. */
const MAX_EMPTY = 10;

const readRows = async <Item>(list: List<Item>): Promise<Page<Item>> => {
  let page = await list.page();
  for (let empty = 1; page.items.length === 0 && empty < MAX_EMPTY; empty += 1) page = (await page.next()) ?? page;
  return page;
};

/** Keeps only the first page, because a refresh fetches every loaded page again. */
export const firstPage = <Data>({ pages, pageParams }: InfiniteData<Data>): InfiniteData<Data> => ({
  pages: pages.slice(0, 1),
  pageParams: pageParams.slice(0, 1),
});

/** A refresh costs one request per page, so returning to the tab or reconnecting refreshes only lists with one page. */
const isShort = ({ state }: { state: { data?: { pages: readonly unknown[] } | undefined } }): boolean =>
  (state.data?.pages.length ?? 0) <= 1;

const KEPT_MS = 5 * 60_000;

/** When the list leaves the screen, keeps only its first page in the cache. */
const useTrim = (key: readonly unknown[]): void => {
  const queries = useQueryClient();
  const name = JSON.stringify(key);
  useEffect(
    () => () => {
      queries.setQueryData<InfiniteData<unknown>>(JSON.parse(name), (data) => data && firstPage(data));
    },
    [queries, name],
  );
};

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
    gcTime: KEPT_MS,
    refetchOnMount: 'always',
    refetchOnWindowFocus: isShort,
    refetchOnReconnect: isShort,
  });
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  useTrim(key);
  // A list that is off screen misses live events, so its cached rows may be outdated when it is shown again. The cached
  // rows stay hidden until the list has been fetched. While the connection is lost, the cached rows are shown, because
  // newer rows cannot be fetched.
  const isLost = useIsLost();
  const isOld = query.isFetching && !query.isFetchedAfterMount && !isLost;
  const rows = useMemo(() => (isOld ? [] : (data?.pages.flatMap(({ items }) => items) ?? [])), [data, isOld]);
  return {
    rows,
    isLoading: query.isPending || isFetchingNextPage || isOld,
    error: query.error,
    updatedAt: isOld ? 0 : query.dataUpdatedAt,
    pages: data?.pages.length ?? 0,
    retry: () => query.refetch(),
    more: hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined,
  };
};
