import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { MAX_ROWS } from '../../src/kernel/contract.ts';
import { newPet } from '../../src/resources/pets/pet.ts';
import { createWriter } from '../commands/export-pets.ts';
import { readChunks } from '../files/import-file.ts';
import { BATCH_ROWS, type Format, findFaults, formatOf, readRows, toPet, withReason } from './pet-rows.ts';
import { LONGEST_ROW, placeOf } from './text-chunks.ts';

async function* inPieces(text: string, size: number): AsyncGenerator<string, void> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

const read = async (text: string, format: Format, size = 7) =>
  (await Array.fromAsync(readRows(inPieces(text, size), format))).flat();

const values = async (text: string, format: Format) => (await read(text, format)).map(({ value }) => value);

describe('a CSV file', () => {
  test('finds its columns by name, in any order and spelling, and ignores others', async () => {
    expect(await values('Status,colour,category_id,NAME\r\nsold,red,7,Rex\r\n,,-5,Bo\r\n', 'csv')).toEqual([
      { status: 'sold', categoryId: 7, name: 'Rex' },
      { status: undefined, categoryId: -5, name: 'Bo' },
    ]);
  });

  test('may quote separators, quotes and line breaks, and numbers rows by their first line', async () => {
    const rows = await read(
      'name,categoryId\n"Sir ""Rex"", the 1st",1\n"two\nlines",9223372036854775807\n\nBo,x\n',
      'csv',
    );
    expect(rows.map(({ line, value }) => [line, value])).toEqual([
      [2, { name: 'Sir "Rex", the 1st', categoryId: 1 }],
      [3, { name: 'two\nlines', categoryId: 9223372036854775807n }],
      [6, { name: 'Bo', categoryId: 'x' }],
    ]);
  });

  test.each([';', '\t'])('may separate fields with %j', async (separator) => {
    expect(await values(`name,x,categoryId\nRex,"a${separator}",3`.replaceAll(',', separator), 'csv')).toEqual([
      { name: 'Rex', categoryId: 3 },
    ]);
  });

  test('keeps a name that looks like a number, or is empty, as text', async () => {
    expect(await values('name,categoryId\n007,1\n,2', 'csv')).toEqual([
      { name: '007', categoryId: 1 },
      { name: '', categoryId: 2 },
    ]);
  });

  test('reads a quote inside a field as a character, in any number of rows', async () => {
    expect(await values('name,categoryId\n2" wide,1\nRex "R",2\n3" tall,3\n', 'csv')).toEqual([
      { name: '2" wide', categoryId: 1 },
      { name: 'Rex "R"', categoryId: 2 },
      { name: '3" tall', categoryId: 3 },
    ]);
  });

  test('reports a row whose quote closes in another row', async () => {
    const [row, ...others] = await read('name,categoryId\nBo,"7\nRex "R",1\n', 'csv');
    expect([row?.line, row?.fault, others]).toEqual([2, expect.stringMatching('text after a closing quote'), []]);
  });

  test.each(['"Rex" the dog,1', '"Rex" ,1', 'Rex,"1"0', '"two\nlines"!,1', '""Rex"",1'])(
    'reports text after a closing quote instead of joining it: %j',
    async (text) => {
      const rows = await read(`name,categoryId\n${text}\nMia,2\n`, 'csv');
      expect(rows.map((row) => [row.text, row.fault])).toEqual([
        [text, 'has text after a closing quote; to put a quote into a quoted field, write it twice'],
        ['Mia,2', undefined],
      ]);
    },
  );

  test.each([
    ['"Rex ""R""",1', 'Rex "R"'],
    ['"""""",1', '""'],
    ['"",1', ''],
    [' "Rex" the dog,1', ' "Rex" the dog'],
  ])('reads quotes by RFC 4180: %j', async (text, name) => {
    expect(await values(`name,categoryId\n${text}`, 'csv')).toEqual([{ name, categoryId: 1 }]);
  });

  test('with a quote that is never closed is refused in linear time, with its line', async () => {
    const text = `name,categoryId\n"open,1\n${'Rex,1\n'.repeat(170_000)}`;
    await expect(read(text, 'csv', 100_000)).rejects.toThrow('has a quote in line 2 that is never closed');
  });

  test('has batches that the service accepts', () => {
    expect(BATCH_ROWS).toBeLessThanOrEqual(MAX_ROWS);
  });

  test('has no line of more than a million characters', async () => {
    const line = 'x'.repeat(LONGEST_ROW + 1);
    expect(await read(`name,categoryId\n${line}`, 'csv', 65_536).catch(({ message }: Error) => message)).toBe(
      `has more than ${LONGEST_ROW} characters in line 2`,
    );
  });

  test('refuses two columns for one field', async () => {
    await expect(values('name,categoryId,Category ID\nRex,1,2\n', 'csv')).rejects.toThrow('two columns for category');
    await expect(values('name,categoryId,category\nRex,1,Cats\n', 'csv')).rejects.toThrow('two columns for category');
  });

  test.each([',', ';', '\t'])('skips a first line that names the separator for Excel: %j', async (mark) => {
    const text = ['sep=', 'name,categoryId', 'sep=,1', ''].join('\n').replaceAll(',', mark);
    expect(await values(text.replace('sep=', `sep=${mark}`), 'csv')).toEqual([{ name: 'sep=', categoryId: 1 }]);
  });

  test('reports a row with more or fewer fields', async () => {
    expect(await read('name,categoryId\nRex\n', 'csv')).toMatchObject([
      { line: 2, fault: 'has 1 field, but the first line has 2' },
    ]);
  });

  test.each([
    ['name,kind\nRex,1\n', 'has no "category" column'],
    ['Rex,1\n', 'has no "name" or "category" column'],
    ['name,categoryId\n"Rex,1\nBo,2\n', 'has a quote in line 2 that is never closed'],
  ])('%j is refused: it %s', async (text, message) => {
    await expect(read(text, 'csv')).rejects.toThrow(message);
  });
});

