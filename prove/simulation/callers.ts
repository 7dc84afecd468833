import type { Reads, Repositories } from '../../src/compose/repositories.ts';
import type { Database } from '../../src/database/database.ts';
import type { StoredEvent } from '../../src/events/event.ts';
import { FIRST_STORE, SYSTEM_CALL } from '../../src/kernel/operation.ts';
import { addPets } from '../../src/pets/add-pets.ts';
import type { Owner } from './scheduler.ts';
import type { Simulation } from './simulation.ts';

/** A process that serves, as callers see it. */
export type Instance = { owner: Owner; database: Database<Reads, Repositories> };

/** One request to write. The instants are numbers of what callers have seen, one after another. */
export type Written = {
  token: string;
  begun: number;
  acknowledged?: number;
  isUndone: boolean;
  /** The step in which its body ran last. */
  ranAt: number;
};

type Kind = 'one' | 'several' | 'throws' | 'long';
const KINDS: readonly Kind[] = ['one', 'one', 'one', 'several', 'throws', 'long'];
const PAGE = 1000;

type Reader = { last: bigint; asking: Instance | undefined };

type Deps = {
  /** Who takes the next request; undefined if nobody does. */
  pick(): Instance | undefined;
  acknowledged(by: Instance, written: Written): void;
};

/** Those who write and read from outside, and what they remember of it. */
export const createCallers = (simulation: Simulation, { pick, acknowledged }: Deps) => {
  const { scheduler, seeded, latencyMs, between, chance, expect } = simulation;
  const all: Written[] = [];
  const readers: Reader[] = Array.from({ length: 3 }, () => ({ last: 0n, asking: undefined }));
  /** What was seen under each number, and under which each write was seen. */
  const seen = new Map<bigint, string>();
  const numbers = new Map<string, bigint>();
  const petIds = new Set<bigint>();
  let moments = 0;
  const moment = (): number => (moments += 1);

  const bodyOf = (written: Written, kind: Kind) => async (repositories: Repositories) => {
    const names = kind === 'several' ? [1, 2, 3] : [1];
    const pet = { name: written.token, categoryId: 1n, status: 'available' as const };
    const added = await addPets(
      repositories,
      names.map(() => pet),
    );
    if (kind === 'long') await repositories.pause();
    const petId = BigInt(added[0]?.id ?? 0);
    if (kind === 'long') await repositories.events.append({ type: 'pet.updated', object: pet, petId });
    written.ranAt = scheduler.steps();
    if (kind === 'throws') throw new Error('refused');
    return added.map(({ id }) => BigInt(id));
  };

  const write = (instance: Instance): void => {
    const kind = seeded.one(KINDS) ?? 'one';
    const written: Written = { token: `w${all.length}.`, begun: moment(), isUndone: kind === 'throws', ranAt: 0 };
    all.push(written);
    const note = (ids: bigint[]): void => {
      if (instance.owner.isGone) return;
      written.acknowledged = moment();
      for (const id of ids) expect(!petIds.has(id), `the id ${id} was given twice`);
      for (const id of ids) petIds.add(id);
      acknowledged(instance, written);
    };
    instance.database.write(SYSTEM_CALL, bodyOf(written, kind), undefined, kind === 'long').then(note, () => undefined);
  };

  const check = (events: StoredEvent[], reader: Reader, mustShow: readonly string[]): void => {
    for (const { sequence, id } of events) {
      expect(sequence === reader.last + 1n, `a reader who has seen ${reader.last} is shown ${sequence} next`);
      expect((seen.get(sequence) ?? id) === id, `two events have the number ${sequence}`);
      seen.set(sequence, id);
      reader.last = sequence;
    }
    for (const { sequence, data } of events) numbers.set(JSON.parse(data).object.name, sequence);
    for (const token of mustShow) {
      const isShown = (numbers.get(token) ?? reader.last + 1n) <= reader.last;
      expect(isShown, `${token} was acknowledged, and was not there to be read afterwards`);
    }
  };

  const read = (instance: Instance, reader: Reader): void => {
    reader.asking = instance;
    const mustShow = all.filter((written) => written.acknowledged !== undefined).map(({ token }) => token);
    const before = reader.last;
    const done = (events: StoredEvent[]): void => {
      if (instance.owner.isGone) return;
      reader.asking = undefined;
      if (reader.last === before) check(events, reader, mustShow);
    };
    const { events } = instance.database.read(FIRST_STORE);
    events
      .list({ withOperators: true }, { limit: PAGE, order: 'asc', after: before })
      .then(done, () => void (reader.asking = undefined));
  };

  const come = (): void => {
    const instance = pick();
    if (!instance) return void scheduler.after(between(50, 500), 'a caller', come, scheduler.outside);
    const reader = readers.find(({ asking }) => asking === undefined || asking.owner.isGone);
    const act = reader && chance(0.35) ? () => read(instance, reader) : () => write(instance);
    if (reader) reader.asking = undefined;
    scheduler.after(latencyMs(), 'a request', act, instance.owner);
  };

  return {
    /** So many come, one or some at a time. */
    start(requests: number, mostMs: number): void {
      for (let at = 0, left = requests; left > 0; left -= 1) {
        if (chance(0.6)) at += between(0, mostMs);
        scheduler.after(at, 'a caller', come, scheduler.outside);
      }
    },

    /** All that is stored is what was acknowledged, and perhaps what nobody was told of; in one order. */
    finish(stored: readonly { sequence: bigint; id: string; name: string }[]): void {
      for (const [index, { sequence }] of stored.entries()) {
        expect(sequence === BigInt(index + 1), `the event behind ${index} has the number ${sequence}`);
      }
      for (const [sequence, id] of seen) {
        expect(stored[Number(sequence) - 1]?.id === id, `the event ${sequence} that a reader has seen is gone`);
      }
      const byName = Map.groupBy(stored, ({ name }) => name);
      const rangeOf = ({ token }: Written) => (byName.get(token) ?? []).map(({ sequence }) => Number(sequence));
      for (const one of all) {
        const range = rangeOf(one);
        if (one.isUndone) expect(range.length === 0, `${one.token} was refused and is there`);
        if (one.acknowledged === undefined) continue;
        expect(range.length > 0, `${one.token} was acknowledged and is lost`);
        for (const later of all.slice(all.indexOf(one) + 1)) {
          if (later.begun < one.acknowledged) continue;
          const isBehind = Math.min(...rangeOf(later)) > Math.max(...range);
          expect(isBehind, `${later.token} was begun when ${one.token} was acknowledged, and has a lower number`);
        }
      }
    },

    acknowledgedCount: (): number => all.filter((one) => one.acknowledged !== undefined).length,
  };
};

export type Callers = ReturnType<typeof createCallers>;
