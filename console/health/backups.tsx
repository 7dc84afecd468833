import type { Backup } from '../../client/src/index.ts';
import { useBackups } from '../data/use-backups.ts';
import { useValue } from '../data/value.ts';
import { Badge } from '../kit/badge.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Panel } from '../kit/panel.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { Time } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { BackUpNow, unsupported } from './back-up-now.tsx';
import { texts } from './texts.ts';

const STATES = {
  running: { tone: 'warn', shape: 'clock' },
  done: { tone: 'good', shape: 'check' },
  failed: { tone: 'bad', shape: 'cross' },
} as const;

const Line = ({ of: { state, startedAt, finishedAt, bytes, file, error } }: { of: Backup }) => (
  <li>
    <span>
      <Badge {...STATES[state]}>{texts.backups.states[state]}</Badge> <Time at={startedAt} />
      {bytes !== null && finishedAt !== null && (
        <span className="soft">{texts.backups.size(bytes, Date.parse(finishedAt) - Date.parse(startedAt))}</span>
      )}
    </span>
    {file && <code>{file}</code>}
    {error && <span className="error">{error}</span>}
  </li>
);

export const Backups = ({ hasFile }: { hasFile: boolean }) => {
  const { can } = useSession();
  const { data, error, refetch } = useBackups();
  const canStart = hasFile && can('keys:write');
  const reason = useValue(unsupported);
  return (
    <Panel title={texts.backups.title} end={canStart && <BackUpNow />}>
      {error && <ErrorNote error={error} onRetry={() => refetch()} />}
      {!data && !error && <Skeleton lines={2} />}
      {data?.length === 0 && (
        <p className="soft" role="status">
          {reason || (hasFile ? texts.backups.none : texts.backups.postgres)}
        </p>
      )}
      {data && data.length > 0 && (
        <ol className="items backups">
          {data.map((backup) => (
            <Line key={backup.startedAt + backup.file} of={backup} />
          ))}
        </ol>
      )}
      {hasFile && !reason && <p className="soft small">{texts.backups.note}</p>}
    </Panel>
  );
};
