import type { Int64 } from '../../client/src/index.ts';
import type { LiveEvent } from '../data/live.ts';
import { useActorName } from '../data/use-key-names.ts';
import { isolated } from '../kit/text.ts';
import { petTitle, usePet } from '../orders/pet.ts';
import { texts } from '../overview/texts.ts';

const { sentences, became, atLeast, pets, addedCategories, unnamed } = texts.activity;

/** The event of an order contains only the pet's id, so this component loads the pet's name. */
const PetName = ({ id }: { id: Int64 }) => isolated(petTitle(id, usePet(id)));

const Subject = ({ of: { data } }: { of: LiveEvent }) => {
  const { object } = data;
  if ('url' in object) return new URL(object.url).host;
  if ('petId' in object) return <PetName id={object.petId} />;
  return isolated(object.name ?? unnamed);
};

type Props = { of: LiveEvent; count?: number; isCut?: boolean | undefined };

/**
 * Says who did what, such as "Front desk sold Rex". `count` is the number of similar events in a row. `isCut` is true
 * if there may be more similar events.
 */
export const EventSentence = ({ of: event, count = 1, isCut = false }: Props) => {
  const nameOf = useActorName();
  const { type, data, actor } = event;
  const status = type === 'pet.status_changed' && 'status' in data.object ? data.object.status : undefined;
  const least = isCut ? atLeast : '';
  const sentence = became[status ?? ''] ?? sentences[type];
  return (
    <>
      <b>{nameOf(actor?.keyId)}</b>{' '}
      {count === 1 &&
        sentence(
          <b>
            <Subject of={event} />
          </b>,
        )}
      {count > 1 && (type === 'category.created' ? addedCategories(count, least) : sentence(pets(count, least)))}
    </>
  );
};
