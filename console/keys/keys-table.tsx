import type { Key } from '../../client/src/index.ts';
import { useList } from '../data/list.ts';
import { useEvents } from '../data/live.ts';
import { Badge } from '../kit/badge.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Table } from '../kit/table/table.tsx';
import type { Column } from '../kit/table/table-head.tsx';
import { Time, useNow } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { titles } from '../texts.ts';
import { stateOf } from './key-state.ts';
import { WindowBars } from './window-bars.tsx';

const columnsAt = (now: number): Column<Key>[] => [
  { name: 'Name', width: '2fr', show: ({ name }) => name },
  {
    name: 'Status',
    width: '1fr',
    show: (key) => {
      const { word, tone, shape } = stateOf(key, now);
      return (
        <Badge tone={tone} shape={shape}>
          {word}
        </Badge>
      );
    },
  },
  { name: 'Plan', width: '1fr', show: ({ plan }) => plan },
  { name: 'Rate limits', width: '1.5fr', isWide: true, show: (key) => <WindowBars of={key} /> },
  { name: 'Store', width: '5rem', isWide: true, show: ({ storeId }) => String(storeId) },
  { name: 'Last used', width: '1fr', show: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
  { name: 'Secret', width: '6rem', isWide: true, show: ({ last4 }) => <code>…{last4}</code> },
];

export const KeysTable = ({ onOpen }: { onOpen: (id: string) => void }) => {
  const { petstore } = useSession();
  const now = useNow(10_000);
  const keys = useList(['keys', 'all'], (query) => petstore.keys.list({ ...query, order: 'desc' }));
  useEvents(
    ['key.created', 'key.updated', 'key.rotated', 'key.revoked', 'key.banned', 'key.unbanned'],
    () => void keys.retry(),
  );
  if (keys.error) return <ErrorNote error={keys.error} onRetry={keys.retry} />;
  return (
    <Table
      label={titles.keys}
      columns={columnsAt(now)}
      rows={keys.rows}
      idOf={({ id }) => id}
      onOpen={({ id }) => onOpen(id)}
      onEnd={keys.more}
      isLoading={keys.isLoading}
    />
  );
};
