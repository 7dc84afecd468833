import { type Petstore, PetstoreError } from '../../client/src/index.ts';
import type { LiveEvent } from './live.ts';

type Events = Pick<Petstore, 'events'>;

export const findEvent = async (
  { events }: Events,
  sequence: string,
  signal: AbortSignal,
): Promise<LiveEvent | null> => {
  if (!/^\d+$/.test(sequence)) return null;
  try {
    return await events.get(BigInt(sequence), { signal });
  } catch (error) {
    if (error instanceof PetstoreError && error.status === 404) return null;
    throw error;
  }
};
