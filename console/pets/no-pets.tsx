import { curlLine } from '../kit/api-call.tsx';
import { Button } from '../kit/button.tsx';
import { EmptyState } from '../kit/placeholder.tsx';
import { useSession } from '../session/session.ts';
import { type Filters, isNarrow, useAddress } from './filters.ts';

/** Replaces the table if no pet matches the filters or the store is empty. */
export const NoPets = ({ filters }: { filters: Filters }) => {
  const { can } = useSession();
  const { change } = useAddress();
  if (filters.status || isNarrow(filters)) {
    return (
      <EmptyState
        title="No animal fits"
        action={
          <Button onClick={() => change({ status: '', categoryId: '', name: '', ids: '' }, { replace: true })}>
            Show all
          </Button>
        }
      >
        Names are looked for by how they begin. Filters combine.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No animals yet"
      action={
        can('pets:write') && (
          <Button kind="primary" onClick={() => change({ do: 'add' })}>
            Add an animal
          </Button>
        )
      }
      curl={curlLine('POST', '/pets', { name: 'Rex', categoryId: 1 })}
    >
      Every animal of the shop stands here with its category and where it is in its sale: available, pending or sold.
    </EmptyState>
  );
};