describe('JSON', () => {
  const objects = [
    { name: 'A, [x] " {', categoryId: 1 },
    { name: '\\"', categoryId: -2, more: { deep: [1, [2]] } },
  ];

  test('may be an array, spread over lines', async () => {
    const text = `\n[ ${JSON.stringify(objects[0])},\n\n${JSON.stringify(objects[1], null, 2)}\n]\n`;
    for (const size of [3, 4, 7, 1000]) {
      const rows = await read(text, 'json', size);
      expect(rows.map(({ value }) => value)).toEqual(objects);
      expect(rows.map(placeOf)).toEqual(['item 1, line 2', 'item 2, line 4']);
    }
  });

  test('numbers the items of an array that is one long line', async () => {
    const rows = await read('[1, {"name":"a, b"},[2,3] , x]', 'json', 3);
    expect(rows.map(placeOf)).toEqual([1, 2, 3, 4].map((item) => `item ${item}, line 1`));
    expect(rows.at(-1)?.fault).toBe('is not valid JSON');
  });

  test('may be one object per line', async () => {
    const rows = await read(`${JSON.stringify(objects[0])}\n\nnone\n${JSON.stringify(objects[1])}`, 'ndjson');
    expect(rows.map(({ line, value, fault }) => [line, fault ?? value])).toEqual([
      [1, objects[0]],
      [3, 'is not valid JSON'],
      [4, objects[1]],
    ]);
  });

  test.each([
    ['{"name":"Rex"}', 'must be a JSON array of pets'],
    ['[{"name":"Rex"},', 'ends before its array is closed'],
  ])('%s is refused: it %s', async (text, message) => {
    await expect(read(text, 'json', 1000)).rejects.toThrow(message);
  });
});

test('a written file is read back unchanged, in any format', async () => {
  const pet = fc.record({
    name: fc.string({ unit: 'grapheme', minLength: 1 }).filter((name) => !name.includes('\r')),
    categoryId: fc.integer(),
    status: fc.constantFrom('available', 'pending', 'sold'),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(pet, { minLength: 1, maxLength: 8 }),
      fc.constantFrom<Format>('csv', 'ndjson', 'json'),
      fc.integer({ min: 5, max: 60 }),
      async (pets, format, size) => {
        const { start, piece, end } = createWriter(format, ['name', 'categoryId', 'status']);
        const half = Math.ceil(pets.length / 2);
        const pieces = [pets.slice(0, half), pets.slice(half)].filter(({ length }) => length > 0);
        const text = start + pieces.map(piece).join('') + end;
        expect((await read(text, format, size)).map(({ value }) => value)).toEqual(pets);
      },
    ),
  );
});

