import { type Ref, useEffect, useEffectEvent, useState } from 'react';
import type { Counts } from '../data/counts.ts';
import { common } from '../texts.ts';
import { useCategories } from './categories.tsx';
import { isNarrow, readIds, SORTS, useAddress } from './filters.ts';
import { STATUSES } from './moves.ts';
import { ColumnMenu } from './pet-columns.tsx';
import { texts } from './texts.ts';

const TYPING_MS = 250;

type TypedProps = {
  param: 'name' | 'ids';
  label: string;
  read: (typed: string) => string | undefined;
  fault?: string;
  ref?: Ref<HTMLInputElement>;
};

const TypedFilter = ({ param, label, read, fault, ref }: TypedProps) => {
  const { filters, change } = useAddress();
  const now = filters[param] ?? '';
  const [typed, setTyped] = useState(now);
  const meant = read(typed);
  const look = useEffectEvent(() => {
    if (meant !== undefined && meant !== now) change({ [param]: meant }, { replace: true });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: every keystroke restarts the delay.
  useEffect(() => {
    const timer = setTimeout(look, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
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
  // The counts are for the whole store, so they would be misleading next to other filters.
  const counts = isNarrow(filters) ? undefined : all;
  return (
    <fieldset className="segments">
      <legend className="unseen">{common.status}</legend>
      {([undefined, ...STATUSES] as const).map((status) => (
        <label key={status ?? ''}>
          <input
            type="radio"
            name="status"
            checked={filters.status === status}
            onChange={() => change({ status: status ?? '' }, { replace: true })}
          />
          {status ?? texts.filters.allStatuses}
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
      aria-label={common.category}
      value={categoryId}
      onChange={(event) => change({ categoryId: event.target.value }, { replace: true })}
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
  const offered = Object.entries(SORTS).filter(([sort]) => !filters.name || sort.startsWith('name'));
  return (
    <select
      aria-label={texts.filters.sort}
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

export const FilterBar = ({ nameRef, counts }: { nameRef: Ref<HTMLInputElement>; counts: Counts | undefined }) => (
  <search className="row filters" aria-label={texts.filters.title}>
    <TypedFilter param="name" label={texts.filters.name} read={(typed) => typed.trim()} ref={nameRef} />
    <StatusFilter counts={counts} />
    <CategoryFilter />
    <TypedFilter param="ids" label={texts.filters.ids} read={readIds} fault={texts.filters.notIds} />
    <SortChoice />
    <span className="push" />
    <ColumnMenu />
  </search>
);
