import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { curlLine } from '../kit/api-call.tsx';
import { Button } from '../kit/button.tsx';
import { EmptyState } from '../kit/placeholder.tsx';
import { useCommands } from '../shell/commands.ts';
import { titles } from '../texts.ts';
import { CreateWebhook } from './create-webhook.tsx';
import { LaptopGuide } from './laptop-guide.tsx';
import { texts } from './texts.ts';
import { WebhookDrawer } from './webhook-drawer.tsx';
import { WebhooksTable } from './webhooks-table.tsx';

const EXAMPLE = { url: 'https://shop.example/hooks', events: ['pet.created'] };

export const Page = () => {
  const [search, setSearch] = useSearchParams();
  const [isAdding, setAdding] = useState(false);
  useCommands([{ label: texts.add, keys: 'n', run: () => setAdding(true) }]);
  const opened = search.get('webhook');
  const open = (id: string) => setSearch({ webhook: id });
  const add = (
    <Button kind="primary" onClick={() => setAdding(true)}>
      {texts.add}
    </Button>
  );
  return (
    <>
      <div className="page-head">
        <h1>{titles.webhooks}</h1>
        {add}
      </div>
      <WebhooksTable
        onOpen={open}
        empty={
          <EmptyState title={texts.empty.title} action={add} curl={curlLine('POST', '/webhooks', EXAMPLE)}>
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
