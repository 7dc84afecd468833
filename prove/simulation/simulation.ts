import { createRandomText } from '../../src/kernel/ids.ts';
import { createSeeded } from '../seeded.ts';
import { createScheduler } from './scheduler.ts';

/** Every injected error contains this word, which distinguishes it from the service's own errors. */
export const SIMULATED = 'simulated';

const LATENCIES_MS = [3, 3, 3, 3, 3, 3, 20, 20, 100, 800];

export const createSimulation = (seed: number) => {
  const seeded = createSeeded(seed);
  for (let drawn = 0; drawn < 8; drawn += 1) seeded.below(2);
  const scheduler = createScheduler(seeded);
  const faults: Record<string, number> = {};
  const broken: string[] = [];
  const randomBytes = (count: number): Uint8Array => Uint8Array.from({ length: count }, () => seeded.below(256));
  return {
    seeded,
    scheduler,
    faults,
    randomText: createRandomText(randomBytes, 256),
    chance: (share: number): boolean => seeded.below(1_000_000) < share * 1_000_000,
    between: (least: number, most: number): number => least + (seeded.below(1_000_000) / 1_000_000) * (most - least),
    latencyMs: (): number => (seeded.below(1000) / 1000) * (seeded.one(LATENCIES_MS) ?? 0),
    count: (fault: string): void => {
      faults[fault] = (faults[fault] ?? 0) + 1;
    },
    /** Records a violation instead of throwing an error, because the code under test would catch the error. */
    violated: (sentence: string): void => void broken.push(sentence),
    expect: (isKept: boolean, otherwise: string): void => void (isKept || broken.push(otherwise)),
    firstViolation: (): string | undefined => broken[0],
  };
};

export type Simulation = ReturnType<typeof createSimulation>;
