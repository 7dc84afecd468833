import { Link } from 'wouter';
import type { Categories } from '../../cli/rows/category.ts';
import type { Pet } from '../../client/src/index.ts';
import { createValue, useValue } from '../data/value.ts';
import { Badge, StatusBadge } from '../kit/badge.tsx';
import { Menu } from '../kit/overlay/menu.tsx';
import type { Column } from '../kit/table/table-head.tsx';
import { Countdown } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { categoryName } from './category.ts';
import type { OpenOrders } from './open-orders.ts';
import { texts } from './texts.ts';

type Known = {
  categories: Categories;
  orders: OpenOrders | undefined;
  gone: ReadonlySet<string>;
};

const COLUMN_NAMES = ['id', 'name', 'category', 'status', 'open order'] as const;
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
  return COLUMN_NAMES.filter((name) => name !== 'open order' || can('orders:read'));
};

export const useShownColumns = (): readonly ColumnName[] => {
  const off = useValue(hidden);
  return useOffered().filter((name) => name === ALWAYS || !off.includes(name));
};

export const ColumnMenu = () => {
  const shown = useShownColumns();
  return (
    <Menu label={texts.columns.menu} keepsOpen>
      {useOffered()
        .filter((name) => name !== ALWAYS)
        .map((name) => (
          <label key={name} className="choice">
            <input type="checkbox" checked={shown.includes(name)} onChange={() => toggle(name)} />{' '}
            {texts.columns.names[name]}
          </label>
        ))}
    </Menu>
  );
};

const OpenOrder = ({ of: { id, status }, orders }: { of: Pet; orders: OpenOrders | undefined }) => {
  const order = orders?.byPet.get(String(id));
  if (!order && orders?.hasOlder && status === 'pending')
    return <span className="soft">{texts.columns.notLoaded}</span>;
  if (!order) return '–';
  return (
    <>
      <Link href={`/orders?order=${order.id}`}>{common.order(order.id)}</Link> ·{' '}
      {order.expiresAt ? common.left(<Countdown until={order.expiresAt} />) : order.status}
    </>
  );
};

export const petColumns = (shown: readonly ColumnName[], { categories, orders, gone }: Known): Column<Pet>[] => {
  const columns: Record<ColumnName, Omit<Column<Pet>, 'name'>> = {
    id: { width: '5rem', show: ({ id }) => String(id) },
    name: { width: '3fr', show: ({ name }) => name },
    category: { width: '2fr', isWide: true, show: ({ categoryId }) => categoryName(categories, categoryId) },
    status: {
      width: '7rem',
      show: ({ id, status = 'available' }) =>
        gone.has(String(id)) ? (
          <Badge tone="bad" shape="cross">
            {common.deleted}
          </Badge>
        ) : (
          <StatusBadge status={status} />
        ),
    },
    'open order': { width: '2fr', isWide: true, show: (pet) => <OpenOrder of={pet} orders={orders} /> },
  };
  return shown.map((name) => ({ name: texts.columns.names[name], ...columns[name] }));
};
