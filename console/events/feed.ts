import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Int64 } from '../../client/src/index.ts';
import { useList } from '../data/list.ts';
import { type LiveEvent, useEvents } from '../data/live.ts';
import { useSession } from '../session/session.ts';
import { askedOf, type Filter, isSparse, matches, NO_FILTER } from './filter.ts';

const MAX_LIVE = 2000;
/**
 * If the service does not support a filter, the console searches the events itself. It stops after this many rows, and
 * the user can then continue the search.
 */
const LOOKED_THROUGH = 1000;
const SCREENFUL = 40;

const useArrived = () => {
  const [arrived, setArrived] = useState({ events: [] as readonly LiveEvent[], left: 0 });
  useEvents(undefined, (event) =>
    setArrived(({ events, left }) =>
      events.length < MAX_LIVE ? { events: [event, ...events], left } : { events, left: left + 1 },
    ),
  );
  return { ...arrived, forget: () => setArrived({ events: [], left: 0 }) };
};

const useHold = (newest: Int64) => {
  const [isPaused, setPaused] = useState(false);
  const [from, setFrom] = useState<Int64>();
  return {
    isPaused,
    from,
    pause: () => {
      setPaused(true);
      setFrom((held) => held ?? newest);
    },
    goOn: () => {
      setPaused(false);
      setFrom(undefined);
    },
    /** Holds back new events while the list is scrolled down, so that the rows on screen do not move. */
    scrolled: (isAway: boolean) => setFrom((held) => (isAway || isPaused ? (held ?? newest) : undefined)),
  };
};

const useFillScreen = (more: (() => void) | undefined, shown: number): void => {
  const ask = useEffectEvent(() => more?.());
  const isWanting = more !== undefined && shown < SCREENFUL;
  useEffect(() => {
    if (isWanting) ask();
  });
};

export const useFeed = (filter: Filter) => {
  const { petstore } = useSession();
  const queries = useQueryClient();
  const asked = askedOf(filter);
  const key = ['events', 'feed', ...Object.values(asked).map(String)];
  const list = useList<LiveEvent>(key, (query) => petstore.events.list({ ...query, order: 'desc', ...asked }));
  const { events, left, forget } = useArrived();
  const newestListed = list.rows[0]?.sequence ?? -1;
  const all = [...events.filter(({ sequence }) => sequence > newestListed), ...list.rows];
  const { from, ...hold } = useHold(all[0]?.sequence ?? 0);

  const isOver = left > 0 && from === undefined;
  const reread = useEffectEvent(() => {
    forget();
    void queries.resetQueries({ queryKey: key });
  });
  useEffect(() => {
    if (isOver) reread();
  }, [isOver]);

  const [depth, setDepth] = useState(LOOKED_THROUGH);
  // The service has already filtered the listed events, but it cannot filter by several types, so the types are checked
  // here. Newer events arrived live and have not been filtered at all, so the whole filter is applied to them.
  const matching = all.filter((event) =>
    matches(event, event.sequence > newestListed ? filter : { ...NO_FILTER, types: filter.types }),
  );
  const rows = from === undefined ? matching : matching.filter(({ sequence }) => sequence <= from);
  const more = isSparse(filter) && list.rows.length >= depth ? undefined : list.more;
  const isIdle = !list.isLoading && !list.error;
  useFillScreen(isSparse(filter) && isIdle ? more : undefined, rows.length);
  return {
    ...list,
    ...hold,
    rows,
    more,
    waiting: matching.length - rows.length + (from === undefined ? 0 : left),
    /** If the search stopped early, this is the time of the oldest event that it read. */
    stoppedAt: more === undefined && list.more ? list.rows.at(-1)?.timestamp : undefined,
    lookFurther: () => setDepth(list.rows.length + LOOKED_THROUGH),
  };
};

export type Feed = ReturnType<typeof useFeed>;
