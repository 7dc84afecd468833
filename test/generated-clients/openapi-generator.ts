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

const PARTS = 'apis,models,supportingFiles,apiTests=false,modelTests=false,apiDocs=false,modelDocs=false';

/** Makes a client of the document `openapi.json` in a directory. */
export const generate = async (language: keyof typeof SETTINGS, directory: string) => {
  const packages = await installPythonPackages();
  const jar = join(packages, 'openapi_generator_cli', 'openapi-generator.jar');
  writeFileSync(join(directory, 'settings.json'), JSON.stringify(SETTINGS[language]));
  const input = ['-g', language, '-i', 'openapi.json', '-c', 'settings.json', '--global-property', PARTS];
  // Most of its time is its start, for which the compiler that is quick to compile is the better one.
  const words = ['java', '-XX:TieredStopAtLevel=1', '-jar', jar, 'generate', ...input, '-o', 'client'];
  await runCommand({ words, directory });
  return { client: join(directory, 'client'), jar, packages };
};
