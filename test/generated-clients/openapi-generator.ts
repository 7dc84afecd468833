import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPythonPackages } from './packages.ts';
import { runCommand } from './run-command.ts';

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
    // Renames the model `NewPet`, because Go's constructor for the model `Pet` would have the same name.
    modelNameMappings: { NewPet: 'PetToAdd' },
    useOneOfDiscriminatorLookup: true,
  },
  python: { packageName: 'petstore', useOneOfDiscriminatorLookup: true },
};

const PARTS = {
  ...{ apis: '', models: '', supportingFiles: '' },
  ...{ apiTests: 'false', modelTests: 'false', apiDocs: 'false', modelDocs: 'false' },
};

export const SHORT_LIVED = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

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

export const generate = async (language: keyof typeof SETTINGS, directory: string) => {
  generated ??= generateAll(directory);
  const { clientOf, ...rest } = await generated;
  return { client: clientOf(language), ...rest };
};
