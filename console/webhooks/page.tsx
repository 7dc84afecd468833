import { useQueryClient } from '@tanstack/react-query';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { useList } from '../data/list.ts';
import { useEvents } from '../data/live.ts';
import { usePoll } from '../data/poll.ts';
import { useRefresh } from '../data/refresh.ts';
import { Button } from '../kit/button.tsx';
import { PageHead } from '../kit/page-head.tsx';
import { EmptyState } from '../kit/placeholder.tsx';
import { useNow } from '../kit/time.tsx';
import { Updated } from '../kit/updated.tsx';
import { useSession } from '../session/session.ts';
import { useCommands } from '../shell/commands.ts';
import { titles } from '../texts.ts';
import { CreateWebhook } from './create-webhook.tsx';
import { LaptopGuide } from './laptop-guide.tsx';
import { texts } from './texts.ts';
import { HEALTH, refreshMs } from './webhook-cache.ts';
import { WebhookDrawer } from './webhook-drawer.tsx';
import { WebhooksTable } from './webhooks-table.tsx';

/** Keys without `keys:write` receive no events about webhooks, so the list is also refreshed at intervals. */
const useWebhookList = () => {
  const { petstore } = useSession();
  const webhooks = useList(['webhooks', 'all'], (query) => petstore.webhooks.list({ ...query, order: 'desc' }));
  usePoll(() => {
    if (webhooks.pages <= 1) void webhooks.retry();
  });
  useEvents(['webhook.created', 'webhook.updated', 'webhook.disabled', 'webhook.deleted'], () => void webhooks.retry());
  useRefresh(undefined, HEALTH, refreshMs(webhooks.rows.length));
  return webhooks;
};

/** The statuses may be older than the list, so the page shows the update time of the oldest data. */
const OldestUpdate = ({ at }: { at: number }) => {
  const queries = useQueryClient();
  useNow();
  const health = queries.getQueryCache().findAll({ queryKey: HEALTH, type: 'active' });
  return <Updated at={Math.min(at, ...health.map(({ state }) => state.dataUpdatedAt || at))} />;
};

export const Page = () => {
  const [search, setSearch] = useSearchParams();
  const [isAdding, setAdding] = useState(false);
  const webhooks = useWebhookList();
  useCommands([{ label: texts.add, keys: 'n', run: () => setAdding(true) }]);
  const opened = search.get('webhook') ?? undefined;
  const open = (id: string) => setSearch({ webhook: id });
  const add = (
    <Button kind="primary" icon={Plus} onClick={() => setAdding(true)}>
      {texts.add}
    </Button>
  );
  const isEmpty = !webhooks.isLoading && !webhooks.error && webhooks.rows.length === 0;
  return (
    <>
      <PageHead
        title={titles.webhooks}
        note={
          <>
            <span className="about">{texts.note} · </span>
            <OldestUpdate at={webhooks.updatedAt} />
          </>
        }
      >
        {!isEmpty && add}
      </PageHead>
      <WebhooksTable
        webhooks={webhooks}
        opened={opened}
        empty={
          <EmptyState title={texts.empty.title} icon={WebhookIcon} action={add}>
            {texts.empty.text}
          </EmptyState>
        }
      />
      <LaptopGuide />
      {isAdding && (
        <CreateWebhook
          onClose={() => setAdding(false)}
          onMade={(id) => {
            setAdding(false);
            open(id);
          }}
        />
      )}
      {opened && <WebhookDrawer key={opened} id={opened} onClose={() => setSearch({})} />}
    </>
  );
};
