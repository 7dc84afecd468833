import { Info } from 'lucide-react';
import type { HealthSeries } from '../../client/src/index.ts';
import { Badge } from '../kit/badge.tsx';
import { Plot } from '../kit/plot/plot.tsx';
import { type Chart, countErrors } from './charts.ts';
import { latest } from './series.ts';
import { texts } from './texts.ts';

const HEIGHT_PX = 56;

type Props = { chart: Chart; health: HealthSeries; mark: string | undefined };

export const ChartCard = ({ chart: { title, about, lines, show, least = 0, note }, health, mark }: Props) => {
  const drawn = lines(health.series);
  const value = latest(drawn[0]?.values ?? []);
  if (value === undefined) return null;
  return (
    <section className="card mini" aria-label={title}>
      <h3>
        {title}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users need the explanation too. */}
        <span className="tooltip" data-tip={about} role="img" aria-label={about} tabIndex={0}>
          <Info className="icon s" />
        </span>
        {mark !== undefined && (
          <Badge tone="warn" shape="warning">
            {mark}
          </Badge>
        )}
      </h3>
      <p>
        <b>{show(value)}</b> {note(health.series)}
      </p>
      <Plot
        label={title}
        times={health.times.map((time) => Date.parse(time) / 1000)}
        lines={drawn}
        show={show}
        least={least}
        height={HEIGHT_PX}
      />
    </section>
  );
};

export const Errors = ({ of }: { of: HealthSeries }) => {
  const counts = countErrors(of);
  const most = counts[0]?.count ?? 0;
  if (counts.length === 0) return <p className="soft">{texts.errors.none}</p>;
  return (
    <ul className="items codes">
      {counts.map(({ code, count }) => (
        <li key={code}>
          <code>{code}</code>
          <span className="number">{texts.errors.count(count)}</span>
          <meter min={0} max={most} value={count} className="warn" aria-label={code} />
        </li>
      ))}
    </ul>
  );
};
