import type { EventType } from '../../client/src/index.ts';
import { EVENT_KINDS, kindOf, wordsOf } from '../data/event-types.ts';
import { texts } from '../texts.ts';
import { Button } from './button.tsx';

type Props = {
  legend: string;
  types: readonly EventType[];
  chosen: readonly EventType[];
  onChange: (chosen: EventType[]) => void;
  error?: string | undefined;
};

export const EventBoxes = ({ legend, types, chosen, onChange, error }: Props) => {
  const toggle = (type: EventType) =>
    onChange(chosen.includes(type) ? chosen.filter((one) => one !== type) : [...chosen, type]);
  return (
    <fieldset className="event-boxes">
      <legend>{legend}</legend>
      {EVENT_KINDS.map(({ kind, title }) => {
        const group = types.filter((type) => kindOf(type) === kind);
        const others = chosen.filter((type) => !group.includes(type));
        const isAll = group.every((type) => chosen.includes(type));
        const label = isAll ? texts.eventBoxes.none : texts.eventBoxes.all;
        if (group.length === 0) return null;
        return (
          <fieldset key={kind} aria-label={title}>
            <div className="row">
              <strong>{title}</strong>
              <Button
                kind="quiet"
                className="small"
                aria-label={texts.eventBoxes.of(label, title)}
                onClick={() => onChange(isAll ? others : [...others, ...group])}
              >
                {label}
              </Button>
            </div>
            {group.map((type) => (
              <label key={type}>
                <input type="checkbox" checked={chosen.includes(type)} onChange={() => toggle(type)} />
                <span>
                  <code>{type}</code> <span className="soft">{wordsOf(type)}</span>
                </span>
              </label>
            ))}
          </fieldset>
        );
      })}
      {error && (
        <p className="said bad" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
};
