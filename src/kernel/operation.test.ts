import { describe, expect, test } from 'bun:test';
import { z } from 'zod';
import { contract } from './contract.ts';
import { changedFields, FIRST_STORE, reads, refuseStale, SYSTEM_CALL, writes } from './operation.ts';
import { answerPage } from './page.ts';
import { int64, int64Text, jsonInteger } from './schema.ts';

/** These tests also check types: `npm run check` fails if an expected type error does not occur. */

const about = {
  command: 'things get',
  tag: 'Things',
  summary: '',
  description: '',
  scope: 'any key',
} as const;
const thing = z.object({ id: int64, tags: z.array(z.string()), note: z.string().optional() });

const shown = contract('getThing', 'GET', '/things', {
  ...about,
  answer: { status: 200, description: '', body: thing },
});
const made = contract('getThing', 'GET', '/things', {
  ...about,
  answer: { status: 201, description: '', body: thing, headers: ['ETag', 'Location'] },
});
const gone = contract('getThing', 'GET', '/things', { ...about, answer: { status: 204, description: '' } });
const listed = contract('getThing', 'GET', '/things', {
  ...about,
  paged: int64Text,
  answer: { status: 200, description: '', body: z.array(thing), headers: ['ETag'] },
});
const followed = contract('getThing', 'GET', '/things', {
  ...about,
  stream: true,
  answer: { status: 200, description: '', body: z.string() },
});

const body = { id: jsonInteger(7n), tags: ['a'] as readonly string[] };
const page = { limit: 1, order: 'asc' } as const;

describe('the answer of an operation', () => {
  test('has the type that its contract declares', () => {
    reads(shown, () => ({ body }));
    reads(shown, async () => ({ body: { ...body, note: 'new' } }));
    writes(made, async () => ({ body, version: 1n, location: '/things/7' }));
    writes(gone, async () => ({}));
    reads(listed, () => ({ body: [body], version: 1n, next: '7' }));
    reads(listed, () => answerPage([7n], page, { body: () => body, position: String }));
    reads(followed, async () => ({ stream: new ReadableStream<Uint8Array>() }));
  });

  test('has no field of another type', () => {
    // @ts-expect-error
    reads(shown, () => ({ body: { ...body, tags: [1] } }));
    // @ts-expect-error: JSON.stringify cannot write a bigint
    reads(shown, async () => ({ body: { ...body, id: 7n } }));
    // @ts-expect-error
    reads(listed, () => answerPage([7n], page, { body: (id) => ({ ...body, id }), position: String }));
  });

  test('omits no field', () => {
    // @ts-expect-error
    reads(shown, () => ({ body: { id: body.id } }));
    // @ts-expect-error
    reads(shown, async () => ({}));
    // @ts-expect-error
    reads(followed, async () => ({}));
  });

  test('has only the fields that the contract defines', () => {
    // @ts-expect-error
    reads(shown, () => ({ body: { ...body, secret: '' } }));
    // @ts-expect-error
    reads(listed, async () => ({ body: [{ ...body, secret: '' }] }));
  });

  test('has no body if the contract has none', () => {
    // @ts-expect-error
    writes(gone, async () => ({ body }));
    // @ts-expect-error
    reads(followed, async () => ({ body: '' }));
  });

  test('has the headers of its contract and no others', () => {
    // @ts-expect-error: the Location header is missing
    writes(made, async () => ({ body, version: 1n }));
    // @ts-expect-error: the ETag header is missing
    writes(made, async () => ({ body, location: '/things/7' }));
    // @ts-expect-error: the contract declares no Location header
    reads(shown, () => ({ body, location: '/things/7' }));
    // @ts-expect-error: the contract declares no ETag header
    reads(shown, () => ({ body, version: 1n }));
  });

  test('is neither a page nor a stream unless the contract declares it', () => {
    // @ts-expect-error
    reads(shown, () => ({ body, next: '7' }));
    // @ts-expect-error
    reads(shown, () => ({ body, stream: new ReadableStream<Uint8Array>() }));
  });

  test('cannot claim to be replayed: only the runner replays answers', () => {
    // @ts-expect-error
    reads(shown, () => ({ body, replayed: true }));
  });
});

test('an operation declares whether it reads or writes', () => {
  expect(reads(shown, () => ({ body })).access).toBe('read');
  expect(writes(gone, async () => ({})).access).toBe('write');
});

test('the service itself acts in the first store, which has the id 1', () => {
  expect([FIRST_STORE, SYSTEM_CALL.storeId]).toEqual([1n, 1n]);
});

test('a change is allowed without If-Match, with *, or with the current version among others', () => {
  for (const asked of [undefined, ['*'], ['"7"'], ['"6"', '"7"']]) expect(() => refuseStale(asked, 7n)).not.toThrow();
});

test('a change to another version is refused, and so is a change with a weak tag of the current version', () => {
  for (const asked of [['"6"'], ['W/"7"'], ['7'], []]) {
    expect(() => refuseStale(asked, 7n)).toThrow(
      expect.objectContaining({ code: 'precondition_failed', message: expect.stringContaining('"7"') }),
    );
  }
});

describe('the changed fields of a body', () => {
  test('are returned with their earlier values', () => {
    const [before, after] = [
      { name: 'Rex', tags: ['a'], age: 1 },
      { name: 'Max', tags: ['a', 'b'], age: 1 },
    ];
    expect(changedFields(before, after)).toEqual({ name: 'Rex', tags: ['a'] });
    expect(changedFields(before, { ...before, age: 2 })).toEqual({ age: 1 });
  });

  test('include a field that was missing before, as null', () => {
    const [without, named]: [object, object] = [{}, { name: 'Rex' }];
    expect(changedFields(without, named)).toEqual({ name: null });
    expect(changedFields(named, without)).toEqual({ name: 'Rex' });
  });

  test('are undefined if nothing changed', () => {
    expect(changedFields({ tags: ['a'] }, { tags: ['a'] })).toBeUndefined();
  });
});
