import { Columns3, Timer } from 'lucide-react';
import { Link } from 'wouter';
import type { Categories } from '../../cli/rows/category.ts';
import type { Pet } from '../../client/src/index.ts';
import { categoryName } from '../categories/category.ts';
import { CategoryTile } from '../categories/category-tile.tsx';
import { useWide } from '../data/use-width.ts';
import { createValue, useValue } from '../data/value.ts';
import { Badge, StatusBadge } from '../kit/badge.tsx';
import { Menu } from '../kit/overlay/menu.tsx';
import type { Column } from '../kit/table/table-head.tsx';
import { showDuration, Time, useNow } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import type { Sort } from './filters.ts';
import type { LastChanges } from './last-changes.ts';
import type { OpenOrders } from './pet-cache.ts';
import { texts } from './texts.ts';

type Known = {
  categories: Categories;
  orders: OpenOrders | undefined;
  changes: LastChanges | undefined;
  gone: ReadonlySet<string>;
  sort: Sort;
  hrefOf: (parts: { sort: string }) => string;
};

const COLUMN_NAMES = ['id', 'name', 'category', 'status', 'open order', 'last change'] as const;
type ColumnName = (typeof COLUMN_NAMES)[number];

/** The name identifies a row, so its column cannot be hidden. */
const ALWAYS: ColumnName = 'name';

const PLACE = 'petstore-pet-columns';
const hidden = createValue<readonly string[]>(localStorage.getItem(PLACE)?.split(',') ?? []);

const toggle = (name: ColumnName): void => {
  const now = hidden.get();
  hidden.set(now.includes(name) ? now.filter((one) => one !== name) : [...now, name]);
  localStorage.setItem(PLACE, hidden.get().join(','));
};

const useOffered = (): readonly ColumnName[] => {
  const { can } = useSession();
  const isOffered: Partial<Record<ColumnName, boolean>> = {
    'open order': can('orders:read'),
    'last change': useWide() && can('events:read'),
  };
  return COLUMN_NAMES.filter((name) => isOffered[name] ?? true);
};

export const useShownColumns = (): readonly ColumnName[] => {
  const off = useValue(hidden);
  return useOffered().filter((name) => name === ALWAYS || !off.includes(name));
};

export const ColumnMenu = () => {
  const shown = useShownColumns();
  return (
    <span className="wide">
      <Menu
        className="button bare"
        label={
          <>
            <Columns3 className="icon" />
            <span className="unseen">{texts.columns.menu}</span>
          </>
        }
        keepsOpen
      >
        {useOffered()
          .filter((name) => name !== ALWAYS)
          .map((name) => (
            <label key={name} className="choice">
              <input type="checkbox" checked={shown.includes(name)} onChange={() => toggle(name)} />{' '}
              {texts.columns.names[name]}
            </label>
          ))}
      </Menu>
    </span>
  );
};

const MINUTE_MS = 60_000;
const SOON_MS = 10 * MINUTE_MS;

/** Seconds ticking in many rows would be distracting, so seconds are shown only once less than a minute is left. */
const Left = ({ until }: { until: string }) => {
  const ms = Date.parse(until) - useNow(1000);
  const shown = ms > MINUTE_MS ? texts.columns.minutes(Math.floor(ms / MINUTE_MS)) : showDuration(ms);
  return (
    <span role="timer" aria-live="off">
      {shown}
    </span>
  );
};

type OrderProps = { of: Pet; orders: OpenOrders | undefined };

const OpenOrder = ({ of: { id, status }, orders }: OrderProps) => {
  const order = orders?.byPet.get(String(id));
  if (!order && orders?.hasOlder && status === 'pending')
    return <span className="soft">{texts.columns.notLoaded}</span>;
  if (!order) return <span className="soft">{texts.columns.none}</span>;
  const isSoon = order.expiresAt !== null && Date.parse(order.expiresAt) - Date.now() < SOON_MS;
  return (
    <Link className={isSoon ? 'hold soon' : 'hold'} href={`/orders?order=${order.id}`} title={common.order(order.id)}>
      {isSoon && <Timer className="icon s" />}
      {order.expiresAt ? common.left(<Left until={order.expiresAt} />) : texts.columns.approved}
    </Link>
  );
};

const asDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

const LastChange = ({ of, changes }: { of: Pet['id']; changes: LastChanges | undefined }) => {
  const change = changes?.byPet.get(String(of));
  // A pet added after the events were loaded has no entry yet.
  const since = changes && of <= changes.newest ? changes.since : undefined;
  return (
    <span className="soft">
      {change && texts.columns.changed(change.text, <Time at={change.at} />)}
      {!change && since && texts.columns.unchangedSince(asDay.format(new Date(since)))}
    </span>
  );
};

export const PetNote = ({ of: pet, orders, categories }: OrderProps & { categories: Categories }) => {
  const order = orders?.byPet.get(String(pet.id));
  return (
    <>
      {categoryName(categories, pet.categoryId)}
      {order?.expiresAt && <> · {common.left(<Left until={order.expiresAt} />)}</>}
      {order && !order.expiresAt && <> · {texts.columns.approved}</>}
    </>
  );
};

/** The first click on the column's header sorts by `first`, and the next click sorts by `second`. */
const sortOf = (sort: Sort, first: Sort, second: Sort, hrefOf: Known['hrefOf']): NonNullable<Column<Pet>['sort']> => ({
  direction: sort === 'oldest' || sort === 'name' ? 'ascending' : 'descending',
  href: hrefOf({ sort: sort === first ? second : first }),
  ...(sort === first || sort === second ? {} : { direction: undefined }),
});

export const petColumns = (shown: readonly ColumnName[], known: Known): Column<Pet>[] => {
  const { categories, orders, changes, gone, sort, hrefOf } = known;
  const columns: Record<ColumnName, Omit<Column<Pet>, 'name'>> = {
    id: {
      width: 'max(4rem, 6%)',
      isWide: true,
      show: ({ id }) => <span className="soft">{String(id)}</span>,
      sort: sortOf(sort, 'newest', 'oldest', hrefOf),
    },
    name: {
      width: '2fr',
      isMain: true,
      sort: sortOf(sort, 'name', 'name-desc', hrefOf),
      show: ({ name, categoryId }) => (
        <span className="who">
          <span className="wide">
            <CategoryTile name={categoryName(categories, categoryId)} />
          </span>
          <span className="cut">{name}</span>
        </span>
      ),
    },
    category: { width: '1.4fr', isWide: true, show: ({ categoryId }) => categoryName(categories, categoryId) },
    status: {
      width: 'max(7rem, 14%)',
      phoneWidth: 'auto',
      show: ({ id, status = 'available' }) =>
        gone.has(String(id)) ? (
          <Badge tone="bad" shape="cross">
            {common.deleted}
          </Badge>
        ) : (
          <StatusBadge status={status} />
        ),
    },
    'open order': { width: 'max(7rem, 14%)', isWide: true, show: (pet) => <OpenOrder of={pet} orders={orders} /> },
    'last change': { width: '2fr', isWide: true, show: ({ id }) => <LastChange of={id} changes={changes} /> },
  };
  return shown.map((name) => ({ name: texts.columns.names[name], ...columns[name] }));
};
