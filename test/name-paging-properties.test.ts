import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { petStatus } from './arbitrary-bodies.ts';
import { relations } from './follow-pages.ts';
import { PROPERTY_TIMEOUT_MS, runs } from './property-runs.ts';
import { type Service, startService } from './service.ts';

let service: Service;
let stores = 1;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

type NewPet = { name: string; status: string; categoryId: number };
type Pet = NewPet & { id: number };

const TRICKY = [
  ...['r', 'R', 're', 'RE', 'É', 'e\u0301', 'ß', 'ẞ', 'ss', 'İ', 'i', 'I', 'ı', 'ﬁ', 'fi', 'Σ', 'σ', 'ς', 'ﷺ', 'Ａ'],
  ...['%', '_', '\\', "'", '"', ' ', '.', ',', '&', '+', '\u0001', '\u007f', '\u0080', '\ud7ff', '\ue000', '\uffff'],
  ...['𐐀', '🐕', '\u{10fffe}', '\u{10ffff}', 'x'.repeat(62)],
];
const characters = (text: string): string[] => [...text];
const isName = (text: string): boolean =>
  text.isWellFormed() && text.trim() !== '' && !text.includes('\0') && characters(text).length <= 255;
const name = fc
  .oneof(
    {
      weight: 4,
      arbitrary: fc.array(fc.constantFrom(...TRICKY), { minLength: 1, maxLength: 4 }).map((all) => all.join('')),
    },
    fc.string({ unit: 'binary', minLength: 1, maxLength: 70 }),
  )
  .filter(isName);

const newPet = fc.record({ name, status: petStatus, categoryId: fc.integer({ min: 1, max: 2 }) });

const walk = fc.record({
  newPets: fc.array(newPet, { maxLength: 30 }),
  filter: fc.record({ status: petStatus, categoryId: fc.integer({ min: 1, max: 2 }) }, { requiredKeys: [] }),
  picked: fc.option(fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }), { freq: 4, nil: undefined }),
  begins: fc.option(
    fc.record({
      of: fc.nat(29),
      from: fc.nat(3),
      isSearch: fc.boolean(),
      length: fc.integer({ min: 1, max: 70 }),
      isCapital: fc.boolean(),
      other: name,
    }),
    { nil: undefined },
  ),
  order: fc.constantFrom('asc', 'desc'),
  limits: fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 3 }),
});
type Walk = typeof walk extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * Converts each letter on its own, because `toLowerCase` chooses between σ and ς depending on the neighbouring letters.
 * Both are lowercase forms of the same capital letter, so ς becomes σ.
 */
const fold = (text: string): string =>
  characters(
    characters(text.normalize('NFKC'))
      .map((one) => (one === 'ς' ? 'σ' : one.toLowerCase()))
      .join(''),
  )
    .slice(0, 64)
    .join('');
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

const textOf = ({ begins }: Walk, pets: readonly Pet[]): string | undefined => {
  if (!begins) return undefined;
  const whole = pets[begins.of]?.name ?? begins.other;
  const from = begins.isSearch ? begins.from : 0;
  const text = characters(whole)
    .slice(from, from + begins.length)
    .join('');
  const given = begins.isCapital ? text.toUpperCase() : text;
  return isName(given) ? given : begins.other;
};

const plan = (given: Walk, pets: readonly Pet[]) => {
  const { status, categoryId } = given.filter;
  const text = textOf(given, pets);
  const ids = given.picked && [999_999_999, ...pets.filter((_, at) => given.picked?.[at]).map(({ id }) => id)];
  const query = new URLSearchParams({ order: given.order });
  const isSearch = given.begins?.isSearch === true;
  if (text === undefined || isSearch) query.set('sort', 'name');
  if (text !== undefined) query.set(isSearch ? 'search' : 'name', text);
  if (status) query.set('status', status);
  if (categoryId) query.set('categoryId', String(categoryId));
  if (ids) query.set('ids', ids.join(','));
  const fits = (name: string) => (isSearch ? name.includes(fold(text ?? '')) : name.startsWith(fold(text ?? '')));
  const expected = pets
    .filter((pet) => (status ?? pet.status) === pet.status && (categoryId ?? pet.categoryId) === pet.categoryId)
    .filter((pet) => (ids ?? [pet.id]).includes(pet.id) && fits(fold(pet.name)))
    .toSorted((a, b) => byBytes(fold(a.name), fold(b.name)) || a.id - b.id);
  return { target: `/v1/pets?${query}`, expected: given.order === 'asc' ? expected : expected.reverse() };
};

const follow = async (key: string, first: string, limits: readonly number[]): Promise<Pet[]> => {
  const seen: Pet[] = [];
  let target: string | undefined = first;
  for (let page = 0; target !== undefined; page += 1) {
    const limit = limits[page % limits.length] as number;
    const url = new URL(service.url(target));
    url.searchParams.set('limit', String(limit));
    const response = await service.get(url.href.slice(service.url('').length), { key });
    expect(response.status).toBe(200);
    seen.push(...response.body);
    const { next } = relations(response);
    if (next !== undefined) expect(response.body).toHaveLength(limit);
    else expect(response.body.length).toBeLessThanOrEqual(limit);
    target = next?.slice(service.url('').length);
  }
  return seen;
};

test(
  'a list by name shows each matching pet exactly once and in order, whatever the names',
  async () => {
    const shown = fc.asyncProperty(walk, async (given) => {
      const limits = { perMinute: 1_000_000, perDay: 1_000_000 };
      const key = await service.issueKey({ plan: 'enterprise', limits, storeId: ++stores });
      const pets: Pet[] =
        given.newPets.length === 0 ? [] : (await service.post('/v1/pets/batch', { pets: given.newPets }, { key })).body;
      const { target, expected } = plan(given, pets);
      expect(await follow(key, target, given.limits)).toEqual(expected);
    });
    await fc.assert(shown, runs(0.05));
  },
  PROPERTY_TIMEOUT_MS,
);