describe('a row', () => {
  const names = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', ' ', 'a\0', '\ud800', '🐕'.repeat(255), '🐕'.repeat(256)),
  );
  const ids = fc.oneof(fc.integer(), fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }), fc.double(), fc.string());
  const statuses = fc.oneof(fc.constantFrom('available', 'pending', 'sold', 'lost'), fc.constant(null));
  const parts = { name: fc.oneof(names, fc.integer()), categoryId: ids, status: statuses, more: fc.string() };

  test('is valid exactly if the service accepts it, and its faults name the same fields', () => {
    const rows = fc.oneof(
      fc.record(parts, { requiredKeys: [] }),
      fc.array(fc.integer()),
      fc.constantFrom(null, 5, 'x'),
    );
    fc.assert(
      fc.property(rows, (value) => {
        const issues = newPet.safeParse(value).error?.issues ?? [];
        expect(findFaults({ value }).map(({ field }) => field)).toEqual(issues.map(({ path }) => path.join('.')));
      }),
    );
  });

  test('may have a name of 255 characters with two code units each, and unknown fields are not sent', () => {
    const row = (length: number) => ({ value: { name: '🐕'.repeat(length), categoryId: 1, id: 7 } });
    expect([findFaults(row(255)), findFaults(row(256)).length]).toEqual([[], 1]);
    expect(toPet(row(1).value)).toEqual({ name: '🐕', categoryId: 1 });
  });

  test('that is rejected gets a reason, in a column or a field', () => {
    expect(withReason('Rex;x', 'is; wrong', 'name;categoryId')).toBe('Rex;x;"is; wrong"');
    expect(withReason('{"categoryId":9223372036854775807}', 'wrong', undefined)).toBe(
      '{"categoryId":9223372036854775807,"reason":"wrong"}',
    );
    expect(withReason('[1', 'wrong', undefined)).toBe('{"row":"[1","reason":"wrong"}');
    expect(withReason('{ }', 'wrong', undefined)).toBe('{"reason":"wrong"}');
  });

  test('that is rejected keeps every other field, however large its numbers', () => {
    const value = fc.oneof(fc.json(), fc.constantFrom('1e20', '1e400', '{"x":[985141000123456.0e3]}', '"}"'));
    fc.assert(
      fc.property(value, (extra) => {
        const text = `{"name":"Rex","extra":${extra}}`;
        expect(withReason(text, 'is wrong', undefined)).toBe(`${text.slice(0, -1)},"reason":"is wrong"}`);
      }),
    );
  });
});

describe('a number in a JSON file', () => {
  const readId = async (digits: string) => {
    const [row] = await read(`[{"name":"Rex","categoryId":${digits}}]`, 'json');
    return row as NonNullable<typeof row>;
  };

  test.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['9007199254740991.0', 9007199254740991],
  ])('%s keeps its value', async (digits, categoryId) => {
    const row = await readId(digits);
    expect([row.value, findFaults(row)]).toEqual([{ name: 'Rex', categoryId }, []]);
  });

  test.each(['9007199254740990.5', '1.00000000000000001', '9.007199254740993e15', '9223372036854775808'])(
    '%s is refused instead of being rounded',
    async (digits) => {
      expect(findFaults(await readId(digits)).map(({ field }) => field)).toEqual(['categoryId']);
    },
  );

  test('that would be rounded keeps its digits in the rejected row', async () => {
    const { text } = await readId('9007199254740990.5');
    expect(withReason(text, 'wrong', undefined)).toBe(
      '{"name":"Rex","categoryId":9007199254740990.5,"reason":"wrong"}',
    );
  });
});

test.each(['[{"name":"a"}]\n[{"name":"b"}]', '[{"name":"a"}], {"name":"b"}', '[]]'])(
  'text after a JSON array is refused: %s',
  async (text) => {
    for (const size of [1, 4, 1000]) {
      await expect(Array.fromAsync(readRows(inPieces(text, size), 'json'))).rejects.toThrow(
        'after the end of its array',
      );
    }
  },
);

describe('a file', () => {
  test.each([
    ['a.csv', 'name', 'csv'],
    ['a.csv', '\uFEFF[', 'json'],
    ['a.json', '{', 'ndjson'],
    ['a.TSV', '', 'csv'],
    ['a.jsonl', '', 'ndjson'],
    ['a.json', '', 'json'],
    ['-', ' \n[{', 'json'],
    ['-', '{"a"', 'ndjson'],
    ['data', 'name,', 'csv'],
  ])('named %s that starts with %j is %s', (name, start, format) => {
    expect(formatOf(name, start)).toBe(format as Format);
  });

  test('is read without its byte order mark, and refused if it is not UTF-8', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
    const path = join(directory, 'a.csv');
    writeFileSync(path, '\uFEFFnäme');
    const hash = createHash('sha256');
    expect((await Array.fromAsync(readChunks(path, (bytes) => hash.update(bytes)))).join('')).toBe('näme');
    expect(hash.digest('hex')).toBe(createHash('sha256').update('\uFEFFnäme').digest('hex'));
    writeFileSync(path, Buffer.from([0x6e, 0xe4, 0x6d, 0x65]));
    await expect(Array.fromAsync(readChunks(path, () => {}))).rejects.toThrow('save it as UTF-8');
    writeFileSync(path, Buffer.from('\uFEFFname', 'utf16le'));
    await expect(Array.fromAsync(readChunks(path, () => {}))).rejects.toThrow('save it as UTF-8');
    writeFileSync(path, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]));
    await expect(Array.fromAsync(readChunks(path, () => {}))).rejects.toThrow('is not a CSV or JSON file');
    rmSync(directory, { recursive: true });
  });
});
