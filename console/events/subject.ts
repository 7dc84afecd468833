import type { Scope } from '../../client/src/index.ts';
import type { LiveEvent } from '../data/live.ts';
import { isolated } from '../kit/text.ts';
import { common } from '../texts.ts';
import { texts } from './texts.ts';

export type Subject = { text: string; href?: string; scope?: Scope };

const petSubject = (id: number | bigint, text = common.pet(id)): Subject => ({
  text,
  href: `/pets?pet=${id}`,
  scope: 'pets:read',
});

/** Returns the ids of the event's subject. For a webhook, returns the URL. For a key, returns an empty string. */
export const idWords = ({ data: { object } }: LiveEvent): string => {
  if ('url' in object) return object.url;
  if ('petId' in object) return `${common.order(object.id)}, ${common.pet(object.petId)}`;
  if ('plan' in object) return '';
  return 'categoryId' in object ? common.pet(object.id) : texts.category(object.id, null);
};

export const subjectsOf = ({ data: { object } }: LiveEvent): [Subject, ...Subject[]] => {
  if ('url' in object) {
    return [{ text: object.url, href: `/webhooks?webhook=${object.id}`, scope: 'webhooks:write' }];
  }
  if ('petId' in object) {
    return [
      { text: common.order(object.id), href: `/orders?order=${object.id}`, scope: 'orders:read' },
      petSubject(object.petId),
    ];
  }
  if ('plan' in object) return [{ text: object.name, href: `/keys?key=${object.id}`, scope: 'keys:write' }];
  if ('categoryId' in object) return [petSubject(object.id, common.namedPet(isolated(object.name), object.id))];
  return [{ text: texts.category(object.id, object.name && isolated(object.name)) }];
};
