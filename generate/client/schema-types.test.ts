import { describe, expect, test } from 'bun:test';
import type { Schema } from '../../cli/args/json-schema.ts';
import { createTypes, type Definitions } from './schema-types.ts';

const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` });
const WIDE: Schema = { type: 'integer' };
const CHOSEN: Schema = { type: 'integer', isChosen: true };
const SAFE: Schema = { type: 'integer', maximum: Number.MAX_SAFE_INTEGER };

const DEFINITIONS: Definitions = {
  Pet: {
    type: 'object',
    description: 'A pet.',
    properties: { id: WIDE, categoryId: CHOSEN, name: { type: 'string' } },
    required: ['id', 'categoryId'],
  },
  NewPet: { type: 'object', properties: { categoryId: WIDE, status: ref('Status') }, required: ['categoryId'] },
  Status: { type: 'string', enum: ['available', 'sold'] },
  Pets: { type: 'array', items: ref('Pet') },
  Limits: { type: 'object', properties: { perDay: SAFE }, required: ['perDay'] },
  Added: { type: 'object', properties: { type: { const: 'added' }, data: ref('Pet') }, required: ['type', 'data'] },
  Ended: { type: 'object', properties: { type: { const: 'ended' } }, required: ['type'] },
  Event: { oneOf: [ref('Added'), ref('Ended')], description: 'A change.' },
};
const types = createTypes(DEFINITIONS, [ref('NewPet')], [ref('Pets'), ref('Limits'), ref('Event')]);
const declared = types.declare().join('\n');

describe('the TypeScript type of a schema', () => {
  test.each<[string, Schema]>([
    ['string', { type: 'string' }],
    ['string | null', { type: ['string', 'null'] }],
    ['string | null', { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    ["'a' | 'b'", { enum: ['a', 'b'] }],
    ["Array<'a' | 'b'>", { type: 'array', items: { enum: ['a', 'b'] } }],
    ['number', SAFE],
    ['number', WIDE],
    ['Int64', CHOSEN],
    ['Pet[]', ref('Pets')],
    ['Limits', ref('Limits')],
    ['Event', ref('Event')],
    ['Pet & Limits', { allOf: [ref('Pet'), ref('Limits')] }],
    ['Record<string, number>', { type: 'object', additionalProperties: SAFE }],
    ['Record<string, unknown>', { type: 'object' }],
    ['unknown', {}],
  ])('%s is the type of the response', (expected, schema) => {
    expect(types.typeOf(schema, 'output')).toBe(expected);
  });

  test('accepts both kinds of integers in requests', () => {
    expect(types.typeOf(WIDE, 'input')).toBe('Int64');
    expect(types.typeOf(SAFE, 'input')).toBe('number');
    expect(types.typeOf(ref('NewPet'), 'input')).toBe('NewPet');
  });

  test('has the name of the schema, bigint only where callers choose the integer, and undefined in requests', () => {
    expect(declared).toContain(
      '/** A pet. */\nexport interface Pet {\n  id: number;\n  categoryId: Int64;\n  name?: string;\n}\n',
    );
    expect(declared).toContain('export interface NewPet {\n  categoryId: Int64;\n  status?: Status | undefined;\n}\n');
    expect(declared).toContain("export type Status = 'available' | 'sold';\n");
    expect(declared).toContain('export interface Limits {\n  perDay: number;\n}\n');
  });

  test('of a discriminated union is a union', () => {
    expect(declared).toContain('/** A change. */\nexport type Event = Added | Ended;\n');
    expect(declared).toContain("  type: 'added';\n  /** A pet. */\n  data: Pet;");
  });

  test('has no name for a list', () => {
    expect(declared).not.toContain('Pets');
  });
});
