import type { ReactNode } from 'react';
import type { Webhook } from '../../client/src/index.ts';
import { useList } from '../data/list.ts';
import { useEvents } from '../data/live.ts';
import { Badge } from '../kit/badge.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Table } from '../kit/table/table.tsx';
import type { Column } from '../kit/table/table-head.tsx';
import { Time } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { titles } from '../texts.ts';
import { Health } from './health.tsx';
import { texts } from './texts.ts';
import { reasonOf, stateOf } from './webhook-state.ts';

const COLUMNS: Column<Webhook>[] = [
  { name: 'Endpoint', width: '2fr', show: ({ url }) => <span title={url}>{url}</span> },
  {
    name: 'Status',
    width: '1.2fr',
    show: (webhook) => {
      const { word, tone, shape } = stateOf(webhook);
      const reason = reasonOf(webhook);
      return (
        <span title={reason}>
          <Badge tone={tone} shape={shape}>
            {word}
          </Badge>
          {reason && <span className="soft">{texts.reason(reason)}</span>}
        </span>
      );
    },
  },
  { name: 'Health', width: '13rem', isWide: true, show: ({ id }) => <Health of={id} /> },
  {
    name: 'Events',
    width: '1.5fr',
    isWide: true,
    show: ({ events }) => <span title={events.join(', ')}>{events.join(', ')}</span>,
  },
  { name: 'Added', width: '6rem', isWide: true, show: ({ createdAt }) => <Time at={createdAt} /> },
];

export const WebhooksTable = ({ onOpen, empty }: { onOpen: (id: string) => void; empty: ReactNode }) => {
  const { petstore } = useSession();
  const webhooks = useList(['webhooks', 'all'], (query) => petstore.webhooks.list({ ...query, order: 'desc' }));
  useEvents(['webhook.created', 'webhook.updated', 'webhook.disabled', 'webhook.deleted'], () => void webhooks.retry());
  if (webhooks.error) return <ErrorNote error={webhooks.error} onRetry={webhooks.retry} />;
  return (
    <Table
      label={titles.webhooks}
      columns={COLUMNS}
      rows={webhooks.rows}
      idOf={({ id }) => id}
      onOpen={({ id }) => onOpen(id)}
      onEnd={webhooks.more}
      isLoading={webhooks.isLoading}
      empty={empty}
    />
  );
};
