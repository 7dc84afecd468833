import { describe, expect, test } from 'bun:test';
import { findDirectionFaults } from './direction.ts';
import { readSources } from './sources.ts';

const HOUSE = {
  'src/kernel/failure.ts': '',
  'src/kernel/contract.ts': "import type { Failure } from './failure.ts';",
  'src/limits/window.ts': "import type { Failure } from '../kernel/failure.ts';",
  'src/limits/limits.repository.ts': "import type { Ban } from './window.ts';",
  'src/resources/categories/category.ts': '',
  'src/resources/categories/categories.repository.ts': "import type { Category } from './category.ts';",
  'src/resources/categories/delete-category.ts': "import type { Categories } from './categories.repository.ts';",
  'src/resources/pets/pet.ts': "import { z } from 'zod';\nimport type { Category } from '../categories/category.ts';",
  'src/resources/pets/pets.repository.ts': "import type { Pet } from './pet.ts';",
  'src/resources/pets/pets.repository.sql.ts':
    "import type { Sql } from '../../storage/sql.ts';\nimport type { Pets } from './pets.repository.ts';",
  'src/resources/pets/pets.contracts.ts':
    "import { contract } from '../../kernel/contract.ts';\nimport { newPet } from './pet.ts';",
  'src/resources/pets/create-pet.ts':
    "import type { Categories } from '../categories/categories.repository.ts';\nimport { createPetContract } from './pets.contracts.ts';",
  'src/resources/pets/operations.ts': "import { createPet } from './create-pet.ts';",
  'src/resources/orders/order.ts': "import type { Pet } from '../pets/pet.ts';",
  'src/storage/sql.ts': '',
  'src/storage/sqlite/database.ts': "import type { Sql } from '../sql.ts';",
  'src/storage/sqlite/connection.ts': "import { Database } from 'bun:sqlite';",
  'src/http/app.ts': "import type { Ban } from '../limits/window.ts';\nimport type { Log } from '../kernel/log.ts';",
  'src/http/server.ts': "import type { App } from './app.ts';\nBun.serve({});",
  'src/kernel/log.ts': '',
  'src/ops/log.ts': "import type { Log } from '../kernel/log.ts';",
  'src/config.ts': "import { LEVELS } from './kernel/log.ts';",
  'src/contracts.ts': "import { petOperations } from './resources/pets/operations.ts';",
  'cli/run.ts': "import { CONTRACTS } from '../src/contracts.ts';\nimport { call } from '../client/src/index.ts';",
  'src/compose/compose.ts':
    "import { OPERATIONS } from '../contracts.ts';\nimport { createApp } from '../http/app.ts';",
  'src/compose/repositories.ts': "import { sqlPets } from '../resources/pets/pets.repository.sql.ts';",
  'src/ops/serve.ts': "import { compose } from '../compose/compose.ts';\nimport { listen } from '../http/server.ts';",
  'src/main.ts': "import { serve } from './ops/serve.ts';",
  'src/http/pages/site.ts': "const { FILES } = await import('../../../generate/files.ts');",
  'generate/files.ts': "import { CONTRACTS } from '../src/contracts.ts';",
  'generate/run.ts': "import { FILES } from './files.ts';",
  'client/src/call.ts': '',
  'client/src/index.ts': "import { call } from './call.ts';",
  'src/resources/pets/create-pet.test.ts':
    "import { test } from 'bun:test';\nimport { start } from '../../../test/service.ts';",
};

const faultsWith = (files: Record<string, string>) =>
  findDirectionFaults(new Map(Object.entries<string>({ ...HOUSE, ...files })));

const expectRefused = (from: string, to: string) => {
  const up = '../'.repeat(from.split('/').length - 1);
  const faults = faultsWith({ [from]: `import type { Thing } from '${up}${to}';` });
  expect(faults).toHaveLength(1);
  expect(faults[0]).toStartWith(`${from} imports ${to}: `);
};

