import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Petstore } from '../client/src/index.ts';
import { readImport } from '../console/pets/transfer/import-rows.ts';
import { runCommand } from './no-terminal.ts';
import { createWorkbench } from './program.ts';
import { ADMIN_KEY, type Service, startService } from './service.ts';

type Sample = {
  about: string;
  text: string;
  pets: [name: string, category: string, status: string][];
  wrong?: [line: number, reason: string][];
};

const NO_CATEGORY = 'categoryId must be the name of one category, or an integer from -2^63 to 2^63-1';

/**
 * `Dogs` is category 1 and `Cats` is category 2. Two more categories are both called `Twins`, and another is called
 * `1`.
 */
const SAMPLES: Sample[] = [
  {
    about: 'headings in any case, order and spelling, next to other columns',
    text: 'STATUS,colour,Category ID,nAmE\nsold,red,1,Rex\n,,2,Mia\n',
    pets: [
      ['Rex', '1', 'sold'],
      ['Mia', '2', 'available'],
    ],
  },
  {
    about: 'category names, in any case and with spaces around them',
    text: 'name,category\nRex,Dogs\nMia, cATS \n',
    pets: [
      ['Rex', '1', 'available'],
      ['Mia', '2', 'available'],
    ],
  },
  {
    about: 'semicolons, with commas in the fields',
    text: 'name;categoryId;status\nRex, the 1st;Dogs;pending\n"a;b";2;\n',
    pets: [
      ['Rex, the 1st', '1', 'pending'],
      ['a;b', '2', 'available'],
    ],
  },
  { about: 'tabs', text: 'name\tcategory_id\nRex\tdogs\n', pets: [['Rex', '1', 'available']] },
  {
    about: 'lines that end with a carriage return alone',
    text: 'name,categoryId\rRex,1\r"Mia ""M""",Cats\r',
    pets: [
      ['Rex', '1', 'available'],
      ['Mia "M"', '2', 'available'],
    ],
  },
  {
    about: 'a byte order mark before a quoted heading, and CRLF',
    text: '\uFEFF"Name","Category"\r\n"Rex","Dogs"\r\n\r\n"Mia",2',
    pets: [
      ['Rex', '1', 'available'],
      ['Mia', '2', 'available'],
    ],
  },
  {
    about: 'quotes, line breaks and escaped formulas',
    text: 'name,categoryId\n"two\nlines, ""quoted""",1\n2" wide,1\n\'=1+1,1\n007,1\n',
    pets: [
      ['two\nlines, "quoted"', '1', 'available'],
      ['2" wide', '1', 'available'],
      ['=1+1', '1', 'available'],
      ['007', '1', 'available'],
    ],
  },
  {
    about: 'integers around 2^53 and 2^63, and none that a spreadsheet has rounded',
    text: 'name,categoryId\na,9007199254740993\nb,-9223372036854775808\nc,9223372036854775808\nd,9.22337E+18\ne,1.0\n',
    pets: [
      ['a', '9007199254740993', 'available'],
      ['b', '-9223372036854775808', 'available'],
    ],
    wrong: [
      [4, NO_CATEGORY],
      [5, NO_CATEGORY],
      [6, NO_CATEGORY],
    ],
  },
  {
    about: 'invalid rows',
    text: 'name,category,status\nRex,Dragons,\nMia,Twins,\n,1,gone\nOnly,1\nBo,,\nAda,Dogs,sold\n',
    pets: [['Ada', '1', 'sold']],
    wrong: [
      [2, NO_CATEGORY],
      [3, NO_CATEGORY],
      [4, 'name must not be empty or only white space; status must be one of available, pending, sold'],
      [5, 'has 2 fields, but the first line has 3'],
      [6, 'categoryId is required'],
    ],
  },
];

const bench = createWorkbench();
let service: Service;
let petstore: Petstore;
beforeAll(async () => {
  service = await startService();
  petstore = new Petstore({ baseUrl: service.url('/v1'), key: ADMIN_KEY });
  for (const [id, name] of [
    [1, 'Dogs'],
    [2, 'Cats'],
  ] as const) {
    await petstore.pets.create({ name, categoryId: id });
    await petstore.categories.update(id, { name });
  }
  for (const name of ['Twins', 'Twins', '1']) await petstore.categories.create({ name });
});
afterAll(async () => {
  await bench.clear();
  await service.stop();
});

const environment = () => ({ PETSTORE_URL: service.url(''), PETSTORE_API_KEY: ADMIN_KEY });

type Shown = { name: string; categoryId: number | bigint; status?: string | undefined };
const toFields = ({ name, categoryId, status = 'available' }: Shown) => [name, String(categoryId), status];

