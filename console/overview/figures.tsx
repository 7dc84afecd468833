import { Clock, PawPrint, ShoppingBag, Tag, TrendingDown, TrendingUp, Zap } from 'lucide-react';
import { useCounts } from '../data/use-counts.ts';
import { KeyFigure } from '../kit/key-figure.tsx';
import { showCount } from '../kit/text.ts';
import { useNow } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { availablePerDay, compareWeeks, countOf, lastDays, openPerDay, perDay, sum, WEEK } from './days.ts';
import { requestsByHour } from './request-hours.ts';
import { texts } from './texts.ts';
import { MOST, useEventCounts, useOpenOrders, useUsages } from './watched.ts';

/** If a count reaches the page size, a "+" shows that there may be more items. */
const showMost = (count: number): string => `${showCount(count)}${count >= MOST ? '+' : ''}`;

const AvailablePets = () => {
  const { can } = useSession();
  const { data } = useCounts();
  const { data: counts } = useEventCounts();
  const days = lastDays(useNow(60_000), WEEK);
  const added = counts && perDay(counts, days, countOf('pet.created'));
  return (
    <KeyFigure
      title={texts.figures.available}
      icon={PawPrint}
      value={data && showCount(data.available)}
      note={added ? texts.figures.added(sum(added)) : data && texts.figures.others(data.pending, data.sold)}
      trend={counts && data && availablePerDay(counts, days, data.available)}
      href={can('pets:read') ? '/pets?status=available' : undefined}
    />
  );
};

const OpenOrders = () => {
  const [placed, approved] = [useOpenOrders('placed').data?.length, useOpenOrders('approved').data?.length];
  const { data: counts } = useEventCounts();
  const days = lastDays(useNow(60_000), WEEK);
  const isWaiting = placed !== undefined && placed > 0;
  const isExact = placed !== undefined && placed < MOST && approved !== undefined && approved < MOST;
  return (
    <KeyFigure
      title={texts.figures.openOrders}
      icon={ShoppingBag}
      value={placed === undefined || approved === undefined ? undefined : showMost(placed + approved)}
      note={isWaiting ? texts.figures.waiting(showMost(placed)) : placed === 0 && texts.figures.noneWaiting}
      {...(isWaiting ? { tone: 'warn', noteIcon: Clock } : {})}
      trend={counts && isExact ? openPerDay(counts, days, placed + approved) : undefined}
      color="warn"
      href="/orders"
    />
  );
};

const SoldPets = () => {
  const { data } = useEventCounts();
  const days = lastDays(useNow(60_000));
  const sold = data && perDay(data, days, (period) => period.sold);
  const { week = undefined, before = undefined } = data && sold ? compareWeeks(data, days, sold) : {};
  const isMore = week !== undefined && before !== undefined && week > before;
  const isLess = week !== undefined && before !== undefined && week < before;
  return (
    <KeyFigure
      title={texts.figures.sold}
      icon={Tag}
      value={week === undefined ? undefined : showCount(week)}
      note={
        week !== undefined && before !== undefined
          ? texts.figures.compared(week - before)
          : sold && texts.figures.soldToday(sold.at(-1) ?? 0)
      }
      {...(isMore ? { tone: 'good', noteIcon: TrendingUp } : isLess ? { noteIcon: TrendingDown } : {})}
      trend={sold?.slice(-WEEK)}
    />
  );
};

const Requests = () => {
  const { data, isCut, isOwn } = useUsages();
  const now = useNow(60_000);
  const hours = data && requestsByHour(data, now);
  const total = hours && sum(hours.map(({ all }) => all));
  const errors = hours ? sum(hours.map(({ failed }) => failed)) : 0;
  return (
    <KeyFigure
      title={isOwn ? texts.figures.ownRequests : texts.figures.requests}
      icon={Zap}
      value={total === undefined ? undefined : `${showCount(total)}${isCut ? '+' : ''}`}
      note={total ? texts.figures.errors(errors, errors / total) : total === 0 && texts.figures.noRequests}
      {...(errors > 0 ? { tone: 'bad' } : {})}
      trend={hours?.map(({ all }) => all)}
      color="soft"
      href="/keys"
    />
  );
};

export const Figures = () => {
  const { can } = useSession();
  return (
    <section className="figures" aria-label={texts.figures.title}>
      {can('orders:read') && <AvailablePets />}
      {can('orders:read') && <OpenOrders />}
      {can('pets:read') && <SoldPets />}
      <Requests />
    </section>
  );
};
