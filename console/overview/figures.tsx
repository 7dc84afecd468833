import { useQuery } from '@tanstack/react-query';
import { Clock, PawPrint, ShoppingBag, Tag, Zap } from 'lucide-react';
import type { OrderStatus } from '../../client/src/index.ts';
import { useRefresh } from '../data/refresh.ts';
import { useCounts } from '../data/use-counts.ts';
import { KeyFigure } from '../kit/key-figure.tsx';
import { showCount } from '../kit/text.ts';
import { useNow } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { requestsByHour } from './request-hours.ts';
import { texts } from './texts.ts';
import { useUsages } from './watched.ts';

const DAY_MS = 86_400_000;
const DAYS = 7;
/** The service's maximum page size. A figure that reaches it is shown with a plus sign. */
const MOST = 100;

const showMost = (count: number): string => `${showCount(count)}${count >= MOST ? '+' : ''}`;

const useOpenOrders = (status: OrderStatus) => {
  const { petstore, can } = useSession();
  return useQuery({
    queryKey: ['orders', 'open', status],
    queryFn: async () => (await petstore.orders.list({ status, limit: MOST }).page()).items.length,
    enabled: can('orders:read'),
  }).data;
};

const OpenOrders = () => {
  const [placed, approved] = [useOpenOrders('placed'), useOpenOrders('approved')];
  useRefresh(
    ['order.placed', 'order.approved', 'order.delivered', 'order.cancelled', 'order.expired'],
    ['orders', 'open'],
  );
  const isWaiting = placed !== undefined && placed > 0;
  return (
    <KeyFigure
      title={texts.figures.openOrders}
      icon={ShoppingBag}
      value={placed === undefined || approved === undefined ? undefined : showMost(placed + approved)}
      note={isWaiting ? texts.figures.waiting(showMost(placed)) : texts.figures.noneWaiting}
      {...(isWaiting ? { tone: 'warn', noteIcon: Clock } : {})}
      href="/orders"
    />
  );
};

const AvailablePets = () => {
  const { can } = useSession();
  const { data } = useCounts();
  useRefresh(['pet.created', 'pet.status_changed', 'pet.deleted'], ['inventory']);
  return (
    <KeyFigure
      title={texts.figures.available}
      icon={PawPrint}
      value={data && showCount(data.available)}
      note={data && texts.figures.others(data.pending, data.sold)}
      href={can('pets:read') ? '/pets?status=available' : undefined}
    />
  );
};

const SoldPets = () => {
  const { petstore } = useSession();
  const now = useNow(60_000);
  const { data } = useQuery({
    queryKey: ['events', 'sold'],
    queryFn: async () =>
      (await petstore.events.list({ type: 'order.delivered', order: 'desc', limit: MOST }).page()).items,
  });
  useRefresh(['order.delivered'], ['events', 'sold']);
  const ages = data?.map(({ timestamp }) => Math.floor((now - Date.parse(timestamp)) / DAY_MS));
  const week = ages?.filter((days) => days < DAYS).length ?? 0;
  const trend = Array.from({ length: DAYS }, (_, index) => ages?.filter((age) => age === DAYS - 1 - index).length ?? 0);
  return (
    <KeyFigure
      title={texts.figures.sold}
      icon={Tag}
      value={ages && showMost(week)}
      note={texts.figures.soldToday(trend.at(-1) ?? 0)}
      trend={week > 0 ? trend : undefined}
      href="/orders"
    />
  );
};

const Requests = () => {
  const { data } = useUsages();
  const now = useNow(60_000);
  const hours = data && requestsByHour(data, now);
  const total = hours?.reduce((sum, { all }) => sum + all, 0);
  const errors = hours?.reduce((sum, { failed }) => sum + failed, 0) ?? 0;
  return (
    <KeyFigure
      title={texts.figures.requests}
      icon={Zap}
      value={total === undefined ? undefined : showCount(total)}
      note={total ? texts.figures.errors(errors, errors / total) : texts.figures.lastDay}
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
      {can('events:read') && <SoldPets />}
      <Requests />
    </section>
  );
};
