import type { Reads, Repositories } from '../../src/compose/repositories.ts';
import { FIRST_STORE, SYSTEM_CALL } from '../../src/kernel/operation.ts';
import type { StoredEvent } from '../../src/resources/events/event.ts';
import { addPets } from '../../src/resources/pets/create-pet.ts';
import type { Database } from '../../src/storage/database.ts';
import { type Cursor, createLedger, type Written } from './ledger.ts';
import type { Owner } from './scheduler.ts';
import type { Simulation } from './simulation.ts';

export type Instance = { owner: Owner; database: Database<Reads, Repositories> };

type Kind = 'one' | 'several' | 'throws' | 'long';
const KINDS: readonly Kind[] = ['one', 'one', 'one', 'several', 'throws', 'long'];
const READERS = 3;
const SHARE_OF_READS = 0.35;
const PAGE = 1000;

type Reader = Cursor & { asking: Instance | undefined };

type Deps = {
  pick(): Instance | undefined;
  acknowledged(by: Instance, written: Written): void;
};

export const createCallers = (simulation: Simulation, { pick, acknowledged }: Deps) => {
  const { scheduler, seeded, latencyMs, between, chance } = simulation;
  const ledger = createLedger(simulation);
  const readers: Reader[] = Array.from({ length: READERS }, () => ({ last: 0n, asking: undefined }));

  const bodyOf = (written: Written, kind: Kind) => async (repositories: Repositories) => {
    const pet = { name: written.token, categoryId: 1n, status: 'available' as const };
    const added = await addPets(repositories, kind === 'several' ? [pet, pet, pet] : [pet]);
    const ids = added.map(({ id }) => BigInt(id as number));
    if (kind === 'long') {
      await repositories.pause();
      const [petId = 0n] = ids;
      await repositories.events.append({ type: 'pet.updated', object: { ...added[0], name: written.token }, petId });
    }
    written.ranAt = scheduler.steps();
    if (kind === 'throws') throw new Error('refused');
    return ids;
  };

  const write = (instance: Instance): void => {
    const kind = seeded.one(KINDS) ?? 'one';
    const written = ledger.begin(kind === 'throws');
    const note = (ids: bigint[]): void => {
      if (instance.owner.isGone) return;
      ledger.acknowledge(written, ids);
      acknowledged(instance, written);
    };
    instance.database.write(SYSTEM_CALL, bodyOf(written, kind), undefined, kind === 'long').then(note, () => undefined);
  };

  const read = (instance: Instance, reader: Reader): void => {
    reader.asking = instance;
    const mustShow = ledger.acknowledged();
    const { events } = instance.database.read(FIRST_STORE);
    const end = (shown?: StoredEvent[]): void => {
      if (instance.owner.isGone || reader.asking !== instance) return;
      reader.asking = undefined;
      if (shown) ledger.show(shown, reader, mustShow);
    };
    events.list({ withOperators: true }, { limit: PAGE, order: 'asc', after: reader.last }).then(end, () => end());
  };

  const come = (): void => {
    const instance = pick();
    if (!instance) return void scheduler.after(between(50, 500), 'a caller', come, scheduler.outside);
    const reader = readers.find(({ asking }) => asking === undefined || asking.owner.isGone);
    const isReading = reader !== undefined && chance(SHARE_OF_READS);
    if (isReading) reader.asking = instance;
    const act = isReading ? () => read(instance, reader) : () => write(instance);
    scheduler.after(latencyMs(), 'a request', act, instance.owner);
  };

  return {
    start(requests: number, maxGapMs: number): void {
      for (let at = 0, left = requests; left > 0; left -= 1) {
        if (chance(0.6)) at += between(0, maxGapMs);
        scheduler.after(at, 'a caller', come, scheduler.outside);
      }
    },
    acknowledgedCount: (): number => ledger.acknowledged().length,
    finish: ledger.finish,
  };
};

export type Callers = ReturnType<typeof createCallers>;
