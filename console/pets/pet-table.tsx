import { useMemo, useState } from 'react';
import type { Pet } from '../../client/src/index.ts';
import { useList } from '../data/list.ts';
import { liveState } from '../data/live.ts';
import { useValue } from '../data/value.ts';
import { Button } from '../kit/button.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Table } from '../kit/table/table.tsx';
import { useSession } from '../session/session.ts';
import { useCommands } from '../shell/commands.ts';
import { common, titles } from '../texts.ts';
import { BulkBar } from './bulk-bar.tsx';
import { useCategories } from './categories.tsx';
import { type Filters, toQuery, useAddress } from './filters.ts';
import { MAX_FRESH, useLivePets } from './live-pets.ts';
import { NoPets } from './no-pets.tsx';
import { useOpenOrders } from './open-orders.ts';
import { LISTS } from './pet-cache.ts';
import { petColumns, useShownColumns } from './pet-columns.tsx';
import { removing } from './remove-pets.ts';
import { texts } from './texts.ts';

const useSelection = (rows: readonly Pet[]) => {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const selected = useMemo(() => (ids.size === 0 ? [] : rows.filter(({ id }) => ids.has(String(id)))), [ids, rows]);
  return {
    selected,
    clear: () => setIds(new Set()),
    selection: {
      ids: useMemo(() => new Set(selected.map(({ id }) => String(id))), [selected]),
      toggle: (id: string) => setIds(new Set(ids.has(id) ? [...ids].filter((one) => one !== id) : [...ids, id])),
      toggleAll: () => setIds(selected.length === rows.length ? new Set() : new Set(rows.map(({ id }) => String(id)))),
    },
  };
};

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
  const live = useLivePets(filters);
  const newCount = useMemo(() => {
    if (live.fresh.size === 0) return 0;
    const known = new Set(list.rows.map(({ id }) => String(id)));
    return [...live.fresh].filter((id) => !known.has(id)).length;
  }, [live.fresh, list.rows]);
  return { ...list, ...live, rows, newCount };
};

const NewBar = ({ count, onShow }: { count: number; onShow: () => void }) => (
  <div className="new-bar" role="status">
    {count > 0 && (
      <Button className="small" onClick={onShow}>
        {texts.table.showNew(count, MAX_FRESH)}
      </Button>
    )}
  </div>
);

export const PetTable = ({ filters, onReload }: { filters: Filters; onReload: () => void }) => {
  const { can } = useSession();
  const { change } = useAddress();
  const pets = useShownPets(filters);
  const { rows, more, isLoading, error } = pets;
  const { selected, selection, clear } = useSelection(rows);
  const shown = useShownColumns();
  const orders = useOpenOrders(shown.includes('open order'));
  const categories = useCategories();
  const columns = useMemo(
    () => petColumns(shown, { categories, orders, gone: pets.gone }),
    [shown, categories, orders, pets.gone],
  );
  const isLive = useValue(liveState) !== 'off';
  useCommands([{ label: texts.commands.refresh, keys: 'r', run: onReload }]);
  if (error && rows.length === 0) return <ErrorNote error={error} onRetry={onReload} />;
  return (
    <>
      <NewBar count={pets.newCount} onShow={onReload} />
      <Table
        label={titles.pets}
        columns={columns}
        rows={rows}
        idOf={({ id }) => String(id)}
        onOpen={({ id }) => change({ pet: String(id) })}
        {...(can('pets:write') ? { selection } : {})}
        changed={pets.changed}
        onEnd={more}
        isLoading={isLoading}
        empty={<NoPets filters={filters} />}
      />
      <footer className="row table-foot">
        {selected.length > 0 ? (
          <BulkBar pets={selected} onDone={clear} />
        ) : (
          <span className="soft number">
            {texts.table.shown(rows.length, more !== undefined)}
            {orders?.hasOlder && texts.table.someOrders}
          </span>
        )}
        <span className="push" />
        {!isLive && rows.length > 0 && <Button onClick={onReload}>{common.refresh}</Button>}
      </footer>
      {error && <ErrorNote error={error} onRetry={more ?? onReload} />}
    </>
  );
};
