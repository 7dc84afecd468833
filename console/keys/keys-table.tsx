import type { Key } from '../../client/src/index.ts';
import type { useList } from '../data/list.ts';
import { ErrorNote } from '../kit/error-note.tsx';
import { Table } from '../kit/table/table.tsx';
import type { Column } from '../kit/table/table-head.tsx';
import { capitalized } from '../kit/text.ts';
import { Time, useNow } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { titles } from '../texts.ts';
import { texts } from './texts.ts';
import { StateBadge, WindowBars } from './window-bars.tsx';

const columnsAt = (now: number, isFew: boolean, usedAt: (key: Key) => string | null): Column<Key>[] => [
  { name: 'Name', width: '2fr', show: ({ name }) => name },
  { name: 'Status', width: '7.5rem', phoneWidth: 'auto', show: (key) => <StateBadge of={key} now={now} /> },
  {
    name: isFew ? 'Used' : 'Requests used',
    width: isFew ? '6rem' : '8.5rem',
    isWide: true,
    show: (key) => <WindowBars of={key} isFew={isFew} />,
  },
  {
    name: 'Last used',
    width: isFew ? '6rem' : '6.5rem',
    isWide: true,
    show: (key) => <Time at={usedAt(key)} />,
  },
  ...(isFew
    ? []
    : ([
        { name: 'Plan', width: '1fr', isWide: true, show: ({ plan }) => capitalized(plan) },
        { name: 'Store', width: '5rem', isWide: true, show: ({ storeId }) => String(storeId) },
        { name: 'Created', width: '7rem', isWide: true, show: ({ createdAt }) => <Time at={createdAt} /> },
        { name: 'Key ends in', width: '6rem', isWide: true, show: ({ last4 }) => <code>{last4}</code> },
      ] satisfies Column<Key>[])),
];

type Props = { keys: ReturnType<typeof useList<Key>>; opened: string | undefined };

export const KeysTable = ({ keys, opened }: Props) => {
  const { me } = useSession();
  const now = useNow(10_000);
  // `lastUsedAt` is updated with a delay. The user's own key was used to fetch this list, so its row shows the time of
  // that fetch instead.
  const usedAt = ({ id, lastUsedAt }: Key): string | null =>
    id === me.id && keys.updatedAt > 0 ? new Date(keys.updatedAt).toISOString() : lastUsedAt;
  if (keys.error) return <ErrorNote error={keys.error} onRetry={keys.retry} />;
  return (
    <>
      <Table
        label={titles.keys}
        columns={columnsAt(now, opened !== undefined, usedAt)}
        rows={keys.rows}
        idOf={({ id }) => id}
        hrefOf={({ id }) => `/keys?key=${id}`}
        noteOf={(key) => {
          const at = usedAt(key);
          return texts.phoneNote(key.plan, at === null ? texts.neverUsed : texts.lastUsed(<Time at={at} />));
        }}
        openId={opened}
        onEnd={keys.more}
        isLoading={keys.isLoading}
      />
      {!keys.isLoading && <p className="foot">{texts.count(keys.rows.length, keys.more !== undefined)}</p>}
    </>
  );
};
