import { ListFilter, PawPrint, ShoppingBag } from 'lucide-react';
import type { RefObject } from 'react';
import { useSearchParams } from 'wouter';
import { visibleTypes } from '../data/event-types.ts';
import { useKeys } from '../data/use-key-names.ts';
import { Button } from '../kit/button.tsx';
import { EventBoxes } from '../kit/event-boxes.tsx';
import { useSession } from '../session/session.ts';
import { type Filter, isFiltered, NO_FILTER, writeFilter } from './filter.ts';
import { texts } from './texts.ts';

const NUMBERS = [
  { name: 'pet', label: texts.filter.pet, icon: PawPrint },
  { name: 'order', label: texts.filter.order, icon: ShoppingBag },
] as const;
/** The largest id has 19 digits, but not every 19-digit number is a valid id. */
const MAX_DIGITS = 18;

const ActorChoice = ({ by, onChange }: { by: string; onChange: (by: string) => void }) => {
  const { data = [] } = useKeys();
  return (
    <select aria-label={texts.filter.by} value={by} onChange={({ target }) => onChange(target.value)}>
      <option value="">{texts.filter.anyone}</option>
      {data.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
};

export const FilterBar = ({ filter, first }: { filter: Filter; first: RefObject<HTMLInputElement | null> }) => {
  const { can } = useSession();
  const [, setSearch] = useSearchParams();
  const change = (changed: Partial<Filter>) => setSearch((now) => writeFilter(now, changed), { replace: true });
  const { types } = filter;
  return (
    <div className="event-filters">
      <div className="row">
        {NUMBERS.map(({ name, label, icon: Icon }, index) => (
          <span className="input" key={name}>
            <Icon className="icon" />
            <input
              {...(index === 0 ? { ref: first } : {})}
              type="search"
              aria-label={label}
              inputMode="numeric"
              maxLength={MAX_DIGITS}
              placeholder={texts.filter.id(label)}
              value={filter[name]}
              onChange={(event) => change({ [name]: event.target.value.replaceAll(/\D/g, '') })}
            />
          </span>
        ))}
        {can('keys:write') && <ActorChoice by={filter.by} onChange={(by) => change({ by })} />}
        <details>
          <summary className="button">
            <ListFilter className="icon" />
            {types.length === 0 ? texts.filter.allTypes : texts.filter.types(types)}
          </summary>
          <EventBoxes
            legend={texts.filter.legend}
            types={visibleTypes(can)}
            chosen={types}
            onChange={(chosen) => change({ types: chosen })}
          />
        </details>
        {isFiltered(filter) && (
          <Button kind="quiet" onClick={() => change(NO_FILTER)}>
            {texts.filter.clear}
          </Button>
        )}
      </div>
    </div>
  );
};
