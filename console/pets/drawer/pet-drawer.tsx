import { useQueryClient } from '@tanstack/react-query';
import { ChevronDown, ChevronUp, Trash2 } from 'lucide-react';
import { useValue } from '../../data/value.ts';
import { ApiCall } from '../../kit/api-call.tsx';
import { Button } from '../../kit/button.tsx';
import { CopyLink } from '../../kit/code.tsx';
import { ErrorNote } from '../../kit/error-note.tsx';
import { Drawer } from '../../kit/overlay/drawer.tsx';
import { leaveNow } from '../../kit/overlay/leave.ts';
import { ifConnected } from '../../kit/overlay/toasts.tsx';
import { Skeleton } from '../../kit/placeholder.tsx';
import { useSession } from '../../session/session.ts';
import { openOrderOf } from '../open-orders.ts';
import type { PetVersion } from '../pet-cache.ts';
import { listedIds } from '../pet-table.tsx';
import { removeSoon } from '../remove-pets.ts';
import { texts } from '../texts.ts';
import { PetForm } from './pet-form.tsx';
import { PetOrders, usePetOrders } from './pet-orders.tsx';
import { PetStatus } from './pet-status.tsx';
import { usePetVersion, useSavePet } from './pet-version.ts';
import { PetTimeline } from './timeline.tsx';

type Props = { id: string; onClose: () => void; onOpen: (id: string) => void };

const Remove = ({ pet, onClose }: PetVersion & { onClose: () => void }) => {
  const session = useSession();
  const queries = useQueryClient();
  const { data = [] } = usePetOrders(String(pet.id));
  // The service refuses to delete a pet with an open order.
  if (openOrderOf(data)) return <span className="soft">{texts.drawer.cannotDelete}</span>;
  return (
    <Button
      kind="quiet danger"
      icon={Trash2}
      onClick={() => {
        if (ifConnected(() => removeSoon(session, queries, pet))) leaveNow(onClose);
      }}
    >
      {texts.drawer.delete}
    </Button>
  );
};

const Present = ({ version }: { version: PetVersion }) => {
  const id = String(version.pet.id);
  const save = useSavePet(id);
  return (
    <>
      <PetStatus version={version} save={save} />
      <PetForm version={version} save={save} />
    </>
  );
};

const Neighbours = ({ id, onOpen }: { id: string; onOpen: (id: string) => void }) => {
  const ids = useValue(listedIds);
  const at = ids.indexOf(id);
  const step = (to: string | undefined, label: string, icon: typeof ChevronUp) => (
    <Button kind="quiet" icon={icon} aria-label={label} disabled={!to} onClick={() => to && onOpen(to)} />
  );
  if (at < 0) return null;
  return (
    <>
      {step(ids[at - 1], texts.drawer.previous, ChevronUp)}
      {step(ids[at + 1], texts.drawer.next, ChevronDown)}
    </>
  );
};

export const PetDrawer = ({ id, onClose, onOpen }: Props) => {
  const { can } = useSession();
  const { data, error, isPending, refetch } = usePetVersion(id);
  return (
    <Drawer
      title={texts.drawer.title(id)}
      actions={
        <>
          <Neighbours id={id} onOpen={onOpen} />
          <CopyLink to={`?pet=${id}`} />
        </>
      }
      footer={data && can('pets:write') && <Remove {...data} onClose={onClose} />}
      onClose={onClose}
    >
      <div className="stack drawer-parts">
        {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
        {isPending && <Skeleton lines={6} />}
        {data && <Present version={data} />}
        {data === null && <p>{texts.drawer.notFound(id)}</p>}
        <PetTimeline id={id} />
        {data && <PetOrders id={id} />}
        <ApiCall
          method="GET"
          path={`/pets?ids=${id}`}
          code={`const [pet] = await petstore.pets.list({ ids: [${id}] }).toArray();`}
        />
      </div>
    </Drawer>
  );
};
