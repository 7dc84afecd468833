import { Failure } from '../../kernel/failure.ts';
import { spellCount } from '../../kernel/int64.ts';
import { type PetLimits, petLimitOf } from '../keys/key.ts';
import type { PetRepository } from './pets.repository.ts';

/** Throws `store_full` if `more` pets would exceed the caller's limit. */
export const refuseFullStore = async (pets: PetRepository, limits: PetLimits, more: number): Promise<void> => {
  const limit = petLimitOf(limits);
  if (limit === null) return;
  const count = await pets.countUpTo(limit - more);
  if (count + more <= limit) return;
  const advice = limits.mostPets === undefined ? '' : 'start over with POST /sandbox/reset, ';
  throw new Failure(
    'store_full',
    `The store holds ${spellCount(count)} pets; adding ${spellCount(more)} would exceed the limit of ${spellCount(limit)}. ` +
      `Delete pets, ${advice}or ask the operator for a larger plan.`,
  );
};
