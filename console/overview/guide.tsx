import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { useRefresh } from '../data/refresh.ts';
import { createValue } from '../data/value.ts';
import { Button } from '../kit/button.tsx';
import { leave } from '../kit/overlay/leave.ts';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { FirstCall, IssueKey } from './developer-steps.tsx';
import { AddPets, Invite, TakeOrder } from './shop-steps.tsx';
import { texts } from './texts.ts';

export type Progress = { hasPets: boolean; hasOrders: boolean };

/** Returns undefined until the service has responded, and also if the key lacks the scopes for the guide's steps. */
export const useProgress = (): Progress | undefined => {
  const { petstore, can } = useSession();
  useRefresh(['pet.created', 'pet.deleted', 'order.placed'], ['pets', 'progress']);
  return useQuery({
    queryKey: ['pets', 'progress'],
    queryFn: async (): Promise<Progress> => {
      const [pets, orders] = await Promise.all([
        petstore.pets.list({ limit: 1 }).page(),
        petstore.orders.list({ limit: 1 }).page(),
      ]);
      return { hasPets: pets.items.length > 0, hasOrders: orders.items.length > 0 };
    },
    enabled: can('pets:read') && can('pets:write') && can('orders:read') && can('orders:write'),
  }).data;
};

export const isClosed = createValue(false);

type Tab = keyof typeof texts.guide.tabs;
const TABS = Object.keys(texts.guide.tabs) as Tab[];

const Tabs = ({ tab, onChange }: { tab: Tab; onChange: (tab: Tab) => void }) => {
  const onKeyDown = ({ key, currentTarget }: KeyboardEvent<HTMLElement>) => {
    if (key !== 'ArrowLeft' && key !== 'ArrowRight') return;
    const next = TABS[(TABS.indexOf(tab) + 1) % TABS.length] as Tab;
    onChange(next);
    currentTarget.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus();
  };
  return (
    <div className="segments" role="tablist" aria-label={texts.guide.title} onKeyDown={onKeyDown}>
      {TABS.map((one) => (
        <button
          key={one}
          type="button"
          role="tab"
          data-tab={one}
          id={`guide-${one}`}
          aria-controls={`guide-steps-${one}`}
          aria-selected={one === tab}
          tabIndex={one === tab ? 0 : -1}
          onClick={() => onChange(one)}
        >
          {texts.guide.tabs[one]}
        </button>
      ))}
    </div>
  );
};

const DeveloperSteps = ({ onArrived }: { onArrived: () => void }) => {
  const { can } = useSession();
  const [issued, setIssued] = useState<string | null>(null);
  return (
    <ol>
      {can('keys:write') && <IssueKey onIssued={setIssued} />}
      <FirstCall secret={issued} onArrived={onArrived} />
    </ol>
  );
};

export const Guide = ({ progress: { hasPets, hasOrders }, onClose }: { progress: Progress; onClose: () => void }) => {
  const [tab, setTab] = useState<Tab>('shop');
  const [hasArrived, setArrived] = useState(false);
  return (
    <section className="panel guide" aria-label={texts.guide.title}>
      <header>
        <h2>{texts.guide.title}</h2>
        <Tabs tab={tab} onChange={setTab} />
        <Button className="small push" onClick={() => leave(onClose)}>
          {hasArrived ? common.done : texts.guide.close}
        </Button>
      </header>
      {/* Both lists stay mounted, because either may contain a key that is shown only once. */}
      <div
        id="guide-steps-shop"
        role="tabpanel"
        aria-labelledby="guide-shop"
        className="inside"
        hidden={tab !== 'shop'}
      >
        <ol>
          <AddPets isDone={hasPets} />
          <TakeOrder hasPets={hasPets} isDone={hasOrders} />
          <Invite />
        </ol>
      </div>
      <div
        id="guide-steps-developer"
        role="tabpanel"
        aria-labelledby="guide-developer"
        className="inside"
        hidden={tab !== 'developer'}
      >
        <DeveloperSteps onArrived={() => setArrived(true)} />
      </div>
    </section>
  );
};
