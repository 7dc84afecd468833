import { copyFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../check/root.ts';
import type { Need } from '../needs.ts';
import { generate, SHORT_LIVED } from './openapi-generator.ts';
import { installTypeScriptGenerators } from './packages.ts';
import { type Command, runCommand } from './run-command.ts';

type Client = {
  name: string;
  needs: readonly Need[];
  readNumber: (digits: string) => string;
  make: (directory: string) => Promise<Command>;
};

const copyTour = (name: string, directory: string, as = name): void =>
  copyFileSync(join(import.meta.dir, 'tours', name), join(directory, as));

const COMPILER_OPTIONS = {
  target: 'ESNext',
  module: 'Preserve',
  lib: ['ESNext', 'DOM', 'DOM.Iterable'],
  types: ['bun'],
  typeRoots: [join(ROOT, 'node_modules', '@types')],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  allowImportingTsExtensions: true,
};

const typeScriptClient = (name: string, generator: string, words: string[]): Client => ({
  name: `TypeScript by ${name}`,
  needs: [],
  readNumber: (digits) => String(Number(digits)),
  async make(directory) {
    const packages = await installTypeScriptGenerators();
    symlinkSync(packages, join(directory, 'node_modules'));
    copyTour(`${name}.ts`, directory, 'tour.ts');
    const options = JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['tour.ts', 'client'] });
    writeFileSync(join(directory, 'tsconfig.json'), options);
    await runCommand({ words: [process.execPath, join(packages, generator), ...words], directory });
    await runCommand({ words: [join(ROOT, 'node_modules', '.bin', 'tsc'), '-p', '.'], directory });
    return { words: [process.execPath, 'tour.ts'], directory };
  },
});

const makeJavaClient = async (directory: string): Promise<Command> => {
  const { client, jar } = await generate('java', directory);
  const sources = readdirSync(client, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.java'));
  copyTour('Tour.java', client);
  const options = [...SHORT_LIVED.map((option) => `-J${option}`), '-nowarn', '-proc:none', '-cp', jar];
  await runCommand({ words: ['javac', ...options, '-d', 'classes', 'Tour.java', ...sources], directory: client });
  return { words: ['java', ...SHORT_LIVED, '-cp', `${jar}:classes`, 'Tour'], directory: client };
};

const makeGoClient = async (directory: string): Promise<Command> => {
  const { client } = await generate('go', directory);
  mkdirSync(join(client, 'tour'));
  copyTour('main.go', join(client, 'tour'));
  const environment = { GOPROXY: 'off', GOTOOLCHAIN: 'local', GOFLAGS: '-buildvcs=false' };
  await runCommand({ words: ['go', 'build', '-o', 'take-the-tour', './tour'], directory: client, environment });
  return { words: ['./take-the-tour'], directory: client };
};

const makePythonClient = async (directory: string): Promise<Command> => {
  const { client, packages } = await generate('python', directory);
  copyTour('tour.py', client);
  await runCommand({ words: ['python3', '-m', 'compileall', '-q', 'petstore'], directory: client });
  return { words: ['python3', 'tour.py'], directory: client, environment: { PYTHONPATH: packages } };
};

const exact = { readNumber: (digits: string) => digits };

export const CLIENTS: readonly Client[] = [
  typeScriptClient('openapi-fetch', 'openapi-typescript/bin/cli.js', ['openapi.json', '-o', 'client/schema.ts']),
  typeScriptClient('hey-api', '@hey-api/openapi-ts/bin/run.js', ['-i', 'openapi.json', '-o', 'client', '--silent']),
  { name: 'Java by openapi-generator', needs: ['Java', 'pip'], ...exact, make: makeJavaClient },
  { name: 'Go by openapi-generator', needs: ['Java', 'pip', 'Go'], ...exact, make: makeGoClient },
  { name: 'Python by openapi-generator', needs: ['Java', 'pip'], ...exact, make: makePythonClient },
];
