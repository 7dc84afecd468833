import type { RefObject } from 'react';
import { useSearchParams } from 'wouter';
import { visibleTypes } from '../data/event-types.ts';
import { Button } from '../kit/button.tsx';
import { EventBoxes } from '../kit/event-boxes.tsx';
import { useSession } from '../session/session.ts';
import { type Filter, isFiltered, writeFilter } from './filter.ts';
import { texts } from './texts.ts';

const NUMBERS = [
  { name: 'pet', label: texts.filter.pet },
  { name: 'order', label: texts.filter.order },
] as const;

export const FilterBar = ({ filter, first }: { filter: Filter; first: RefObject<HTMLInputElement | null> }) => {
  const { can } = useSession();
  const [, setSearch] = useSearchParams();
  const change = (changed: Partial<Filter>) => setSearch((now) => writeFilter(now, changed), { replace: true });
  const { types } = filter;
  return (
    <div className="event-filters">
      <div className="row">
        {NUMBERS.map(({ name, label }, index) => (
          <label key={name}>
            {label}{' '}
            <input
              {...(index === 0 ? { ref: first } : {})}
              type="search"
              inputMode="numeric"
              placeholder={texts.filter.id}
              value={filter[name]}
              onChange={(event) => change({ [name]: event.target.value.replaceAll(/\D/g, '') })}
            />
          </label>
        ))}
        {isFiltered(filter) && (
          <Button onClick={() => change({ types: [], pet: '', order: '' })}>{texts.filter.clear}</Button>
        )}
      </div>
      <details>
        <summary>{types.length === 0 ? texts.filter.allTypes : texts.filter.types(types)}</summary>
        <EventBoxes
          legend={texts.filter.legend}
          types={visibleTypes(can)}
          chosen={types}
          onChange={(chosen) => change({ types: chosen })}
        />
      </details>
    </div>
  );
};
