import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { ListPetsQuery, Pet } from '../../client/src/index.ts';
import { ApiCall } from '../kit/api-call.tsx';
import { Button } from '../kit/button.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Field } from '../kit/field.tsx';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { say } from '../kit/overlay/toasts.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { isolated } from '../kit/text.ts';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { putOrder } from './order-lists.ts';
import { texts } from './texts.ts';

const MAX_FOUND = 8;

const toFilter = (typed: string): ListPetsQuery => {
  if (typed === '') return {};
  return /^\d{1,18}$/.test(typed) ? { ids: [BigInt(typed)] } : ({ name: typed } as ListPetsQuery);
};

const useFound = (typed: string) => {
  const { petstore } = useSession();
  return useQuery({
    queryKey: ['pets', 'to order', typed],
    queryFn: async ({ signal }) => {
      const query = { status: 'available', limit: MAX_FOUND, ...toFilter(typed) } as const;
      return (await petstore.pets.list(query, { signal }).page()).items;
    },
    placeholderData: (before) => before,
  });
};

const usePlaceOrder = (onPlaced: () => void) => {
  const { petstore } = useSession();
  const queries = useQueryClient();
  const [, go] = useLocation();
  return useMutation({
    mutationFn: ({ id }: Pet) => petstore.orders.place({ petId: id }),
    onSuccess: (order, { name }) => {
      putOrder(queries, order);
      onPlaced();
      const action = { label: texts.place.open, run: () => go(`/orders?order=${order.id}`) };
      say(texts.place.placed(order.id, isolated(name)), { action });
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['pets', 'to order'] }),
        queries.invalidateQueries({ queryKey: ['inventory'] }),
      ]),
  });
};

export const PlaceOrder = ({ typed: first, onClose }: { typed: string; onClose: () => void }) => {
  const [typed, setTyped] = useState(first);
  const found = useFound(typed.trim());
  const place = usePlaceOrder(onClose);
  const pets = found.data ?? [];
  return (
    <Dialog title={common.placeOrder} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (pets[0] && !found.isPlaceholderData) place.mutate(pets[0]);
        }}
      >
        <Field label={texts.place.pet} hint={texts.place.hint}>
          <input type="search" value={typed} onChange={(event) => setTyped(event.target.value)} autoComplete="off" />
        </Field>
        {place.error && <ErrorNote error={place.error} />}
        {found.error && <ErrorNote error={found.error} onRetry={() => found.refetch()} />}
        {found.isPending && <Skeleton lines={4} />}
        <ul className="found">
          {pets.map((pet) => (
            <li key={String(pet.id)}>
              <span>
                {isolated(pet.name)} <span className="soft">{common.pet(pet.id)}</span>
              </span>
              <Button
                className="small"
                isBusy={place.isPending}
                aria-label={texts.place.orderPet(isolated(pet.name), pet.id)}
                onClick={() => place.mutate(pet)}
              >
                {texts.place.order}
              </Button>
            </li>
          ))}
        </ul>
        {found.data?.length === 0 && (
          <p className="soft">{typed.trim() ? texts.place.noMatch : texts.place.noneAvailable}</p>
        )}
        <p className="soft">{texts.place.note}</p>
        <ApiCall
          method="POST"
          path="/store/orders"
          body={{ petId: pets[0]?.id ?? 17 }}
          code={`await petstore.orders.place({ petId: ${pets[0]?.id ?? 17} });`}
        />
      </form>
    </Dialog>
  );
};
