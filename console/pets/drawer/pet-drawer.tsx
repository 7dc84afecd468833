import { useQueryClient } from '@tanstack/react-query';
import { ApiCall } from '../../kit/api-call.tsx';
import { Button } from '../../kit/button.tsx';
import { ErrorNote } from '../../kit/error-note.tsx';
import { Drawer } from '../../kit/overlay/drawer.tsx';
import { leaveNow } from '../../kit/overlay/leave.ts';
import { Skeleton } from '../../kit/placeholder.tsx';
import { isolated } from '../../kit/text.ts';
import { useSession } from '../../session/session.ts';
import { common } from '../../texts.ts';
import { openOrderOf } from '../open-orders.ts';
import type { PetVersion } from '../pet-cache.ts';
import { removeSoon } from '../remove-pets.ts';
import { texts } from '../texts.ts';
import { PetForm } from './pet-form.tsx';
import { PetOrders, PetStatus, usePetOrders } from './pet-status.tsx';
import { usePetVersion, useSavePet } from './pet-version.ts';
import { Timeline } from './timeline.tsx';

type Props = { id: string; onClose: () => void };

const Remove = ({ pet, onClose }: PetVersion & { onClose: () => void }) => {
  const session = useSession();
  const queries = useQueryClient();
  const { data = [] } = usePetOrders(String(pet.id));
  // The service refuses to delete a pet with an open order.
  if (!session.can('pets:write') || openOrderOf(data)) return null;
  return (
    <Button
      kind="quiet danger"
      onClick={() => {
        removeSoon(session, queries, pet);
        leaveNow(onClose);
      }}
    >
      {common.delete}
    </Button>
  );
};

const Present = ({ version, onClose }: { version: PetVersion; onClose: () => void }) => {
  const { pet } = version;
  const id = String(pet.id);
  const save = useSavePet(id);
  return (
    <>
      <PetStatus version={version} save={save} />
      <PetForm version={version} save={save} />
      <PetOrders id={id} />
      <ApiCall
        method="GET"
        path={`/pets?ids=${id}`}
        code={`const [pet] = await petstore.pets.list({ ids: [${id}] }).toArray();`}
      />
      <div>
        <Remove {...version} onClose={onClose} />
      </div>
    </>
  );
};

export const PetDrawer = ({ id, onClose }: Props) => {
  const { data, error, isPending, refetch } = usePetVersion(id);
  return (
    <Drawer
      title={data ? texts.drawer.namedTitle(isolated(data.pet.name), id) : texts.drawer.title(id)}
      onClose={onClose}
    >
      <div className="stack drawer-parts">
        {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
        {isPending && <Skeleton lines={6} />}
        {data && <Present version={data} onClose={onClose} />}
        {data === null && <p>{texts.drawer.notFound(id)}</p>}
        <Timeline id={id} />
      </div>
    </Drawer>
  );
};
