import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useRefresh } from '../data/refresh.ts';
import { Button } from '../kit/button.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { AddFirst, FirstCall, IssueKey } from './steps.tsx';
import { texts } from './texts.ts';

export const useIsEmpty = (): boolean | undefined => {
  const { petstore, can } = useSession();
  useRefresh(['pet.created', 'pet.deleted'], ['pets', 'any']);
  return useQuery({
    queryKey: ['pets', 'any'],
    queryFn: async () => (await petstore.pets.list({ limit: 1 }).page()).items.length === 0,
    enabled: can('pets:read'),
  }).data;
};

export const Guide = ({ isEmpty, onClose }: { isEmpty: boolean; onClose: () => void }) => {
  const { can } = useSession();
  const [issued, setIssued] = useState<string | null>(null);
  const [hasArrived, setArrived] = useState(false);
  return (
    <section className="card guide" aria-label={texts.guide.title}>
      <header className="row">
        <h2>{texts.guide.title}</h2>
        <Button className="small" onClick={onClose}>
          {hasArrived ? common.done : texts.guide.close}
        </Button>
      </header>
      <ol>
        <AddFirst isDone={!isEmpty} />
        {can('keys:write') && <IssueKey onIssued={setIssued} />}
        <FirstCall secret={issued} onArrived={() => setArrived(true)} />
      </ol>
    </section>
  );
};
