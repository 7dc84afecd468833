import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPythonPackages } from './packages.ts';
import { runCommand } from './run-command.ts';

/** As a user would set it: events are told apart by their type, and what is optional need not be named. */
const SETTINGS = {
  java: {
    library: 'native',
    templateDir: join(import.meta.dir, 'templates'),
    invokerPackage: 'petstore.client',
    apiPackage: 'petstore.api',
    modelPackage: 'petstore.model',
    useOneOfDiscriminatorLookup: true,
    useSingleRequestParameter: true,
    openApiNullable: false,
  },
  go: {
    packageName: 'petstore',
    gitHost: 'example.com',
    gitUserId: 'petstore',
    gitRepoId: 'client',
    // Its constructor of Pet has the name NewPet.
    modelNameMappings: { NewPet: 'PetToAdd' },
    useOneOfDiscriminatorLookup: true,
  },
  python: { packageName: 'petstore', useOneOfDiscriminatorLookup: true },
};

const PARTS = {
  ...{ apis: '', models: '', supportingFiles: '' },
  ...{ apiTests: 'false', modelTests: 'false', apiDocs: 'false', modelDocs: 'false' },
};

/** What a short-lived Java does best with: the compiler that is quick to compile, and one thread that collects. */
export const SHORT_LIVED = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

/** Makes every client of the document `openapi.json` in a directory. Most of the time is the generator's start: all share one. */
const generateAll = async (directory: string) => {
  const packages = await installPythonPackages();
  const jar = join(packages, 'openapi_generator_cli', 'openapi-generator.jar');
  const clientOf = (language: string) => join(directory, `${language}-client`);
  const configurations = Object.entries(SETTINGS).map(([generatorName, settings]) => {
    const name = `${generatorName}.json`;
    const ends = { generatorName, inputSpec: 'openapi.json', outputDir: clientOf(generatorName) };
    writeFileSync(join(directory, name), JSON.stringify({ ...ends, ...settings }));
    return name;
  });
  const parts = Object.entries(PARTS).map(([part, value]) => `-D${part}=${value}`);
  const batch = ['batch', '--threads', '1', '--timeout', '50', ...configurations];
  await runCommand({ words: ['java', ...SHORT_LIVED, ...parts, '-jar', jar, ...batch], directory });
  return { clientOf, jar, packages };
};

let generated: ReturnType<typeof generateAll> | undefined;

/** Where the client of a language is, made of the document `openapi.json` in the directory that is named first. */
export const generate = async (language: keyof typeof SETTINGS, directory: string) => {
  generated ??= generateAll(directory);
  const { clientOf, ...rest } = await generated;
  return { client: clientOf(language), ...rest };
};
