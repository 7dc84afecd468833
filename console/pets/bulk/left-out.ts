import type { Order, Pet, PetStatus } from '../../../client/src/index.ts';
import { NEXT_STATUSES } from '../moves.ts';
import { texts } from '../texts.ts';

/**
 * Leaves out the pets whose status the service would not change: they have the status already, are sold, or are held by
 * an order. `words` describes the pets that are left out, and is empty if there are none.
 */
export const leaveOut = (pets: readonly Pet[], to: PetStatus | undefined, held: ReadonlyMap<string, Order>) => {
  const reasonFor = ({ id, status = 'available' }: Pet): string => {
    if (to === undefined) return '';
    if (!NEXT_STATUSES[status].includes(to)) return texts.bulk.already(status);
    return held.has(String(id)) ? texts.bulk.held : '';
  };
  const { '': changing = [], ...others } = Object.fromEntries(Map.groupBy(pets, reasonFor));
  const counts = Object.entries(others).map(([reason, { length }]) => texts.bulk.counted(length, reason));
  return { changing, words: counts.length > 0 ? texts.bulk.leftOut(counts) : '' };
};
