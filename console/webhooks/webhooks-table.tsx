import type { ReactNode } from 'react';
import type { Webhook } from '../../client/src/index.ts';
import type { useList } from '../data/list.ts';
import { ErrorNote } from '../kit/error-note.tsx';
import { Ends } from '../kit/table/ends.tsx';
import { Table } from '../kit/table/table.tsx';
import type { Column } from '../kit/table/table-head.tsx';
import { Time } from '../kit/time.tsx';
import { titles } from '../texts.ts';
import { Health, StateBadge } from './health.tsx';
import { texts } from './texts.ts';

const END = 12;

/** The end of a long URL stays visible, because endpoints on the same host often differ only there. */
const Endpoint = ({ url }: { url: string }) => <Ends text={url.replace(/^https?:\/\//, '')} end={-END} />;

const columns = (isFew: boolean): Column<Webhook>[] => [
  { name: 'Endpoint', width: '2fr', show: ({ url }) => <Endpoint url={url} /> },
  {
    name: 'Status',
    width: '7rem',
    phoneWidth: 'auto',
    show: (webhook) => <StateBadge of={webhook} />,
  },
  {
    name: 'Latest deliveries',
    width: isFew ? '8rem' : '14rem',
    isWide: true,
    show: ({ id }) => <Health of={id} isBrief />,
  },
  ...(isFew
    ? []
    : ([
        {
          name: 'Events',
          width: '1.5fr',
          isWide: true,
          show: ({ events }) => (
            <span className="soft" title={events.join(', ')}>
              {events.join(', ')}
            </span>
          ),
        },
        { name: 'Added', width: '7rem', isWide: true, show: ({ createdAt }) => <Time at={createdAt} /> },
      ] satisfies Column<Webhook>[])),
];

type Props = {
  webhooks: ReturnType<typeof useList<Webhook>>;
  opened: string | undefined;
  empty: ReactNode;
};

export const WebhooksTable = ({ webhooks, opened, empty }: Props) => {
  if (webhooks.error) return <ErrorNote error={webhooks.error} onRetry={webhooks.retry} />;
  return (
    <>
      <Table
        label={titles.webhooks}
        columns={columns(opened !== undefined)}
        rows={webhooks.rows}
        idOf={({ id }) => id}
        hrefOf={({ id }) => `/webhooks?webhook=${id}`}
        noteOf={({ events }) => events.join(', ')}
        openId={opened}
        onEnd={webhooks.more}
        isLoading={webhooks.isLoading}
        empty={empty}
      />
      {webhooks.rows.length > 0 && (
        <p className="foot">{texts.count(webhooks.rows.length, webhooks.more !== undefined)}</p>
      )}
    </>
  );
};
