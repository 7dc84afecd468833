import { flagOf, VARIABLES } from '../config.ts';
import { COMMANDS, commandOptions } from './command.ts';
import { alignColumns } from './table.ts';

type Shown = { default?: string; shown?: string; meaning: string };

const settingLine = ([name, variable]: [string, Shown]): string[] => [
  `  ${flagOf(name) ?? `${name} (no flag)`}`,
  variable.default ?? variable.shown ?? 'none',
  variable.meaning.replaceAll('`', ''),
];

const commandLine = (command: string): string => {
  const contract = COMMANDS.get(command);
  const positions = Object.keys(contract?.input.path ?? {}).map((name) => `<${name}>`);
  const flags = (contract ? commandOptions(contract) : []).map(({ flag, required }) =>
    required ? `--${flag} …` : `[--${flag} …]`,
  );
  return `  petstore ${[command, ...positions, ...flags].join(' ')}`;
};

export const createUsage = (): string => `petstore: a pet store service

  petstore [serve] [flags]     runs the service; with --open, on a terminal, its first page is opened in a browser
  petstore serve --demo        runs one to try out: staging, in memory, with sample animals and a test key that is printed;
                               all is gone when it ends, and as new again with --reset-every 1h
  petstore migrate [flags]     brings the database to the schema of this version, as a start does, and serves nothing;
                               with --dry-run it says what would change
  petstore backup <file>       writes a checked copy of the database, also while the service runs; into a folder, with
                               --every 1h and --keep 24, again and again
  petstore restore <file>      makes the database of a backup, where there is none; with --dry-run it only checks the backup
  petstore doctor [flags]      looks at settings, database, Redis, clock, disk and the limits of a process, and says what to do;
                               --json for programs
  petstore mcp                 lets an agent use a running service, as a server of the Model Context Protocol
  petstore --version           prints version and commit

Flags, their defaults and what they set; each is a variable too (--port is PORT, --log-level is PETSTORE_LOG_LEVEL):

${alignColumns(Object.entries<Shown>(VARIABLES).map(settingLine))}

Commands for a running service, at $PETSTORE_URL (http://127.0.0.1:8080) with the key in $PETSTORE_API_KEY or
$PETSTORE_ADMIN_KEY; with --json the answer is printed as it came:

${[...COMMANDS.keys()].map(commandLine).join('\n')}
`;
