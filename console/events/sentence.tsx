import type { ReactNode } from 'react';
import type { Int64 } from '../../client/src/index.ts';
import { useCategories } from '../categories/categories.tsx';
import { categoryName } from '../categories/category.ts';
import type { LiveEvent } from '../data/live.ts';
import { Actor } from '../data/use-key-names.ts';
import { isolated } from '../kit/text.ts';
import { petTitle, usePet } from '../orders/pet.ts';
import { movedTo } from '../overview/activity-items.ts';
import { texts } from '../overview/texts.ts';

const { sentences, became, atLeast, pets, addedCategories, unnamed, renamed, renamedCategory, moved, merged } =
  texts.activity;

/** The event of an order contains the pet's id but not its name, so this component loads the name. */
const PetName = ({ id }: { id: Int64 }) => isolated(petTitle(id, usePet(id)));

const Subject = ({ of: { data } }: { of: LiveEvent }) => {
  const { object } = data;
  if ('url' in object) return new URL(object.url).host;
  if ('petId' in object) return <PetName id={object.petId} />;
  return isolated(object.name ?? unnamed);
};

const CategoryName = ({ id }: { id: Int64 }) => isolated(categoryName(useCategories(), id));

/** Returns undefined if the event is not a simple change, or if similar events do not have one new value in common. */
const changeWords = (event: LiveEvent, count: number, subject: ReactNode): ReactNode => {
  const categoryId = movedTo(event);
  if (categoryId !== undefined) {
    return moved(
      subject,
      <b>
        <CategoryName id={categoryId} />
      </b>,
    );
  }
  if (event.type === 'category.deleted' && event.data.mergedInto) {
    return merged(subject, <b>{isolated(event.data.mergedInto.name ?? unnamed)}</b>);
  }
  if (count > 1 || (event.type !== 'pet.updated' && event.type !== 'category.updated')) return undefined;
  const { name, ...others } = event.data.previous;
  if (!name || Object.keys(others).length > 0) return undefined;
  return (event.type === 'pet.updated' ? renamed : renamedCategory)(<b>{isolated(name)}</b>, subject);
};

type Props = { of: LiveEvent; count?: number; isCut?: boolean | undefined };

/**
 * Says who did what, such as "Front desk sold Rex". `count` is the number of similar events in a row. `isCut` is true
 * if there may be more similar events.
 */
export const EventSentence = ({ of: event, count = 1, isCut = false }: Props) => {
  const { type, data, actor } = event;
  const status = type === 'pet.status_changed' && 'status' in data.object ? data.object.status : undefined;
  const least = isCut ? atLeast : '';
  const sentence = became[status ?? ''] ?? sentences[type];
  const subject =
    count > 1 ? (
      pets(count, least)
    ) : (
      <b>
        <Subject of={event} />
      </b>
    );
  return (
    <>
      <b>
        <Actor id={actor?.keyId} />
      </b>{' '}
      {changeWords(event, count, subject) ??
        (count > 1 && type === 'category.created' ? addedCategories(count, least) : sentence(subject))}
    </>
  );
};