const importByCommand = async (file: string) => {
  const before = (await petstore.pets.list().toArray()).length;
  const { err = '' } = await runCommand(['pets', 'import', file, '--dry-run'], environment());
  const { exitCode } = await runCommand(['pets', 'import', file, '--continue'], environment());
  const added = (await petstore.pets.list().toArray()).slice(before);
  return { exitCode, pets: added.map(toFields), err };
};

const readByConsole = async (name: string, text: string | Uint8Array<ArrayBuffer>) => {
  const { rows } = await readImport(new File([text], name), () => petstore.categories.list().toArray());
  return {
    pets: rows.flatMap(({ pet }) => (pet ? [toFields(pet)] : [])),
    wrong: rows
      .filter(({ pet }) => !pet)
      // The console says "category" and "a whole number" where the command line uses technical terms.
      .map(({ place, faults }) => [
        Number(place.replace('line ', '')),
        faults
          .join('; ')
          .replaceAll(/\bcategory (?=must|is)/g, 'categoryId ')
          .replaceAll('a whole number', 'an integer from -2^63 to 2^63-1'),
      ]),
  };
};

describe('the command line and the console read the same pets from a file', () => {
  test('there are nine samples', () => {
    expect(SAMPLES).toHaveLength(9);
  });

  test.each(SAMPLES)('with $about', async ({ text, pets, wrong = [] }) => {
    const file = join(bench.directory(), 'pets.csv');
    writeFileSync(file, text);
    expect(await readByConsole('pets.csv', text)).toEqual({ pets, wrong });
    const { exitCode, pets: added, err } = await importByCommand(file);
    expect([exitCode, added]).toEqual([0, pets]);
    const lines = [...err.matchAll(/^ {2}line (\d+) +(.+)$/gm)].map(([, line, rest = '']) => [
      Number(line),
      rest.replace(/^- +/, '').replaceAll(/ {2,}/g, ' '),
    ]);
    expect(lines).toEqual(wrong.flatMap(([line, reason]) => reason.split('; ').map((one) => [line, one])));
  });

  const REFUSED: [about: string, name: string, bytes: number[], reason: string][] = [
    ['a workbook', 'pets.xlsx', [0x50, 0x4b, 3, 4, 20, 0], 'is a spreadsheet; save it as CSV'],
    ['a workbook with another name', 'pets.csv', [0x50, 0x4b, 3, 4, 20, 0], 'is a spreadsheet; save it as CSV'],
    ['an old workbook', 'pets.xls', [0xd0, 0xcf, 0x11, 0xe0, 0xa1], 'is a spreadsheet; save it as CSV'],
    ['text in Latin-1', 'pets.csv', [...Buffer.from('name,categoryId\nM\xe4x,1\n', 'latin1')], 'is not UTF-8 text'],
  ];
  test.each(REFUSED)('and refuse %s (%s)', async (_, name, bytes, reason) => {
    const file = join(bench.directory(), name);
    writeFileSync(file, Uint8Array.from(bytes));
    await expect(readByConsole(name, Uint8Array.from(bytes))).rejects.toThrow(`${name} ${reason}`);
    expect(await runCommand(['pets', 'import', file], environment())).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining(`${file} ${reason}`),
    });
  });

  test('in JSON, with names and ids of categories, whatever the name of the file', async () => {
    const text =
      '[{"name":"Rex","categoryId":"dogs"},{"name":"Mia","categoryId":"2"},{"name":"Bo","categoryId":9007199254740993}]';
    const pets = [
      ['Rex', '1', 'available'],
      ['Mia', '2', 'available'],
      ['Bo', '9007199254740993', 'available'],
    ];
    const file = join(bench.directory(), 'pets.csv');
    writeFileSync(file, text);
    expect(await readByConsole('pets.csv', text)).toEqual({ pets, wrong: [] });
    expect(await importByCommand(file)).toEqual({ exitCode: 0, pets, err: '' });
  });

  test('and load the list of categories only if a row names a category', async () => {
    const { body } = await service.post('/v1/keys', { name: 'adds', plan: 'pro', scopes: ['pets:write'] });
    const file = join(bench.directory(), 'pets.csv');
    const run = () => runCommand(['pets', 'import', file], { ...environment(), PETSTORE_API_KEY: body.key });
    writeFileSync(file, 'name,category\nRex,1\n');
    expect(await run()).toMatchObject({ exitCode: 0 });
    writeFileSync(file, 'name,category\nRex,Dogs\n');
    expect(await run()).toMatchObject({ exitCode: 1, err: expect.stringContaining('(insufficient_scope)') });
  });
});
