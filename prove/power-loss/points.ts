import type { Seeded } from '../seeded.ts';
import type { Entry } from './recording.ts';

const PLACES: readonly { share: number; isHere(entry: Entry): boolean }[] = [
  { share: 30, isHere: ({ kind, name }) => name.endsWith('.db') && kind !== 'created' },
  { share: 25, isHere: ({ kind, name, number }) => kind === 'written' && name.endsWith('-wal') && number === 0 },
  { share: 10, isHere: ({ kind, name }) => ['created', 'removed', 'renamed', 'resized'].includes(kind) || name === '' },
  { share: 20, isHere: ({ kind }) => kind === 'sent' },
  { share: 15, isHere: () => true },
];
const AROUND = 3;

export const choosePoints = (entries: readonly Entry[], count: number, random: Seeded): number[] => {
  const places = PLACES.map(({ isHere }) => entries.flatMap((entry, index) => (isHere(entry) ? [index] : [])));
  const pick = (): number => {
    let left = random.below(100);
    const chosen = PLACES.findIndex(({ share }) => {
      left -= share;
      return left < 0;
    });
    const at = (random.one(places[chosen] as number[]) ?? 0) + random.below(2 * AROUND + 1) - AROUND;
    return Math.min(Math.max(at, 0), entries.length - 1);
  };
  return Array.from({ length: count }, pick).sort((one, other) => one - other);
};
