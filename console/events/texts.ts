import type { ReactNode } from 'react';
import { phrase, plural, showCount } from '../kit/text.ts';

export const texts = {
  empty: {
    title: 'No events yet',
    text: 'Every change to pets, orders and categories appears here as it happens. Add a pet to see the first event.',
    filteredTitle: 'No matching events',
    filteredText: 'Change the filters, or clear them to see all events.',
  },
  columns: { what: 'What happened', details: 'Details', type: 'Type', time: 'Time' },
  phoneNote: (type: ReactNode, time: ReactNode) => phrase`${type} · ${time}`,
  byKey: {
    title: 'Changes made with this key',
    all: 'Show all',
    none: 'No changes have been made with this key.',
  },
  note: 'Every change, as it happens',
  searchedTo: (time: ReactNode) => phrase`Searched back to ${time}.`,
  searchOlder: 'Search older events',
  commands: {
    pause: 'Pause live updates',
    resume: 'Resume live updates',
    filter: 'Filter events',
  },
  feed: {
    disconnected: 'disconnected',
    live: 'live',
    paused: 'paused',
    pause: 'Pause',
    waiting: (count: number) => plural(count, 'new event'),
  },
  filter: {
    pet: 'Pet',
    order: 'Order',
    by: 'Changed by',
    anyone: 'Anyone',
    id: (what: string) => `${what} ID`,
    clear: 'Clear filters',
    allTypes: 'All types',
    types: (types: readonly string[]) => `Types: ${types.join(', ')}`,
    legend: 'Event types to show (all if none are selected)',
  },
  actor: {
    ownKey: (name: string) => `${name} (this key)`,
  },
  drawer: {
    title: 'Event',
    type: 'Type',
    subject: 'Subject',
    time: 'Time',
    actor: 'By',
    request: 'Request ID',
    sequence: 'Sequence',
    event: 'Event ID',
    changes: 'Changes',
    deliveries: 'Deliveries',
    payload: 'Payload',
    notFound: 'This event does not exist, is no longer stored, or is not visible to your key.',
  },
  changes: {
    field: 'Field',
    category: 'category',
    mergedInto: 'merged into',
    before: 'Before',
    after: 'After',
    line: (field: string, before: string, after: string) => `${field}: ${before} → ${after}`,
  },
  deliveries: {
    none: 'No webhook receives this event.',
    notFound: (latest: number) => `not in the latest ${showCount(latest)} deliveries to this webhook`,
    more: (count: number) => `Check ${plural(count, 'more webhook')}`,
  },
  category: (id: number | bigint, name: string | null) =>
    name === null ? `category ${id}` : `${name} · category ${id}`,
};
