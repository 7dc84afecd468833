import { type Ref, useEffect, useEffectEvent, useState } from 'react';
import type { Counts } from '../data/counts.ts';
import { useCategories } from './categories.ts';
import { SORTS, useAddress } from './filters.ts';
import { STATUSES } from './moves.ts';
import { ColumnMenu } from './pet-columns.tsx';

/** So long after the last key a name is looked for. */
const TYPING_MS = 250;

const NameFilter = ({ ref }: { ref: Ref<HTMLInputElement> }) => {
  const { filters, change } = useAddress();
  const { name = '' } = filters;
  const [typed, setTyped] = useState(name);
  const look = useEffectEvent(() => {
    if (typed.trim() !== name) change({ name: typed.trim() }, { replace: true });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it waits anew with every key.
  useEffect(() => {
    const timer = setTimeout(look, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  // The address bar has changed by itself: by a link, or because all are to be shown.
  const follow = useEffectEvent((now: string) => {
    if (typed.trim() !== now) setTyped(now);
  });
  useEffect(() => follow(name), [name]);
  return (
    <input
      ref={ref}
      type="search"
      aria-label="Name begins with"
      placeholder="Name begins with"
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
};

const StatusFilter = ({ counts: all }: { counts: Counts | undefined }) => {
  const { filters, change } = useAddress();
  // The counts are of the whole store: beside another filter they would mislead.
  const counts = filters.name || filters.categoryId ? undefined : all;
  return (
    <fieldset className="segments">
      <legend className="unseen">Status</legend>
      {([undefined, ...STATUSES] as const).map((status) => (
        <label key={status ?? ''}>
          <input
            type="radio"
            name="status"
            checked={filters.status === status}
            onChange={() => change({ status: status ?? '' }, { replace: true })}
          />
          {status ?? 'all'}
          {status && counts && <span className="number soft"> {counts[status].toLocaleString('en')}</span>}
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
      aria-label="Category"
      value={categoryId}
      onChange={(event) => change({ categoryId: event.target.value }, { replace: true })}
    >
      <option value="">Every category</option>
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
  const offered = Object.entries(SORTS).filter(([sort]) => !filters.name || sort.startsWith('name'));
  return (
    <select
      aria-label="Order"
      value={filters.sort}
      onChange={(event) => change({ sort: event.target.value }, { replace: true })}
    >
      {offered.map(([sort, { label }]) => (
        <option key={sort} value={sort}>
          {label}
        </option>
      ))}
    </select>
  );
};

/** Which animals are shown: all of it stands in the address bar, so that a view can be shared. */
export const FilterBar = ({ nameRef, counts }: { nameRef: Ref<HTMLInputElement>; counts: Counts | undefined }) => (
  <search className="row filters" aria-label="Which animals">
    <NameFilter ref={nameRef} />
    <StatusFilter counts={counts} />
    <CategoryFilter />
    <SortChoice />
    <span className="push" />
    <ColumnMenu />
  </search>
);
