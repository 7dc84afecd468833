import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { EventType } from '../../client/src/index.ts';
import { useEvents } from './live.ts';

/** These times limit how often a query is refreshed, because each refresh costs requests. */
const SOON_MS = 250;
const AT_MOST_EVERY_MS = 10_000;

export const useRefresh = (
  types: readonly EventType[] | undefined,
  key: QueryKey,
  atMostEveryMs = AT_MOST_EVERY_MS,
): void => {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const lastAt = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEvents(types, () => {
    if (timer.current !== undefined) return;
    const waitMs = Math.max(SOON_MS, lastAt.current + atMostEveryMs - Date.now());
    timer.current = setTimeout(() => {
      timer.current = undefined;
      lastAt.current = Date.now();
      void queries.invalidateQueries({ queryKey: key });
    }, waitMs);
  });
};
