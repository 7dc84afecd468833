import type { PetCreatedEvent, PetDeletedEvent, PetStatus, PetStatusChangedEvent } from '../../client/src/index.ts';

type Counts = Record<PetStatus, number>;

export const PET_STATUSES: readonly PetStatus[] = ['available', 'pending', 'sold'];

export type Change = PetCreatedEvent | PetStatusChangedEvent | PetDeletedEvent;

const undo = (counts: Counts, change: Change): Counts => {
  const before = { ...counts };
  const status = change.data.object.status ?? 'available';
  if (change.type === 'pet.deleted') before[status] += 1;
  else before[status] -= 1;
  if (change.type === 'pet.status_changed') before[change.data.previous.status ?? 'available'] += 1;
  return before;
};

export type KnownChanges = { rows: readonly Change[]; hasMore: boolean };

/**
 * Returns the newest changes first. If a list has more pages to load, the result ends at the last loaded change of that
 * list, because older changes are missing.
 */
export const joinChanges = (lists: readonly KnownChanges[]): Change[] => {
  const lowest = lists
    .flatMap(({ rows, hasMore }) => (hasMore ? (rows.at(-1)?.sequence ?? []) : []))
    .reduce((a, b) => (a > b ? a : b), 0);
  return lists
    .flatMap(({ rows }) => rows)
    .filter(({ sequence }) => sequence >= lowest)
    .sort((a, b) => (a.sequence < b.sequence ? 1 : -1));
};

type Point = { at: number; counts: Counts };

export const inventorySeries = (present: Counts, changes: readonly Change[], now: number): Point[] => {
  const points: Point[] = [{ at: now, counts: present }];
  let counts = present;
  for (const change of changes) {
    const at = Math.min(now, Date.parse(change.timestamp));
    points.push({ at, counts });
    counts = undo(counts, change);
  }
  const first = points.at(-1);
  if (first) points.push({ at: first.at - 1, counts });
  return points.reverse();
};
