import { Plus, Search, Tag } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { Category } from '../../client/src/index.ts';
import { useFreshAt } from '../data/freshness.ts';
import { useList } from '../data/list.ts';
import { useRefresh } from '../data/refresh.ts';
import { useValue } from '../data/value.ts';
import { Button } from '../kit/button.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { PageHead } from '../kit/page-head.tsx';
import { EmptyState } from '../kit/placeholder.tsx';
import { Table } from '../kit/table/table.tsx';
import type { Column } from '../kit/table/table-head.tsx';
import { Updated } from '../kit/updated.tsx';
import { useSession } from '../session/session.ts';
import { useCommands } from '../shell/commands.ts';
import { titles } from '../texts.ts';
import { AddCategory } from './add-category.tsx';
import { CATEGORIES } from './categories.tsx';
import { CategoryDrawer } from './category-drawer.tsx';
import { CategoryTile } from './category-tile.tsx';
import { movedPets, moves } from './moved-pets.ts';
import { removing } from './remove-category.ts';
import { MAX_COUNTED, shownName, showPets, texts } from './texts.ts';

const CHANGES = [
  ...(['category.created', 'category.updated', 'category.deleted'] as const),
  ...(['pet.created', 'pet.updated', 'pet.deleted'] as const),
];

/** `most` is the number of pets in the largest category. */
const columnsFor = (most: number): Column<Category>[] => [
  {
    name: texts.columns.name,
    width: '1fr',
    isMain: true,
    show: (category) => (
      <span className="who">
        <CategoryTile name={category.name ?? ''} />
        <span className={category.name === null ? 'cut soft' : 'cut'}>{shownName(category)}</span>
      </span>
    ),
  },
  {
    name: texts.columns.pets,
    width: '1fr',
    phoneWidth: '5rem',
    show: ({ id, pets = 0 }) => (
      <span className="share">
        {pets === 0 ? (
          <span className="soft">0</span>
        ) : (
          <Link className="cell-link" href={`/pets?categoryId=${id}`} aria-label={texts.petsOf(pets)}>
            {showPets(pets)}
          </Link>
        )}
        <meter className="wide" aria-hidden="true" min={0} max={Math.max(1, most)} value={pets} />
      </span>
    ),
  },
  { name: texts.columns.id, width: '6rem', isWide: true, show: ({ id }) => <span className="soft">{String(id)}</span> },
];

/**
 * The service stops counting at `MAX_COUNTED`. If a category has reached this count, moved pets do not change the
 * count, because the category may contain more pets than were counted.
 */
const countPets = ({ id, pets = 0 }: Category, moved: ReturnType<typeof moves.get>): number =>
  pets >= MAX_COUNTED ? pets : Math.max(0, pets + movedPets(moved, id));

const useAddress = () => {
  const [params, setParams] = useSearchParams();
  const withParam = (old: URLSearchParams, name: string, value: string) => {
    const next = new URLSearchParams(old);
    if (value) next.set(name, value);
    else next.delete(name);
    return next;
  };
  return {
    search: params.get('name') ?? '',
    opened: params.get('category') ?? '',
    put: (name: string, value: string, options?: { replace: boolean }) =>
      setParams((old) => withParam(old, name, value), options),
    hrefOf: (id: string) => `/categories?${withParam(params, 'category', id)}`,
  };
};

const Nothing = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <EmptyState icon={Tag} title={texts.empty.filteredTitle}>
      {texts.empty.filteredText}
    </EmptyState>
  ) : (
    <EmptyState icon={Tag} title={texts.empty.title}>
      {texts.empty.text}
    </EmptyState>
  );

export const Page = () => {
  const { petstore, can } = useSession();
  const { search, opened, put, hrefOf } = useAddress();
  const field = useRef<HTMLInputElement>(null);
  const canWrite = can('categories:write');
  const list = useList<Category>([...CATEGORIES, 'list'], (query) =>
    petstore.categories.list({ count: 'pets', ...query }),
  );
  useRefresh(CHANGES, CATEGORIES);
  const hidden = useValue(removing);
  const moved = useValue(moves);
  const freshAt = useFreshAt(list.updatedAt, list.pages);
  const rows = useMemo(() => {
    const meant = search.trim().toLowerCase();
    return list.rows
      .filter((row) => !hidden.has(String(row.id)) && shownName(row).toLowerCase().includes(meant))
      .map((row) => ({ ...row, pets: countPets(row, moved) }));
  }, [list.rows, search, hidden, moved]);
  const columns = useMemo(() => columnsFor(Math.max(0, ...rows.map(({ pets }) => pets))), [rows]);
  const close = () => put('category', '');
  useCommands([
    { label: texts.commands.search, keys: '/', run: () => field.current?.focus() },
    ...(canWrite ? [{ label: texts.commands.add, keys: 'n', run: () => put('category', 'new') }] : []),
  ]);
  const shown = list.rows.find(({ id }) => String(id) === opened);
  return (
    <>
      <PageHead title={titles.categories} note={<Updated at={freshAt} />}>
        {canWrite && (
          <Button kind="primary" icon={Plus} onClick={() => put('category', 'new')}>
            {texts.add}
          </Button>
        )}
      </PageHead>
      <search className="row filters">
        <span className="input find">
          <Search className="icon" />
          <input
            ref={field}
            type="search"
            aria-label={texts.search}
            placeholder={texts.search}
            value={search}
            onChange={({ target }) => put('name', target.value, { replace: true })}
          />
        </span>
      </search>
      {list.error && <ErrorNote error={list.error} onRetry={list.retry} />}
      <Table
        label={titles.categories}
        columns={columns}
        rows={rows}
        idOf={({ id }) => String(id)}
        hrefOf={({ id }) => hrefOf(String(id))}
        openId={opened}
        onEnd={list.more}
        isLoading={list.isLoading}
        empty={<Nothing isFiltered={search !== ''} />}
      />
      {canWrite && opened === 'new' && <AddCategory known={list.rows} onClose={close} />}
      {shown && <CategoryDrawer key={opened} category={shown} known={list.rows} onClose={close} />}
    </>
  );
};
