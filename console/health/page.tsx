import { Badge } from '../kit/badge.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { Plot } from '../kit/plot/plot.tsx';
import { titles } from '../texts.ts';
import { type Snapshot, sumOf } from './figures.ts';
import { PANELS, plotOf } from './panels.ts';
import { useSnapshots } from './snapshots.ts';
import { texts } from './texts.ts';

const showUp = (isUp: boolean) => (
  <Badge tone={isUp ? 'good' : 'bad'} shape={isUp ? 'check' : 'cross'}>
    {isUp ? texts.up : texts.down}
  </Badge>
);

const States = ({ now }: { now: Snapshot }) => {
  const redis = sumOf(now, 'petstore_redis_up');
  const build = now.samples.find(({ name }) => name === 'petstore_build_info')?.labels;
  return (
    <dl className="states">
      <div>
        <dt>{texts.database}</dt>
        <dd>{showUp((sumOf(now, 'petstore_database_up') ?? 1) > 0)}</dd>
      </div>
      <div>
        <dt>{texts.redis}</dt>
        <dd>{redis === undefined ? <span className="soft">{texts.notUsed}</span> : showUp(redis > 0)}</dd>
      </div>
      <div>
        <dt>{texts.version}</dt>
        <dd>{build?.version}</dd>
      </div>
    </dl>
  );
};

export const Page = () => {
  const { snapshots, error } = useSnapshots();
  const now = snapshots.at(-1);
  return (
    <>
      <div className="page-head">
        <h1>{titles.health}</h1>
        <span className="soft">{texts.scope}</span>
      </div>
      {error && <ErrorNote error={error} />}
      {now && <States now={now} />}
      {snapshots.length < 2 && !error && <Skeleton lines={10} />}
      <div className="cards">
        {PANELS.map((panel) => plotOf(panel, snapshots)).map(
          (plot) =>
            plot && (
              <section className="card" key={plot.label}>
                {/* uPlot cannot add or remove lines. If the lines change, a new React key creates the plot again. */}
                <Plot key={plot.lines.map(({ label }) => label).join()} {...plot} />
              </section>
            ),
        )}
      </div>
    </>
  );
};
