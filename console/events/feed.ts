import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Int64 } from '../../client/src/index.ts';
import { useList } from '../data/list.ts';
import { type LiveEvent, useEvents } from '../data/live.ts';
import { useSession } from '../session/session.ts';
import { askedType, type Filter, isSparse, matches } from './filter.ts';

/** Maximum arrived events kept here; beyond it the newest page is read again. */
const MOST_LIVE = 2000;
/** With a filter on this page: rows searched before the user has to ask for more. */
const LOOKED_THROUGH = 1000;
/** So many rows fill a screen. */
const SCREENFUL = 40;

/** What has arrived since the page was opened, newest first; beyond what is kept it is counted. */
const useArrived = () => {
  const [arrived, setArrived] = useState({ events: [] as readonly LiveEvent[], left: 0 });
  useEvents(undefined, (event) =>
    setArrived(({ events, left }) =>
      events.length < MOST_LIVE ? { events: [event, ...events], left } : { events, left: left + 1 },
    ),
  );
  return { ...arrived, forget: () => setArrived({ events: [], left: 0 }) };
};

/** Holds what arrives back, behind a place in the feed, while somebody reads. */
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
    /** Rows that somebody has scrolled to must not move. */
    scrolled: (isAway: boolean) => setFrom((held) => (isAway || isPaused ? (held ?? newest) : undefined)),
  };
};

/** Fetches pages until the matching rows fill a screen. */
const useFillScreen = (more: (() => void) | undefined, shown: number): void => {
  const ask = useEffectEvent(() => more?.());
  const isWanting = more !== undefined && shown < SCREENFUL;
  useEffect(() => {
    if (isWanting) ask();
  });
};

/** The events of the store, newest first: arriving ones, then stored pages. */
export const useFeed = (filter: Filter) => {
  const { petstore } = useSession();
  const queries = useQueryClient();
  const type = askedType(filter);
  const key = ['events', 'feed', type ?? ''];
  const list = useList<LiveEvent>(key, (query) =>
    petstore.events.list({ ...query, order: 'desc', ...(type ? { type } : {}) }),
  );
  const { events, left, forget } = useArrived();
  const newestListed = list.rows[0]?.sequence ?? -1;
  const all = [...events.filter(({ sequence }) => sequence > newestListed), ...list.rows];
  const { from, ...hold } = useHold(all[0]?.sequence ?? 0);

  const isOver = left > 0 && from === undefined;
  const readAnew = useEffectEvent(() => {
    forget();
    void queries.resetQueries({ queryKey: key });
  });
  useEffect(() => {
    if (isOver) readAnew();
  }, [isOver]);

  const [depth, setDepth] = useState(LOOKED_THROUGH);
  const matching = all.filter((event) => matches(event, filter));
  const rows = from === undefined ? matching : matching.filter(({ sequence }) => sequence <= from);
  const more = isSparse(filter) && list.rows.length >= depth ? undefined : list.more;
  const isIdle = !list.isLoading && !list.error;
  useFillScreen(isSparse(filter) && isIdle ? more : undefined, rows.length);
  return {
    ...list,
    ...hold,
    rows,
    more,
    /** How many wait to be shown. */
    waiting: matching.length - rows.length + (from === undefined ? 0 : left),
    /** Where looking back has stopped, with matches perhaps behind it. */
    stoppedAt: more === undefined && list.more ? list.rows.at(-1)?.timestamp : undefined,
    lookFurther: () => setDepth(list.rows.length + LOOKED_THROUGH),
  };
};

export type Feed = ReturnType<typeof useFeed>;
