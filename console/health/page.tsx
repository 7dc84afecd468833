import { Badge } from '../kit/badge.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { Plot } from '../kit/plot/plot.tsx';
import { type Snapshot, sumOf } from './figures.ts';
import { PANELS, plotOf } from './panels.ts';
import { useSnapshots } from './snapshots.ts';

const showUp = (isUp: boolean) => (
  <Badge tone={isUp ? 'good' : 'bad'} shape={isUp ? '●' : '✕'}>
    {isUp ? 'up' : 'away'}
  </Badge>
);

/** State of the database and of Redis if configured, and the running version. */
const States = ({ now }: { now: Snapshot }) => {
  const redis = sumOf(now, 'petstore_redis_up');
  const build = now.samples.find(({ name }) => name === 'petstore_build_info')?.labels;
  return (
    <dl className="states">
      <div>
        <dt>Database</dt>
        <dd>{showUp((sumOf(now, 'petstore_database_up') ?? 1) > 0)}</dd>
      </div>
      <div>
        <dt>Redis</dt>
        <dd>{redis === undefined ? <span className="soft">not used</span> : showUp(redis > 0)}</dd>
      </div>
      <div>
        <dt>Version</dt>
        <dd>{build?.version}</dd>
      </div>
    </dl>
  );
};

/** Health of the instance that answers, from `/metrics`. */
export const Page = () => {
  const { snapshots, error } = useSnapshots();
  const now = snapshots.at(-1);
  return (
    <>
      <div className="page-head">
        <h1>Health</h1>
        <span className="soft">of the instance that answers, up to the last 15 minutes</span>
      </div>
      {error && <ErrorNote error={error} />}
      {now && <States now={now} />}
      {snapshots.length < 2 && !error && <Skeleton lines={10} />}
      <div className="cards">
        {PANELS.map((panel) => plotOf(panel, snapshots)).map(
          (plot) =>
            plot && (
              <section className="card" key={plot.label}>
                {/* The key recreates the drawing when its lines change. */}
                <Plot key={plot.lines.map(({ label }) => label).join()} {...plot} />
              </section>
            ),
        )}
      </div>
    </>
  );
};
