import { Search } from 'lucide-react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { useWide } from '../data/use-width.ts';
import { StatusBadge } from '../kit/badge.tsx';
import { Button } from '../kit/button.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { EmptyState } from '../kit/placeholder.tsx';
import { Table } from '../kit/table/table.tsx';
import { Time } from '../kit/time.tsx';
import { common } from '../texts.ts';
import { PetCategory } from './category.tsx';
import { type Filters, hasFilters, PRESETS, STATUSES } from './filters.ts';
import type { useFoundOrders } from './find-orders.ts';
import { changedAt, type OrderRow } from './moves.ts';
import { petTitle, usePet } from './pet.ts';
import { texts } from './texts.ts';

const PetCell = ({ order }: { order: OrderRow }) => {
  const pet = usePet(order.petId);
  return (
    <>
      {petTitle(order.petId, pet)}
      {pet && (
        <span className="soft">
          <PetCategory pet={pet} />
        </span>
      )}
    </>
  );
};

const DAY_AND_TIME = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
const thisYear = new Intl.DateTimeFormat(undefined, DAY_AND_TIME);
const anyYear = new Intl.DateTimeFormat(undefined, { ...DAY_AND_TIME, year: 'numeric' });

const showPlaced = (placedAt: string): string => {
  const at = new Date(placedAt);
  return (at.getFullYear() === new Date().getFullYear() ? thisYear : anyYear).format(at);
};

const PhoneNote = ({ order: { id, placedAt }, href }: { order: OrderRow; href: string }) => (
  <>
    <Link href={href}>{common.orderTitle(id)}</Link> · <time dateTime={placedAt}>{showPlaced(placedAt)}</time>
  </>
);

/** `isTight` is true if a drawer is open on a narrow screen, which then has too little room for all columns. */
const columnsFor = (hrefOf: (order: OrderRow) => string, isTight: boolean) => [
  {
    name: texts.list.columns.order,
    width: '5rem',
    isWide: true,
    show: (order: OrderRow) => (
      <Link className="order-link" href={hrefOf(order)}>
        {String(order.id)}
      </Link>
    ),
  },
  { name: texts.list.columns.pet, width: '1.4fr', isMain: true, show: (order: OrderRow) => <PetCell order={order} /> },
  {
    name: texts.list.columns.status,
    width: '8rem',
    phoneWidth: 'auto',
    show: ({ status }: OrderRow) => <StatusBadge status={status} />,
  },
  {
    name: texts.list.columns.placed,
    width: isTight ? '9rem' : '1fr',
    isWide: true,
    show: ({ placedAt }: OrderRow) => <time dateTime={placedAt}>{showPlaced(placedAt)}</time>,
  },
  ...(isTight
    ? []
    : [
        {
          name: texts.list.columns.updated,
          width: '1fr',
          isWide: true,
          show: (order: OrderRow) => <Time at={changedAt(order)} />,
        },
      ]),
];

export const FilterBar = ({ filters }: { filters: Filters }) => {
  const [, setSearch] = useSearchParams();
  const change = (name: keyof Filters, value: string, replace = false) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === '' || value === 'any') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace },
    );
  return (
    <>
      <span className="input search">
        <Search className="icon" />
        <input
          type="search"
          aria-label={texts.list.search}
          placeholder={texts.list.searchHint}
          value={filters.q}
          onChange={({ target }) => change('q', target.value, true)}
        />
      </span>
      <select
        aria-label={texts.list.status}
        value={filters.status ?? ''}
        onChange={({ target }) => change('status', target.value)}
      >
        <option value="">{texts.list.anyStatus}</option>
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {texts.statuses[status]}
          </option>
        ))}
      </select>
      <select aria-label={texts.list.when} value={filters.when} onChange={({ target }) => change('when', target.value)}>
        {PRESETS.map((preset) => (
          <option key={preset} value={preset}>
            {texts.list.presets[preset]}
          </option>
        ))}
      </select>
      {filters.when === 'custom' &&
        (['from', 'to'] as const).map((name) => (
          <label key={name} className="date">
            {texts.list[name]}{' '}
            <input type="date" value={filters[name]} onChange={({ target }) => change(name, target.value)} />
          </label>
        ))}
    </>
  );
};

type Props = { filters: Filters; found: ReturnType<typeof useFoundOrders>; empty: React.ReactNode };

export const OrdersList = ({ filters, found, empty }: Props) => {
  const isWide = useWide();
  const [, go] = useLocation();
  const [search, setSearch] = useSearchParams();
  const hrefOf = ({ id }: OrderRow): string => {
    const next = new URLSearchParams(search);
    next.set('order', String(id));
    return `/orders?${next}`;
  };
  const clearDate = () =>
    setSearch((before) => new URLSearchParams([...before].filter(([name]) => !['when', 'from', 'to'].includes(name))));
  const none = hasFilters(filters) ? (
    <EmptyState
      title={texts.list.noneTitle}
      icon={Search}
      action={
        <div className="row">
          {filters.when !== 'any' && <Button onClick={clearDate}>{texts.list.clearDate}</Button>}
          <Button onClick={() => setSearch({ view: 'list' })}>{texts.list.clear}</Button>
        </div>
      }
    >
      {filters.when === 'any' ? texts.list.none : texts.list.noneOnDate}
    </EmptyState>
  ) : (
    empty
  );
  return (
    <>
      {found.error && <ErrorNote error={found.error} onRetry={() => found.retry()} />}
      <Table
        label={texts.list.label}
        columns={columnsFor(hrefOf, search.has('order') && !isWide)}
        rows={found.rows}
        idOf={({ id }) => String(id)}
        noteOf={(order) => <PhoneNote order={order} href={hrefOf(order)} />}
        openId={search.get('order') ?? undefined}
        onOpen={(order) => go(hrefOf(order))}
        onEnd={found.more}
        isLoading={found.isLoading}
        empty={found.error ? null : none}
      />
      {!found.isLoading && found.rows.length > 0 && (
        <p className="foot">{texts.list.count(found.rows.length, found.more !== undefined)}</p>
      )}
    </>
  );
};
