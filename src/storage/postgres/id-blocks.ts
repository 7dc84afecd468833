import type { IdKind } from '../sql.ts';

const LARGEST = 64;
/** Reserved ids not used within this time are discarded, so that new ids stay close to other instances' ids. */
const VALID_MS = 1000;
const MAX_STORES = 1000;

type Block = { ids: bigint[]; size: number; takenAt: number };

/** Returns the highest of `count` new ids. */
type Reserve = (kind: IdKind, storeId: bigint, count: number) => Promise<bigint>;

/** Reserves ids in blocks to save round trips. A quiet store reserves one id at a time, so its ids have no gaps. */
export const createIdBlocks = (reserve: Reserve) => {
  const blocks = new Map<string, Block>();
  const queues = new Map<string, Promise<unknown>>();

  const takeSome = async (kind: IdKind, storeId: bigint, count: number): Promise<bigint[]> => {
    const name = `${kind} ${storeId}`;
    const block = blocks.get(name);
    const isValid = block !== undefined && performance.now() - block.takenAt < VALID_MS;
    if (isValid && block.ids.length >= count) return block.ids.splice(0, count);
    const size = Math.max(count, isValid ? Math.min(2 * block.size, LARGEST) : 1);
    const highest = await reserve(kind, storeId, size);
    const ids = Array.from({ length: size }, (_, index) => highest - BigInt(size - 1 - index));
    if (blocks.size >= MAX_STORES) blocks.clear();
    const taken = ids.splice(0, count);
    blocks.set(name, { ids, size, takenAt: performance.now() });
    return taken;
  };

  return (kind: IdKind, storeId: bigint, count: number): Promise<bigint[]> => {
    const name = `${kind} ${storeId}`;
    const taken = (queues.get(name) ?? Promise.resolve()).then(() => takeSome(kind, storeId, count));
    const leave = (): void => {
      if (queues.get(name) === done) queues.delete(name);
    };
    const done = taken.then(leave, leave);
    queues.set(name, done);
    return taken;
  };
};
