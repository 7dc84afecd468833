import { useEffect, useMemo } from 'react';
import type { Pet } from '../../client/src/index.ts';
import { useCategories } from '../categories/categories.tsx';
import type { Counts } from '../data/counts.ts';
import { useFreshAt } from '../data/freshness.ts';
import { useList } from '../data/list.ts';
import { liveState } from '../data/live.ts';
import { useWide } from '../data/use-width.ts';
import { createValue, useValue } from '../data/value.ts';
import { Button } from '../kit/button.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Table } from '../kit/table/table.tsx';
import { useSession } from '../session/session.ts';
import { useCommands } from '../shell/commands.ts';
import { common, titles } from '../texts.ts';
import { BulkBar } from './bulk/bulk-bar.tsx';
import { MAX_SELECTED } from './bulk/read-matching.ts';
import { useSelection } from './bulk/selection.ts';
import { type Filters, isNarrow, toQuery, useAddress } from './filters.ts';
import { useLastChanges } from './last-changes.ts';
import { MAX_FRESH, useLivePets } from './live-pets.ts';
import { NoPets } from './no-pets.tsx';
import { useOpenOrders } from './open-orders.ts';
import { LISTS } from './pet-cache.ts';
import { PetNote, petColumns, useShownColumns } from './pet-columns.tsx';
import { removing } from './remove-pets.ts';
import { texts } from './texts.ts';

/** The ids of the listed pets, in the order of the rows. The drawer uses them to open the previous or next pet. */
export const listedIds = createValue<readonly string[]>([]);

/** The time of the last refresh. The page shows it under its title. */
export const freshAt = createValue(0);

const useShownPets = (filters: Filters) => {
  const { petstore } = useSession();
  const list = useList<Pet>([...LISTS, JSON.stringify(filters)], (query) =>
    petstore.pets.list({ ...toQuery(filters), ...query }),
  );
  const hidden = useValue(removing);
  const rows = useMemo(
    () => (hidden.size === 0 ? list.rows : list.rows.filter(({ id }) => !hidden.has(String(id)))),
    [list.rows, hidden],
  );
  useEffect(() => listedIds.set(rows.map(({ id }) => String(id))), [rows]);
  const live = useLivePets(filters);
  const newCount = useMemo(() => {
    if (live.fresh.size === 0) return 0;
    const known = new Set(list.rows.map(({ id }) => String(id)));
    return [...live.fresh].filter((id) => !known.has(id)).length;
  }, [live.fresh, list.rows]);
  return { ...list, ...live, rows, newCount };
};

/** The button is below the table, so that it neither covers a row nor moves the rows. */
const NewPets = ({ count, onShow }: { count: number; onShow: () => void }) => (
  <span role="status">
    {count > 0 && (
      <Button kind="tint" className="small" onClick={onShow}>
        {texts.table.showNew(count, MAX_FRESH)}
      </Button>
    )}
  </span>
);

type Chosen = ReturnType<typeof useSelection>;

const SelectMatching = ({ chosen, total }: { chosen: Chosen; total: number | undefined }) => {
  const { readCount, stop, selectMatching } = chosen;
  if (readCount === undefined) {
    return (
      <Button className="small" onClick={() => void selectMatching()}>
        {texts.bulk.selectMatching(total === undefined ? undefined : Math.min(total, MAX_SELECTED))}
      </Button>
    );
  }
  return (
    <span className="row" role="status">
      {texts.bulk.selecting(readCount)}
      <Button className="small" onClick={stop}>
        {common.cancel}
      </Button>
    </span>
  );
};

const totalOf = (filters: Filters, counts: Counts | undefined): number | undefined => {
  if (!counts || isNarrow(filters)) return undefined;
  return filters.status ? counts[filters.status] : counts.available + counts.pending + counts.sold;
};

const useColumns = (filters: Filters, gone: ReadonlySet<string>) => {
  const { hrefOf, petId } = useAddress();
  const shown = useShownColumns();
  const [isOpen, isWide] = [petId !== undefined, useWide()];
  const orders = useOpenOrders(shown.includes('open order'));
  const changes = useLastChanges(shown.includes('last change'));
  const categories = useCategories();
  const { sort } = filters;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `hrefOf` returns new links only if the address changes.
  const columns = useMemo(
    () =>
      // An open drawer leaves too little room for all columns.
      petColumns(
        shown.filter((name) => !isOpen || !['last change', isWide ? '' : 'open order'].includes(name)),
        { categories, orders, changes, gone, sort, hrefOf },
      ),
    [shown, isOpen, isWide, categories, orders, changes, gone, sort, location.search],
  );
  const noteOf = useMemo(
    () => (pet: Pet) => <PetNote of={pet} orders={orders} categories={categories} />,
    [orders, categories],
  );
  return { columns, noteOf, hasOlderOrders: orders?.hasOlder ?? false };
};

type Props = { filters: Filters; counts: Counts | undefined; onReload: () => void };

export const PetTable = ({ filters, counts, onReload }: Props) => {
  const { petstore, can } = useSession();
  const { hrefOf, petId } = useAddress();
  const pets = useShownPets(filters);
  const { rows, more, isLoading, error } = pets;
  const chosen = useSelection(petstore, filters, rows);
  const { selected, selection, clear } = chosen;
  const { columns, noteOf, hasOlderOrders } = useColumns(filters, pets.gone);
  const isLive = useValue(liveState) !== 'off';
  const readAt = useFreshAt(pets.updatedAt, pets.pages);
  useEffect(() => freshAt.set(readAt), [readAt]);
  const total = totalOf(filters, counts);
  useCommands([{ label: texts.commands.refresh, keys: 'r', run: onReload }]);
  if (error && rows.length === 0) return <ErrorNote error={error} onRetry={onReload} />;
  return (
    <>
      <Table
        label={titles.pets}
        columns={columns}
        rows={rows}
        idOf={({ id }) => String(id)}
        hrefOf={({ id }) => hrefOf({ pet: String(id) })}
        noteOf={noteOf}
        openId={petId}
        {...(can('pets:write') ? { selection } : {})}
        changed={pets.changed}
        onEnd={more}
        isLoading={isLoading}
        empty={<NoPets filters={filters} onMore={more} />}
      />
      {(rows.length > 0 || pets.newCount > 0) && (
        <footer className="row table-foot">
          <span className="soft">
            {rows.length > 0 && texts.table.shown(rows.length, total, more !== undefined)}
            {hasOlderOrders && texts.table.someOrders}
          </span>
          <NewPets count={pets.newCount} onShow={onReload} />
          {more && selected.length === rows.length && <SelectMatching chosen={chosen} total={total} />}
          {!isLive && (
            <Button className="small push" onClick={onReload}>
              {common.refresh}
            </Button>
          )}
        </footer>
      )}
      {selected.length > 0 && <BulkBar pets={selected} onDone={clear} onUndo={chosen.select} />}
      {error && <ErrorNote error={error} onRetry={more ?? onReload} />}
    </>
  );
};
