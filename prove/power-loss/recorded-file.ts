import type { Seeded } from '../seeded.ts';

const SECTOR_BYTES = 512;

type Write = { order: number; at: number; bytes: Buffer };
type Resize = { order: number; size: number };
type Change = Write | Resize;

const isWrite = (change: Change): change is Write => 'bytes' in change;

const resized = (bytes: Buffer, size: number): Buffer => {
  if (size === bytes.length) return bytes;
  const made = Buffer.alloc(size);
  bytes.copy(made);
  return made;
};

const applied = (bytes: Buffer, change: Change): Buffer => {
  if (!isWrite(change)) return resized(bytes, change.size);
  const long = resized(bytes, Math.max(bytes.length, change.at + change.bytes.length));
  change.bytes.copy(long, change.at);
  return long;
};

type Sectors = ReadonlyMap<number, readonly Write[]>;

const bySector = (changes: readonly Change[]): Sectors => {
  const sectors = new Map<number, Write[]>();
  for (const change of changes.filter(isWrite)) {
    const last = Math.floor((change.at + change.bytes.length - 1) / SECTOR_BYTES);
    for (let sector = Math.floor(change.at / SECTOR_BYTES); sector <= last; sector += 1) {
      const known = sectors.get(sector);
      if (known) known.push(change);
      else sectors.set(sector, [change]);
    }
  }
  return sectors;
};

/** Returns how many of the writes to a sector survive a power loss. Only the latest writes can be lost. */
type Reach = (sector: number, writes: readonly Write[]) => number;

const chance = (random: Seeded): (() => boolean) => {
  const among100 = random.one([10, 50, 90]) as number;
  return () => random.below(100) < among100;
};

const LOSSES = {
  none: () => () => 0,
  all: () => (_, writes) => writes.length,
  'some sectors': (random) => {
    const isLucky = chance(random);
    return (_, writes) => (isLucky() ? writes.length : random.below(writes.length + 1));
  },
  'some writes': (random, sectors) => {
    const isLucky = chance(random);
    const kept = new Set([...new Set([...sectors.values()].flat())].filter(isLucky));
    return (_, writes) => 1 + writes.findLastIndex((write) => kept.has(write));
  },
  'up to a torn one': (random, sectors) => {
    const [sector, writes] = random.one([...sectors]) ?? [0, []];
    const last = random.one(writes)?.order ?? 0;
    return (at, all) => all.filter(({ order }) => order < last || (order === last && at < sector)).length;
  },
  'all but one': (random, sectors) => {
    const one = random.one([...sectors.keys()]);
    return (sector, writes) => (sector === one ? random.below(writes.length) : writes.length);
  },
  'one sector': (random, sectors) => {
    const one = random.one([...sectors.keys()]);
    return (sector, writes) => (sector === one ? writes.length : 0);
  },
} satisfies Record<string, (random: Seeded, sectors: Sectors) => Reach>;

export type Loss = keyof typeof LOSSES;

export const chooseLoss = (random: Seeded): Loss => random.one(Object.keys(LOSSES) as Loss[]) as Loss;

/**
 * A size that the file can have after a power loss. `cut` is the index of the last surviving change that made the file
 * shorter. The change at index `end` and all later changes are lost.
 */
type Size = { size: number; cut: number; end: number };

const sizesOf = (syncedSize: number, pending: readonly Change[]): Size[] => {
  const sizes: Size[] = [{ size: syncedSize, cut: -1, end: pending.length }];
  for (const [index, change] of pending.entries()) {
    const { size, cut } = sizes.at(-1) as Size;
    const next = isWrite(change) ? Math.max(size, change.at + change.bytes.length) : change.size;
    if (next === size) continue;
    if (next < size) for (const each of sizes) each.end = Math.min(each.end, index);
    sizes.push({ size: next, cut: next < size ? index : cut, end: pending.length });
  }
  return sizes;
};

const chooseSize = (loss: Loss, sizes: readonly Size[], random: Seeded): Size => {
  if (loss === 'none') return sizes[0] as Size;
  return (loss === 'all' || random.below(10) < 7 ? sizes.at(-1) : random.one(sizes)) as Size;
};

/**
 * Builds the file as it might look after a power loss, except for the surviving writes, which the caller adds. Parts of
 * the file that were never written may contain old data from the disk.
 */
const createFound = (synced: Buffer, pending: readonly Change[], { size, cut }: Size, random: Seeded): Buffer => {
  const found = Buffer.alloc(size);
  const shortest = pending
    .slice(0, cut + 1)
    .reduce((least, change) => (isWrite(change) ? least : Math.min(least, change.size)), synced.length);
  synced.copy(found, 0, 0, Math.min(shortest, size));
  const isFilled = random.below(4) === 0;
  const sectors = Math.ceil(synced.length / SECTOR_BYTES);
  for (let at = shortest; isFilled && at < size; at += SECTOR_BYTES) {
    const from = SECTOR_BYTES * random.below(sectors);
    synced.copy(found, at, from, from + SECTOR_BYTES);
  }
  return found;
};

/**
 * Models a file on a disk that may lose power. Changes to the file size reach the disk in order, but sectors may reach
 * it in any order.
 */
export const createRecordedFile = (from: Buffer = Buffer.alloc(0)) => {
  let synced = from;
  let pending: Change[] = [];

  return {
    change: (change: Change): void => void pending.push(change),
    isSynced: (): boolean => pending.length === 0,

    sync(order: number): void {
      synced = pending.filter((change) => change.order <= order).reduce(applied, synced);
      pending = pending.filter((change) => change.order > order);
    },

    read: (): Buffer => pending.reduce(applied, Buffer.from(synced)),

    lose(loss: Loss, random: Seeded): Buffer {
      const size = chooseSize(loss, sizesOf(synced.length, pending), random);
      const found = createFound(synced, pending, size, random);
      const sectors = bySector(pending.slice(size.cut + 1, size.end));
      const reach: Reach = LOSSES[loss](random, sectors);
      for (const [sector, writes] of sectors) {
        for (const { at, bytes } of writes.slice(0, reach(sector, writes))) {
          const first = Math.max(at, sector * SECTOR_BYTES);
          const end = Math.min(at + bytes.length, (sector + 1) * SECTOR_BYTES);
          if (first < found.length) bytes.copy(found, first, first - at, end - at);
        }
      }
      return found;
    },
  };
};

export type RecordedFile = ReturnType<typeof createRecordedFile>;
