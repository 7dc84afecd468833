import { type Contract, ROWS_PER_REQUEST } from '../../src/kernel/contract.ts';
import { EVENT_TYPES, type EventType } from '../../src/kernel/event.ts';

const sentencesOf = (description: string): string[] => description.split(/(?<=[.!?]) (?=[A-Z`])/);

const isAboutEvents = (sentence: string): boolean => sentence.startsWith('Writes ');

export const textOf = ({ description }: Contract): string =>
  sentencesOf(description)
    .filter((sentence) => !isAboutEvents(sentence))
    .join(' ');

export const eventsOf = ({ description }: Contract): { sentence: string; types: EventType[] } | undefined => {
  const sentence = sentencesOf(description).find(isAboutEvents);
  if (!sentence) return undefined;
  const named = [...sentence.matchAll(/`([a-z_.]+)`/g)].map(([, name]) => name);
  return { sentence, types: EVENT_TYPES.filter((type) => named.includes(type)) };
};

export const costOf = ({ meter, batchOf, stream }: Contract): string => {
  if (meter === 'own') return 'None';
  if (batchOf) return `1 request per ${ROWS_PER_REQUEST} ${batchOf}`;
  return stream ? '1 request, and 1 per 1,000 past events' : '1 request';
};

export const retryOf = ({ method, guarded }: Contract): string => {
  if (method === 'POST') return 'With `Idempotency-Key`';
  return guarded ? 'With `If-Match`' : 'Yes';
};
