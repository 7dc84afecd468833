import { type Ref, useEffect, useEffectEvent, useState } from 'react';
import type { Counts } from '../data/counts.ts';
import { useCategories } from './categories.tsx';
import { isNarrow, readIds, SORTS, useAddress } from './filters.ts';
import { STATUSES } from './moves.ts';
import { ColumnMenu } from './pet-columns.tsx';

/** So long after the last key a name is looked for. */
const TYPING_MS = 250;

type TypedProps = {
  param: 'name' | 'ids';
  label: string;
  /** The text as the address bar has it; undefined where it can mean nothing. */
  read: (typed: string) => string | undefined;
  /** What is wrong with a text that means nothing. */
  fault?: string;
  ref?: Ref<HTMLInputElement>;
};

/** A filter that is typed. */
const TypedFilter = ({ param, label, read, fault, ref }: TypedProps) => {
  const { filters, change } = useAddress();
  const now = filters[param] ?? '';
  const [typed, setTyped] = useState(now);
  const meant = read(typed);
  const look = useEffectEvent(() => {
    if (meant !== undefined && meant !== now) change({ [param]: meant }, { replace: true });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it waits anew with every key.
  useEffect(() => {
    const timer = setTimeout(look, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  // The address bar has changed by itself: by a link, or because all are to be shown.
  const follow = useEffectEvent((to: string) => {
    if (meant !== to) setTyped(to);
  });
  useEffect(() => follow(now), [now]);
  return (
    <>
      <input
        ref={ref}
        type="search"
        className={param}
        aria-label={label}
        aria-invalid={meant === undefined}
        placeholder={label}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {meant === undefined && (
        <span role="alert" className="said bad">
          {fault}
        </span>
      )}
    </>
  );
};

const StatusFilter = ({ counts: all }: { counts: Counts | undefined }) => {
  const { filters, change } = useAddress();
  // The counts are of the whole store: beside another filter they would mislead.
  const counts = isNarrow(filters) ? undefined : all;
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
    <TypedFilter param="name" label="Name begins with" read={(typed) => typed.trim()} ref={nameRef} />
    <StatusFilter counts={counts} />
    <CategoryFilter />
    <TypedFilter param="ids" label="Ids" read={readIds} fault="Up to 100 whole numbers, with commas between them." />
    <SortChoice />
    <span className="push" />
    <ColumnMenu />
  </search>
);
