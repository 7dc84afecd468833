import type { StoredEvent } from '../../src/resources/events/event.ts';
import type { Simulation } from './simulation.ts';

/** `begun` and `acknowledged` are positions in the sequence of simulated events, not times. */
export type Written = {
  token: string;
  begun: number;
  acknowledged?: number;
  isUndone: boolean;
  ranAt: number;
};

export type Cursor = { last: bigint };

type Stored = { sequence: bigint; id: string; name: string };

export const createLedger = ({ expect }: Simulation) => {
  const all: Written[] = [];
  const seen = new Map<bigint, string>();
  const numbers = new Map<string, bigint>();
  const petIds = new Set<bigint>();
  let moments = 0;
  const nextMoment = (): number => {
    moments += 1;
    return moments;
  };

  const checkOrder = (one: Written, acknowledged: number, rangeOf: (written: Written) => number[]): void => {
    const last = Math.max(...rangeOf(one));
    for (const later of all) {
      if (later.begun < acknowledged) continue;
      const isBehind = Math.min(...rangeOf(later)) > last;
      expect(isBehind, `${later.token} was begun when ${one.token} was acknowledged, and has a lower number`);
    }
  };

  return {
    begin(isUndone: boolean): Written {
      const written = { token: `w${all.length}.`, begun: nextMoment(), isUndone, ranAt: 0 };
      all.push(written);
      return written;
    },

    acknowledge(written: Written, ids: readonly bigint[]): void {
      written.acknowledged = nextMoment();
      for (const id of ids) {
        expect(!petIds.has(id), `the id ${id} was given twice`);
        petIds.add(id);
      }
    },

    acknowledged: (): Written[] => all.filter((one) => one.acknowledged !== undefined),

    show(events: readonly StoredEvent[], reader: Cursor, mustShow: readonly Written[]): void {
      for (const { sequence, id, data } of events) {
        expect(sequence === reader.last + 1n, `a reader who had seen ${reader.last} was shown ${sequence} next`);
        expect((seen.get(sequence) ?? id) === id, `two events have the number ${sequence}`);
        seen.set(sequence, id);
        numbers.set(JSON.parse(data).object.name, sequence);
        reader.last = sequence;
      }
      for (const { token } of mustShow) {
        const isShown = (numbers.get(token) ?? reader.last + 1n) <= reader.last;
        expect(isShown, `${token} was acknowledged, but could not be read afterwards`);
      }
    },

    finish(stored: readonly Stored[]): void {
      for (const [index, { sequence }] of stored.entries()) {
        expect(sequence === BigInt(index + 1), `the event after ${index} has the number ${sequence}`);
      }
      for (const [sequence, id] of seen) {
        expect(stored[Number(sequence) - 1]?.id === id, `event ${sequence}, which a reader has seen, is gone`);
      }
      const byName = Map.groupBy(stored, ({ name }) => name);
      const rangeOf = ({ token }: Written) => (byName.get(token) ?? []).map(({ sequence }) => Number(sequence));
      for (const one of all) {
        const isThere = rangeOf(one).length > 0;
        expect(!one.isUndone || !isThere, `${one.token} was refused but is stored`);
        if (one.acknowledged === undefined) continue;
        expect(isThere, `${one.token} was acknowledged but is lost`);
        checkOrder(one, one.acknowledged, rangeOf);
      }
    },
  };
};
