import { cell } from './cell.ts';

type Fields = Record<string, unknown>;
export type EventShown = { type: string; data?: { object?: Fields; previous?: Fields } };

/** One change of a field. */
export const changeWords = (field: string, from: unknown, to: unknown): string =>
  `${field} ${cell(from)} → ${cell(to)}`;

/** What an event is about, and what changed: `pet 17 Rex, status available → pending`. */
export const eventWords = ({ type, data: { object = {}, previous = {} } = {} }: EventShown): string => {
  const [kind = ''] = type.split('.');
  const { id, name, petId, url } = object;
  // The ids of keys and webhooks say what they are.
  const about = [
    typeof id === 'string' ? undefined : kind,
    id,
    name ?? url,
    petId === undefined ? undefined : `for pet ${cell(petId)}`,
  ];
  const changes = Object.entries(previous).map(([field, was]) => changeWords(field, was, object[field]));
  const subject = about.filter((part) => part !== undefined && part !== null).map(cell);
  return [subject.join(' '), ...changes].join(', ');
};
