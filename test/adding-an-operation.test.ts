import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { appendFileSync, cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADMIN_KEY } from './admin-key.ts';
import { ROOT, readDocument } from './documents.ts';
import { createWorkbench } from './program.ts';

const COPIED = [
  'src',
  'cli',
  'client',
  'check',
  'generate',
  'console/style',
  'prove',
  'test',
  'docs',
  'deploy',
  'package.json',
  'tsconfig.json',
  'openapi.json',
];

const CONTRACT = `
const nameTag = z
  .object({ text: z.string().meta({ description: 'The text on the tag.' }) })
  .meta({ id: 'NameTag', description: 'The tag on a collar.', examples: [{ text: 'REX' }] });

export const getNameTagContract = contract('getNameTag', 'GET', '/pets/{petId}/name-tag', {
  command: 'pets name-tag',
  tag: 'Pets',
  summary: 'Get the tag of an animal',
  description: 'Returns the name of an animal as it stands on its collar.',
  scope: 'pets:read',
  input: { path: { petId: petIdText } },
  answer: { status: 200, description: 'The tag', body: nameTag },
  stability: 'beta',
});
`;

const OPERATION = `import { reads } from '../../kernel/operation.ts';
import { getNameTagContract } from './pets.contracts.ts';
import { findPet, type PetReads } from './pets.repository.ts';

export const getNameTag = reads(getNameTagContract, async (repositories: { pets: PetReads }, { path }) => ({
  body: { text: (await findPet(repositories.pets, path.petId)).name.toUpperCase() },
}));
`;

const TEST = `import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Service, startService } from '../../../test/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

test('a tag shows the name in capitals', async () => {
  const { body } = await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
  expect((await service.get(\`/v1/pets/\${body.id}/name-tag\`)).body).toEqual({ text: 'REX' });
});
`;

const bench = createWorkbench();
afterAll(bench.clear);

let copy: string;
const bun = (args: readonly string[], environment: Record<string, string> = {}) =>
  bench.start({ directory: copy, environment, command: [process.execPath, ...args] });

const [, chapter = ''] = readDocument('CONTRIBUTING.md').split('## Adding an operation\n');
const [steps = ''] = chapter.split(/^## /m);

const fileOf = (step: number): string => {
  const [, named = ''] = new RegExp(`^${step}\\. [^\`]*\`([^\`]+)\``, 'm').exec(steps) ?? [];
  return join(copy, named.replaceAll('<resource>', 'pets').replace('<verb>-<thing>', 'get-name-tag'));
};

beforeAll(async () => {
  copy = bench.directory();
  for (const name of COPIED) {
    cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter: (path) => !path.includes('node_modules') });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));

  appendFileSync(fileOf(1), CONTRACT);
  writeFileSync(fileOf(2), OPERATION);
  writeFileSync(fileOf(3), TEST);
  const list = readFileSync(fileOf(4), 'utf8').replace('getPet,', 'getPet, getNameTag,');
  writeFileSync(fileOf(4), `import { getNameTag } from './get-name-tag.ts';\n${list}`);
  expect(steps).toContain('6. Run `npm run generate`');
  expect(await bun(['generate/run.ts']).ended()).toMatchObject({ exitCode: 0, err: '' });
});

describe('an operation added by the steps in CONTRIBUTING.md', () => {
  test('passes its own test and the tests shared by all operations', async () => {
    const own = await bun(['test', '--timeout=3600000', 'src/resources/pets/get-name-tag.test.ts']).ended();
    expect(own.err).toMatch(/ 1 pass\n 0 fail\n/);
    const shared = await bun(['test', '--timeout=3600000', 'test/every-operation.test.ts', '-t', 'getNameTag']).ended();
    expect(shared.err).toContain('(pass) getNameTag > refuses a request without a key');
    expect(shared.err).toMatch(/ 0 fail\n/);
  });

  test('becomes a route, a client method, a command with help, and part of the OpenAPI document', async () => {
    const origin = await bun(['src/main.ts'], { PETSTORE_ADMIN_KEY: ADMIN_KEY }).origin();
    const { paths } = (await (await fetch(`${origin}/openapi.json`)).json()) as { paths: Record<string, object> };
    expect(paths['/pets/{petId}/name-tag']).toMatchObject({ get: { operationId: 'getNameTag', tags: ['Pets'] } });
    const published = JSON.parse(readFileSync(join(copy, 'openapi.json'), 'utf8'));
    expect(published.paths['/pets/{petId}/name-tag']).toBeDefined();

    const { Petstore } = await import(join(copy, 'client/src/index.ts'));
    const client = new Petstore({ baseUrl: `${origin}/v1`, key: ADMIN_KEY });
    const { id } = await client.pets.create({ name: 'Rex', categoryId: 1 });
    expect(await client.pets.nameTag(id)).toEqual({ text: 'REX' });

    const environment = { PETSTORE_URL: origin, PETSTORE_API_KEY: ADMIN_KEY };
    const called = await bun(['src/main.ts', 'pets', 'name-tag', String(id), '--json'], environment).ended();
    expect(called).toMatchObject({ exitCode: 0, out: '{"text":"REX"}\n', err: '' });
    const { out } = await bun(['src/main.ts', 'pets', 'name-tag', '--help']).ended();
    expect(out).toContain('petstore pets name-tag');
  });
});