describe('the direction of imports', () => {
  test('is correct in this repository', () => {
    expect(
      findDirectionFaults(readSources(['src', 'cli', 'generate', 'client/src', 'console'], ['.ts', '.tsx'])),
    ).toEqual([]);
  });

  test('is correct in the example', () => {
    expect(faultsWith({})).toEqual([]);
  });

  const refused: [string, string, string][] = [
    ['the kernel imports no other folder', 'src/kernel/new.ts', 'src/ops/log.ts'],
    ['a domain imports no repository', 'src/resources/pets/species.ts', 'src/resources/pets/pets.repository.ts'],
    [
      'a contract imports no repository',
      'src/resources/pets/new.contracts.ts',
      'src/resources/pets/pets.repository.ts',
    ],
    ['a contract imports no operation', 'src/resources/pets/new.contracts.ts', 'src/resources/pets/create-pet.ts'],
    ['a repository interface imports no SQL', 'src/resources/pets/pets.more.repository.ts', 'src/storage/sql.ts'],
    [
      'an operation does not import its SQL',
      'src/resources/pets/get-pet.ts',
      'src/resources/pets/pets.repository.sql.ts',
    ],
    ['an operation imports no database', 'src/resources/pets/get-pet.ts', 'src/storage/sqlite/database.ts'],
    ['an operation imports no HTTP', 'src/resources/pets/get-pet.ts', 'src/http/app.ts'],
    [
      'an operation imports no operation of another resource',
      'src/resources/pets/get-pet.ts',
      'src/resources/categories/delete-category.ts',
    ],
    ['a resource imports no later one', 'src/resources/categories/delete-category.ts', 'src/resources/pets/pet.ts'],
    [
      'a resource imports no later repository',
      'src/resources/categories/delete-category.ts',
      'src/resources/pets/pets.repository.ts',
    ],
    ['SQL imports no engine', 'src/resources/orders/orders.repository.sql.ts', 'src/storage/sqlite/database.ts'],
    [
      'SQL imports no other repository',
      'src/resources/orders/orders.repository.sql.ts',
      'src/resources/pets/pets.repository.ts',
    ],
    ['the limits import no resource', 'src/limits/window.ts', 'src/resources/pets/pet.ts'],
    [
      'a folder lists only its own operations',
      'src/resources/pets/operations.ts',
      'src/resources/categories/delete-category.ts',
    ],
    ['the list of contracts imports no operation', 'src/contracts.ts', 'src/resources/pets/create-pet.ts'],
    ['HTTP imports no resource', 'src/http/new.ts', 'src/resources/pets/pet.ts'],
    ['HTTP imports no generator', 'src/http/new.ts', 'generate/run.ts'],
    ['the kernel imports no generator', 'src/kernel/new.ts', 'generate/run.ts'],
    ['a generator imports no database', 'generate/new.ts', 'src/storage/sqlite/database.ts'],
    ['HTTP imports no list of contracts', 'src/http/new.ts', 'src/contracts.ts'],
    ['HTTP imports no repository of limits', 'src/http/new.ts', 'src/limits/limits.repository.ts'],
    ['the database imports no resource', 'src/storage/new.ts', 'src/resources/pets/pet.ts'],
    ['the command line imports only contracts', 'cli/new.ts', 'src/resources/pets/pet.ts'],
    ['the command line imports no database', 'cli/new.ts', 'src/storage/sqlite/database.ts'],
    ['the client imports nothing from the service', 'client/src/new.ts', 'src/contracts.ts'],
    ['the service does not import its client', 'src/http/new.ts', 'client/src/index.ts'],
    ['HTTP imports no composition', 'src/http/new.ts', 'src/compose/compose.ts'],
    ['an operation imports no composition', 'src/resources/pets/get-pet.ts', 'src/compose/repositories.ts'],
    ['the command line imports no composition', 'cli/new.ts', 'src/compose/compose.ts'],
    ['composition imports no process', 'src/compose/new.ts', 'src/ops/log.ts'],
    ['composition imports no command line', 'src/compose/new.ts', 'cli/run.ts'],
    ['the process imports composition in only one place', 'src/ops/new.ts', 'src/compose/repositories.ts'],
    ['the process imports no operation', 'src/ops/new.ts', 'src/resources/pets/create-pet.ts'],
    ['the process imports no engine', 'src/ops/new.ts', 'src/storage/sqlite/database.ts'],
    ['the entry imports only the process', 'src/main.ts', 'src/compose/compose.ts'],
    ['nothing imports an entry', 'src/ops/announce.ts', 'src/main.ts'],
    ['only tests import tests', 'src/compose/compose.ts', 'src/resources/pets/create-pet.test.ts'],
    ['an import names a file that exists', 'src/resources/pets/get-pet.ts', 'src/resources/pets/nothing.ts'],
  ];
  test.each(refused)('%s', (_, from, to) => {
    expectRefused(from, to);
  });

  const spellings = [
    "import { thing } from '../http/app.ts';",
    "import type { Thing } from '../http/app.ts';",
    "import {\n  one,\n  type Two,\n} from '../http/app.ts';",
    "import * as all from '../http/app.ts';",
    "import '../http/app.ts';",
    "export { thing } from '../http/app.ts';",
    "export type { Thing } from '../http/app.ts';",
    "export * from '../http/app.ts';",
    "const thing = await import('../http/app.ts');",
    "type Thing = import('../http/app.ts').Thing;",
  ];
  test.each(spellings)('is checked for %j', (text) => {
    expect(faultsWith({ 'src/kernel/new.ts': text })).toHaveLength(1);
  });

  test('ignores imports in comments', () => {
    expect(
      faultsWith({ 'src/kernel/new.ts': "// import { a } from '../log.ts';\n/** import('../log.ts') */" }),
    ).toEqual([]);
  });

  test('needs a kind for every file', () => {
    expect(faultsWith({ 'src/utils/things.ts': '' })).toEqual([
      'src/utils/things.ts has no kind: add its folder to check/direction.ts',
    ]);
  });
});

describe('import cycles', () => {
  test('are reported as a path back to the start, with type imports', () => {
    const faults = faultsWith({
      'src/kernel/a.ts': "import type { B } from './b.ts';",
      'src/kernel/b.ts': "import { c } from './c.ts';",
      'src/kernel/c.ts': "export type { A } from './a.ts';",
    });
    expect(faults).toEqual(['import cycle: src/kernel/a.ts → src/kernel/b.ts → src/kernel/c.ts → src/kernel/a.ts']);
  });

  test('of a single file are reported too', () => {
    expect(faultsWith({ 'src/kernel/a.ts': "import { a } from './a.ts';" })).toEqual([
      'import cycle: src/kernel/a.ts → src/kernel/a.ts',
    ]);
  });
});

describe('Bun’s API', () => {
  const uses = ["import { Database } from 'bun:sqlite';", "import { serve } from 'bun';", 'Bun.serve({});'];
  test.each(uses)('%j is allowed only in the listed files', (text) => {
    expect(faultsWith({ 'src/http/new.ts': text })).toHaveLength(1);
    expect(faultsWith({ 'src/http/server.ts': text })).toEqual([]);
    expect(faultsWith({ 'src/http/new.test.ts': text })).toEqual([]);
  });
});
