import { beforeEach, describe, expect, test } from 'bun:test';
import { QueryClient } from '@tanstack/react-query';
import type { Pet, Petstore } from '../../../client/src/index.ts';
import { waitFor } from '../../../test/wait-for.ts';
import { LISTS } from '../pet-cache.ts';
import { changeAll, removeAll } from './bulk.ts';
import { type Task, tasks } from './tasks.ts';

const pet = (id: number, name = `Pet ${id}`): Pet => ({ id, name, categoryId: 7, status: 'available' }) as Pet;
const PETS = [pet(1), pet(2, '=SUM(A1)'), pet(3)];

beforeEach(() => tasks.set([]));
const task = (): Task => tasks.get()[0] as Task;
const ended = () => waitFor('the task has ended', () => task().phase !== 'running');

const createQueries = () => {
  const queries = new QueryClient();
  queries.setQueryData(LISTS, { pages: [{ items: PETS }], pageParams: [''] });
  const names = () =>
    (queries.getQueryData(LISTS) as { pages: { items: Pet[] }[] }).pages.flatMap(({ items }) => items);
  return { queries, names };
};

const clientOf = (act: (id: number, signal: AbortSignal | undefined) => Promise<unknown>) =>
  ({
    pets: {
      update: (id: number, change: Partial<Pet>, options: { signal?: AbortSignal } = {}) =>
        act(id, options.signal).then(() => ({ ...pet(id), ...change })),
      delete: (id: number, options: { signal?: AbortSignal } = {}) => act(id, options.signal),
    },
  }) as unknown as Petstore;

describe('a bulk change', () => {
  test('shows each changed pet in the lists', async () => {
    const { queries, names } = createQueries();
    changeAll({ petstore: clientOf(async () => {}), queries, pets: PETS }, { status: 'sold' }, 'sold');
    await ended();
    expect([task().done, names().map(({ status }) => status)]).toEqual([3, ['sold', 'sold', 'sold']]);
  });

  test('removes each deleted pet from the lists, and keeps a pet that was refused', async () => {
    const { queries, names } = createQueries();
    const petstore = clientOf(async (id) => {
      if (id === 2) throw new Error('-held by order 4');
    });
    removeAll({ petstore, queries, pets: PETS });
    await ended();
    expect([task().done, names().map(({ id }) => id)]).toEqual([2, [2]]);
    const { failed, failedFile } = task();
    expect(failed).toEqual([{ what: '=SUM(A1) (2)', reason: '-held by order 4' }]);
    expect(failedFile?.(failed).text.split('\n')[1]).toBe("'=SUM(A1) (2),'-held by order 4");
  });

  test.each([
    ['a change', (bulk: Parameters<typeof removeAll>[0]) => changeAll(bulk, { status: 'sold' }, 'sold')],
    ['a deletion', removeAll],
  ])('ends its running requests after Stop: %s', async (_, start) => {
    let asked = 0;
    const petstore = clientOf((_id, signal) => {
      asked += 1;
      return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    });
    start({ petstore, queries: createQueries().queries, pets: PETS });
    await waitFor('all requests run', () => asked === 3);
    task().stop();
    await ended();
    expect([task().phase, task().done, task().failed]).toEqual(['stopped', 0, []]);
  });
});
