import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useLocation } from 'wouter';
import type { ListPetsQuery, Pet } from '../../client/src/index.ts';
import { useCounts } from '../data/use-counts.ts';
import { ApiCall } from '../kit/api-call.tsx';
import { Button } from '../kit/button.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Field } from '../kit/field.tsx';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { leaveNow, useGuard } from '../kit/overlay/leave.ts';
import { say } from '../kit/overlay/toasts.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { brief, isolated } from '../kit/text.ts';
import { useSession } from '../session/session.ts';
import { common, texts as shared } from '../texts.ts';
import { PetCategory } from './category.tsx';
import { putOrder } from './order-lists.ts';
import { texts } from './texts.ts';
import { lastMoved } from './use-move-order.ts';

const MAX_FOUND = 8;

/** `name` finds names that begin with the text, exact matches first. `search` adds names that contain the text. */
const toFilters = (typed: string): ListPetsQuery[] => {
  if (typed === '') return [{}];
  return /^\d{1,18}$/.test(typed) ? [{ ids: [BigInt(typed)] }] : [{ name: typed }, { search: typed }];
};

const useFound = (typed: string) => {
  const { petstore } = useSession();
  return useQuery({
    queryKey: ['pets', 'to order', typed],
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        toFilters(typed).map((filter) =>
          petstore.pets.list({ status: 'available', limit: MAX_FOUND, ...filter }, { signal }).page(),
        ),
      );
      const found = new Map(pages.flatMap(({ items }) => items.map((pet) => [String(pet.id), pet])));
      return [...found.values()].slice(0, MAX_FOUND);
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
      lastMoved.set(order.id);
      const action = { label: common.open, run: () => go(`/orders?order=${order.id}`) };
      say(texts.place.placed(order.id, brief(name)), { action });
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['pets', 'to order'] }),
        queries.invalidateQueries({ queryKey: ['inventory'] }),
      ]),
  });
};

type ChoiceProps = { pets: readonly Pet[]; chosen: Pet | undefined; onChoose: (pet: Pet) => void };

const Choice = ({ pets, chosen, onChoose }: ChoiceProps) => (
  <fieldset className="found">
    <legend className="unseen">{texts.place.results}</legend>
    {pets.map((pet) => (
      <label key={String(pet.id)}>
        <input type="radio" name="pet" checked={chosen?.id === pet.id} onChange={() => onChoose(pet)} />
        <span className="cut">{isolated(pet.name)}</span>
        <span className="soft push">
          {common.pet(pet.id)}
          <PetCategory pet={pet} />
        </span>
      </label>
    ))}
  </fieldset>
);

/**
 * Pressing Enter in the search field only selects a pet: if it also placed an order, users could reserve a pet by
 * accident.
 */
export const PlaceOrder = ({ typed: first, onClose }: { typed: string; onClose: () => void }) => {
  const [typed, setTyped] = useState(first);
  const [chosen, setChosen] = useState<Pet>();
  const said = useId();
  const found = useFound(typed.trim());
  const close = () => leaveNow(onClose);
  const place = usePlaceOrder(close);
  useGuard(chosen && shared.kit.unsaved);
  const { data: counts } = useCounts();
  const total = typed.trim() ? undefined : counts?.available;
  const pets = found.data ?? [];
  const isShown = pets.some(({ id }) => id === chosen?.id);
  const shown = chosen && !isShown && !found.isPending ? [chosen, ...pets] : pets;
  return (
    <Dialog title={common.newOrder} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (pets[0] && !found.isPlaceholderData) setChosen(pets[0]);
        }}
      >
        <Field label={texts.place.pet} hint={texts.place.hint}>
          <input type="search" value={typed} onChange={(event) => setTyped(event.target.value)} autoComplete="off" />
        </Field>
        {found.error && <ErrorNote error={found.error} onRetry={() => found.refetch()} />}
        <div className="place-results">
          {found.isPending && <Skeleton lines={4} />}
          <Choice pets={shown} chosen={chosen} onChoose={setChosen} />
          {pets.length === MAX_FOUND && total !== MAX_FOUND && (
            <p className="soft">{texts.place.more(MAX_FOUND, total)}</p>
          )}
          {found.data?.length === 0 && (
            <p className="soft">{typed.trim() ? texts.place.noMatch : texts.place.noneAvailable}</p>
          )}
        </div>
        <p id={said} className="soft place-note">
          {chosen ? texts.place.note : texts.place.choose}
        </p>
        {place.error && <ErrorNote error={place.error} />}
        <ApiCall
          method="POST"
          path="/store/orders"
          body={{ petId: chosen?.id ?? 17 }}
          code={`await petstore.orders.place({ petId: ${chosen?.id ?? 17} });`}
        />
        <div className="row end">
          <Button onClick={close}>{common.cancel}</Button>
          <Button
            kind="primary"
            disabled={!chosen}
            aria-describedby={said}
            isBusy={place.isPending}
            onClick={() => chosen && place.mutate(chosen)}
          >
            {texts.place.confirm(chosen && isolated(chosen.name))}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
