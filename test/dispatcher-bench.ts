import { createDispatcher } from '../src/delivery/dispatcher.ts';
import { SCOPES } from '../src/kernel/contract.ts';
import type { DueDelivery, DueEndpoint } from '../src/resources/webhooks/webhooks.repository.ts';
import { createTestClock } from './clock.ts';

export const endpoint = (webhookId: string, storeId = 1n): DueEndpoint => ({
  storeId,
  webhookId,
  url: `https://${webhookId}.example:${storeId}/`,
  secrets: [],
});
export const first = (id: string, petId: bigint | null = null): DueDelivery => ({
  id,
  attempt: 0,
  dueAt: 0,
  petId,
  isClaimed: false,
  event: { type: 'pet.created' } as DueDelivery['event'],
  scopes: SCOPES,
});

type Answer = boolean | Error;

type Options = { patienceMs?: number; elapsed?: () => number };

export const startDispatcher = ({ patienceMs = 600_000, elapsed }: Options = {}) => {
  const clock = createTestClock();
  const due = new Map<DueEndpoint, DueDelivery[]>();
  const open = new Map<string, (answer: Answer) => void>();
  const made: string[] = [];
  const errors: unknown[] = [];
  const passes: (bigint | undefined)[] = [];
  const state = {
    lagging: 0,
    isDatabaseDown: false,
    pauses: 0,
    clearings: 0,
    isLeader: true,
    settled: [] as bigint[],
    settling: Promise.resolve(),
    reads: 0,
    givenUp: [] as string[],
  };
  const held = { promise: Promise.resolve() };

  const dispatcher = createDispatcher({
    clock,
    elapsed: elapsed ?? clock,
    patienceMs,
    failed: (error) => errors.push(error),
    pause: async () => {
      state.pauses += 1;
      await held.promise;
    },
    fanOut: async (storeId) => {
      passes.push(storeId);
      if (state.isDatabaseDown) throw new Error('the database is away');
      state.lagging = Math.max(0, state.lagging - 1);
      return state.lagging > 0;
    },
    queue: {
      dueStores: async () => [...new Set([...due.keys()].map(({ storeId }) => storeId))],
      endpoints: async (_now, storeId) =>
        [...due.keys()].filter((it) => due.get(it)?.length && (storeId === undefined || it.storeId === storeId)),
      deliveries: async (it, _now, most, which) => {
        state.reads += 1;
        if (it.webhookId === 'broken') throw new Error('cannot be read');
        const rows = (due.get(it) ?? []).filter(({ attempt }) => !which || attempt === 0).slice(0, most);
        // As with a real database, the rows may be outdated by the time the caller gets them.
        await new Promise<void>((resolve) => setImmediate(resolve));
        return rows;
      },
    },
    isLeader: () => state.isLeader,
    settle: async (storeId) => {
      state.settled.push(storeId);
      await state.settling;
    },
    claim: async (it, ids) => {
      const isFree = (id: string) => !id.startsWith('claimed');
      const rows = due.get(it) ?? [];
      due.set(
        it,
        rows.map((row) => ({ ...row, isClaimed: !isFree(row.id) })),
      );
      return ids.filter(isFree);
    },
    giveUp: async (it, hidden) => {
      const ids = hidden.map(({ delivery }) => delivery.id);
      state.givenUp.push(...ids);
      due.set(
        it,
        (due.get(it) ?? []).filter(({ id }) => !ids.includes(id)),
      );
    },
    clear: async () => {
      state.clearings += 1;
    },
    attempt: async (it, delivery, cutOff) => {
      made.push(delivery.id);
      const answer = await new Promise<Answer>((resolve) => {
        open.set(delivery.id, resolve);
        cutOff.addEventListener('abort', () => resolve(false));
      });
      if (answer instanceof Error) throw answer;
      const rows = due.get(it) ?? [];
      due.set(
        it,
        rows.filter(({ id }) => id !== delivery.id),
      );
      return answer;
    },
  });

  const settled = async () => {
    for (let turn = 0; turn < 20; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
  };

  return {
    clock,
    due,
    made,
    errors,
    passes,
    state,
    held,
    dispatcher,
    settled,
    get underWay() {
      return [...open.keys()];
    },
    async wake(storeId?: bigint) {
      dispatcher.wake(storeId);
      await settled();
    },
    async answer(id: string, answer: Answer) {
      const resolve = open.get(id);
      if (!resolve) throw new Error(`${id} is not in flight`);
      open.delete(id);
      resolve(answer);
      await settled();
    },
  };
};

export const many = (count: number, prefix = 'd') =>
  Array.from({ length: count }, (_, index) => first(`${prefix}${index}`));
