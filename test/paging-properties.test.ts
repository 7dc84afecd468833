import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { petStatus } from './arbitrary-bodies.ts';
import { PROPERTY_TIMEOUT_MS, runs } from './property-runs.ts';
import { type Service, startService } from './service.ts';

let service: Service;
let stores = 1;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

type Pet = { id: number; status: string; categoryId: number };
type Filter = { status?: string; categoryId?: number; picked?: boolean[] };

const newPet = fc.record({ status: petStatus, categoryId: fc.integer({ min: 1, max: 3 }) });

const walk = fc.record({
  newPets: fc.array(newPet, { maxLength: 25 }),
  filter: fc.record(
    {
      status: petStatus,
      categoryId: fc.integer({ min: 1, max: 3 }),
      picked: fc.array(fc.boolean(), { minLength: 1, maxLength: 25 }),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Filter>,
  order: fc.constantFrom('asc', 'desc'),
  limits: fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 3 }),
  /**
   * The pets in the first array are added before page 2 is read, those in the second array before page 3, and so on.
   */
  added: fc.array(fc.array(newPet, { maxLength: 3 }), { maxLength: 4 }),
});
type Walk = typeof walk extends fc.Arbitrary<infer Value> ? Value : never;

const linkTo = (link: string | null, relation: string): string | undefined =>
  new RegExp(`<([^>]*)>; rel="${relation}"`).exec(link ?? '')?.[1];

const withLimit = (target: string, limit: number): string => target.replace(/limit=\d+/, `limit=${limit}`);

const plan = ({ filter, order, limits }: Walk, pets: readonly Pet[]) => {
  const { status, categoryId, picked } = filter;
  const unknownId = 999_999_999;
  const ids = picked && [unknownId, ...pets.filter((_, index) => picked[index]).map(({ id }) => id)];
  const query = new URLSearchParams({ order, limit: String(limits[0]) });
  if (status) query.set('status', status);
  if (categoryId) query.set('categoryId', String(categoryId));
  if (ids) query.set('ids', ids.join(','));
  const matches = (pet: Pet) =>
    (status ?? pet.status) === pet.status &&
    (categoryId ?? pet.categoryId) === pet.categoryId &&
    (ids ?? [pet.id]).includes(pet.id);
  const expected = pets.filter(matches).map(({ id }) => id);
  return { target: `/v1/pets?${query}`, matches, expected: order === 'asc' ? expected : expected.reverse() };
};

const follow = async (
  key: string,
  first: string,
  given: Walk,
  addAll: (newPets: Walk['newPets']) => Promise<unknown>,
) => {
  const seen: Pet[] = [];
  let target: string | undefined = first;
  for (let page = 0; target !== undefined; page++) {
    const limit = given.limits[page % given.limits.length] as number;
    const { status, headers, body } = await service.get(withLimit(target, limit), { key });
    expect(status).toBe(200);
    expect(body.length).toBeLessThanOrEqual(limit);
    seen.push(...body);
    const next = linkTo(headers.get('link'), 'next');
    if (next !== undefined) expect(body).toHaveLength(limit);
    expect(linkTo(headers.get('link'), 'first')).not.toContain('cursor=');
    target = next?.slice(service.url('').length);
    await addAll(given.added[page] ?? []);
  }
  return seen;
};

test(
  'paging visits each matching pet exactly once and in order, even while pets are added',
  async () => {
    const visited = fc.asyncProperty(walk, async (given) => {
      const limits = { perMinute: 1_000_000, perDay: 1_000_000 };
      const key = await service.issueKey({ plan: 'enterprise', limits, storeId: ++stores });
      const addAll = (newPets: Walk['newPets']) =>
        Promise.all(newPets.map((each) => service.post('/v1/pets', { name: 'Rex', ...each }, { key })));

      const pets = (await addAll(given.newPets)).map(({ body }) => body as Pet).sort((a, b) => a.id - b.id);
      const { target, matches, expected } = plan(given, pets);
      const seen = await follow(key, target, given, addAll);

      const ids = seen.map(({ id }) => id);
      const sorted = [...new Set(ids)].sort((a, b) => (given.order === 'asc' ? a - b : b - a));
      expect(ids).toEqual(sorted);
      expect(seen.filter((pet) => !matches(pet))).toEqual([]);
      const fromTheStart = new Set(pets.map(({ id }) => id));
      expect(ids.filter((id) => fromTheStart.has(id))).toEqual(expected);
    });
    await fc.assert(visited, runs(0.04));
  },
  PROPERTY_TIMEOUT_MS,
);
