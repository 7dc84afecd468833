import { Search, SlidersHorizontal } from 'lucide-react';
import { type Ref, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useCategories } from '../categories/categories.tsx';
import type { Counts } from '../data/counts.ts';
import { usePhone } from '../data/use-width.ts';
import { Menu } from '../kit/overlay/menu.tsx';
import { showCount } from '../kit/text.ts';
import { common } from '../texts.ts';
import { isNarrow, readSearch, SORTS, showSearch, useAddress } from './filters.ts';
import { STATUSES } from './moves.ts';
import { ColumnMenu } from './pet-columns.tsx';
import { texts } from './texts.ts';
import { ViewMenu } from './views.tsx';

const TYPING_MS = 250;

const SearchField = ({ ref }: { ref: Ref<HTMLInputElement> }) => {
  const { filters, change } = useAddress();
  const now = showSearch(filters);
  const [typed, setTyped] = useState(now);
  const meant = readSearch(typed);
  // Only the first change after the field receives focus adds a history entry. The Back button therefore undoes
  // everything that was typed, not only the last letter.
  const hasPushed = useRef(false);
  const look = useEffectEvent(() => {
    const { name = '', ids = '' } = filters;
    if (meant === undefined || (meant.name === name && meant.ids === ids)) return;
    change(meant, { replace: hasPushed.current });
    hasPushed.current = true;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: every keystroke restarts the delay.
  useEffect(() => {
    const timer = setTimeout(look, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const follow = useEffectEvent((to: string) => {
    const shown = meant && showSearch({ ...meant, ids: meant.ids || undefined, sort: filters.sort } as typeof filters);
    if (shown !== to) setTyped(to);
  });
  useEffect(() => follow(now), [now]);
  return (
    <>
      <span className="input find">
        <Search className="icon" />
        <input
          ref={ref}
          type="search"
          aria-label={texts.filters.search}
          aria-invalid={meant === undefined}
          placeholder={texts.filters.search}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onFocus={() => {
            hasPushed.current = false;
          }}
        />
        <kbd className="wide">/</kbd>
      </span>
      {meant === undefined && (
        <span role="alert" className="said bad">
          {texts.filters.notIds}
        </span>
      )}
    </>
  );
};

const StatusFilter = ({ counts: all }: { counts: Counts | undefined }) => {
  const { filters, change } = useAddress();
  // The counts are for the whole store, so they would be misleading if other filters were set.
  const counts = isNarrow(filters) || !all ? undefined : { ...all, all: all.available + all.pending + all.sold };
  return (
    <fieldset className="segments">
      <legend className="unseen">{common.status}</legend>
      {([undefined, ...STATUSES] as const).map((status) => (
        <label key={status ?? ''}>
          <input
            type="radio"
            name="status"
            checked={filters.status === status}
            onChange={() => change({ status: status ?? '' })}
          />
          <span className="word">{status ?? texts.filters.allStatuses}</span>
          {counts && <span className="number"> {showCount(counts[status ?? 'all'])}</span>}
        </label>
      ))}
    </fieldset>
  );
};

const CategoryFilter = () => {
  const { filters, change } = useAddress();
  const categories = useCategories();
  const { categoryId = '' } = filters;
  const isListed = categories.some(({ id }) => String(id) === categoryId);
  return (
    <select
      aria-label={common.category}
      value={categoryId}
      onChange={(event) => change({ categoryId: event.target.value })}
    >
      <option value="">{texts.filters.allCategories}</option>
      {categoryId && !isListed && <option value={categoryId}>{categoryId}</option>}
      {categories.map(({ id, name }) => (
        <option key={String(id)} value={String(id)}>
          {name ?? String(id)}
        </option>
      ))}
    </select>
  );
};

const SortChoice = () => {
  const { filters, change } = useAddress();
  return (
    <select
      aria-label={texts.filters.sort}
      value={filters.sort}
      onChange={(event) => change({ sort: event.target.value })}
    >
      {Object.entries(SORTS).map(([sort, { label }]) => (
        <option key={sort} value={sort}>
          {label}
        </option>
      ))}
    </select>
  );
};

/** On a phone, only the search is always visible, so that the page has room for more pets. */
const PhoneFilters = ({ counts }: { counts: Counts | undefined }) => {
  const { filters } = useAddress();
  const set = [filters.status, filters.categoryId].filter((value) => value !== undefined).length;
  return (
    <Menu
      keepsOpen
      label={
        <>
          <SlidersHorizontal className="icon" />
          {texts.filters.title}
          {set > 0 && (
            <b className="number">
              {set}
              <span className="unseen"> {texts.filters.set}</span>
            </b>
          )}
        </>
      }
    >
      <StatusFilter counts={counts} />
      <CategoryFilter />
      <SortChoice />
    </Menu>
  );
};

type Props = { nameRef: Ref<HTMLInputElement>; counts: Counts | undefined };

export const FilterBar = ({ nameRef, counts }: Props) => {
  const isPhone = usePhone();
  return (
    <search className="filters" aria-label={texts.filters.title}>
      {!isPhone && <StatusFilter counts={counts} />}
      <div className="row">
        <SearchField ref={nameRef} />
        {isPhone ? (
          <PhoneFilters counts={counts} />
        ) : (
          <>
            <CategoryFilter />
            <SortChoice />
            <ViewMenu />
            <ColumnMenu />
          </>
        )}
      </div>
    </search>
  );
};
