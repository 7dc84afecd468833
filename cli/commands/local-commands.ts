import { flagOf, VARIABLES, type Variable } from '../../src/config.ts';
import type { Contract } from '../../src/kernel/contract.ts';
import { EVENT_TYPES } from '../../src/kernel/event.ts';
import type { Flag } from '../args/flag.ts';
import { BATCH_ROWS, FORMATS } from '../rows/pet-rows.ts';
import { CONNECTION_FLAGS, type Command, describeOperation, OPERATIONS } from './command.ts';

const SETTINGS_SHOWN = Object.entries<Variable>(VARIABLES);

const SETTINGS: readonly Flag[] = SETTINGS_SHOWN.flatMap(([name, { meaning, ...rest }]) => {
  const flag = flagOf(name)?.slice('--'.length);
  const sentence = `${meaning.replace(/^[a-z]/, (letter) => letter.toUpperCase())}.`;
  return flag ? [{ flag, value: name, meaning: sentence, default: rest.default ?? rest.shown }] : [];
});

const SECRETS = SETTINGS_SHOWN.filter(([name]) => !flagOf(name)).map(([name, { meaning }]) => `${name} (${meaning})`);

const own = (command: Pick<Command, 'words' | 'summary' | 'example'> & Partial<Command>): Command => ({
  positions: [],
  flags: [],
  shared: [],
  ...command,
});

const flag = (flag: string, meaning: string, more: Partial<Flag> = {}): Flag => ({ flag, meaning, ...more });

const FILTERS: readonly Flag[] = describeOperation(OPERATIONS.get('pets list') as Contract).flags.filter(
  ({ flag }) => !['limit', 'cursor'].includes(flag),
);

const TYPES = flag('types', 'Only events of these types.', { value: 'a,b', choices: EVENT_TYPES });

export const LOCAL_COMMANDS: readonly Command[] = [
  own({
    words: 'serve',
    summary: 'Run the service',
    description:
      'Each setting can be given as a flag or an environment variable: `--port` or PORT, `--log-level` or PETSTORE_LOG_LEVEL. ' +
      'Secrets can be given only as variables, because every user of the machine can see the flags of a command. ' +
      `The secrets are ${SECRETS.join('; ')}.`,
    flags: [
      flag(
        'demo',
        'Run a trial service: staging, in memory, with sample pets. Prints a test key. All data is lost when it stops.',
      ),
      flag('reset-every', 'With --demo: reset the store at this interval, such as 90s, 30m, 1h or 1d.', {
        value: 'time',
      }),
      flag('open', 'On a terminal: open the start page in a browser.'),
      ...SETTINGS,
    ],
    example: 'petstore serve --port 8080',
  }),
  own({
    words: 'migrate',
    summary: "Migrate the database to this version's schema, without starting the service",
    flags: [flag('dry-run', 'Show the pending migrations without applying them.')],
    shared: SETTINGS,
    example: 'petstore migrate --dry-run',
  }),
  own({
    words: 'backup',
    summary: 'Write a verified copy of the database, even while the service runs',
    positions: [
      { name: 'file', meaning: 'The backup to write: a file, or a folder with --every.', example: 'petstore.backup' },
    ],
    flags: [
      flag('every', 'Write a backup to the folder at this interval, such as 90s, 30m, 1h or 1d.', { value: 'time' }),
      flag('keep', 'With --every: number of backups to keep.', { value: 'n' }),
    ],
    shared: SETTINGS,
    example: 'petstore backup petstore.backup',
  }),
  own({
    words: 'restore',
    summary: 'Restore a backup to an empty location',
    positions: [{ name: 'file', meaning: 'The backup to restore.', example: 'petstore.backup' }],
    flags: [flag('dry-run', 'Verify the backup without restoring it.')],
    shared: SETTINGS,
    example: 'petstore restore petstore.backup',
  }),
  own({
    words: 'move',
    summary: 'Move all data from SQLite to PostgreSQL, or back, and compare the two databases',
    description:
      'Copies every row to an empty database, then compares the number of rows and a checksum for each table. Changes ' +
      'nothing in the source. To resume an interrupted move, run the same command again. Stop the service first; to ' +
      'keep serving reads, restart it with PETSTORE_READ_ONLY=true. A URL with a password must be given as ' +
      'DATABASE_URL, because every user of the machine can see the flags of a command.',
    flags: [
      flag('from', 'The database to move. Default: DATABASE_URL.', {
        value: 'url',
        example: 'sqlite:data/petstore.db',
      }),
      flag('to', 'The empty database that receives the data. Default: DATABASE_URL.', { value: 'url' }),
    ],
    shared: SETTINGS,
    example: 'petstore move --from sqlite:data/petstore.db --to postgres://petstore@db:5432/petstore',
  }),
  own({
    words: 'doctor',
    summary: 'Check settings, database, Redis, clock, disk and process limits, and suggest fixes',
    flags: [flag('json', 'Print the findings as JSON.')],
    shared: SETTINGS,
    example: 'petstore doctor',
  }),
  own({
    words: 'mcp',
    summary: 'Let an agent use a running service, over the Model Context Protocol (MCP)',
    flags: [flag('deprecated', 'List deprecated tools too.')],
    example: 'petstore mcp',
  }),
  own({
    words: 'licenses',
    summary: 'Print the licences of this program and its components',
    example: 'petstore licenses',
  }),
  own({
    words: 'login',
    summary: "Store a service's address and key",
    description:
      'Prompts for the key, or reads it from standard input, and tests it. Stores the address and the key in ' +
      'petstore/profiles.json in XDG_CONFIG_HOME (default: ~/.config); only you can read the file. Other commands then need no ' +
      'variables or flags. A stored key is sent only to the address stored with it.',
    flags: CONNECTION_FLAGS.map((flag) =>
      flag.flag === 'profile' ? { ...flag, meaning: 'Name of the profile.', default: 'default' } : flag,
    ),
    example: 'petstore login --url https://pets.example.org --profile work',
  }),
  own({
    words: 'logout',
    summary: 'Remove a profile and its stored address and key',
    flags: [flag('profile', 'Name of the profile.', { value: 'name', default: 'default' })],
    example: 'petstore logout --profile work',
  }),
  own({
    words: 'profiles',
    summary: 'List the stored profiles, with only the last 4 characters of each key',
    example: 'petstore profiles',
  }),
  own({
    words: 'completion',
    summary: 'Print a shell completion script for commands, flags and values',
    positions: [{ name: 'shell', meaning: 'The shell.', example: 'bash', choices: ['bash', 'zsh', 'fish'] }],
    example: 'source <(petstore completion bash)',
  }),
  own({
    words: 'pets import',
    summary: 'Import pets from a file',
    description:
      'Reads CSV (with column names in the first line), NDJSON or a JSON array, of any size. Checks all rows before it ' +
      'sends any. If rows are invalid, the command lists their line numbers and the reasons, and sends nothing. ' +
      `Pets are sent ${BATCH_ROWS} at a time. To resume an interrupted import, run the same command again within 24 hours: ` +
      'no pet is added twice.',
    scope: 'pets:write',
    positions: [{ name: 'file', meaning: 'The file to import; - reads standard input.', example: 'pets.csv' }],
    flags: [
      flag('format', 'File format, if it is not clear from the extension.', { value: 'format', choices: FORMATS }),
      flag('dry-run', 'Check all rows without sending them.'),
      flag('continue', 'Import the valid rows, and write the others, with reasons, to a file next to the original.'),
      flag('again', 'Import a file again, even if it was imported in the last 24 hours.'),
      flag('raw', 'Keep the apostrophe in front of names that look like formulas. Use it for CSV exported with --raw.'),
    ],
    shared: CONNECTION_FLAGS,
    example: 'petstore pets import pets.csv --dry-run',
  }),
  own({
    words: 'pets export',
    summary: "Export the store's pets to a file or to standard output",
    scope: 'pets:read',
    flags: [
      flag('output', 'The file, pipe or device to write. Default: standard output.', { value: 'file' }),
      flag(
        'overwrite',
        'Replace an existing file without asking. Without a terminal, an existing file is replaced only with this flag.',
      ),
      flag('format', 'File format. Default: taken from the extension, otherwise NDJSON.', {
        value: 'format',
        choices: FORMATS,
      }),
      flag(
        'raw',
        'Write names to CSV unchanged. Otherwise, names that a spreadsheet would run as formulas get an apostrophe, ' +
          'which the import removes.',
      ),
      ...FILTERS,
    ],
    shared: CONNECTION_FLAGS,
    example: 'petstore pets export --output pets.csv --status available',
  }),
  own({
    words: 'events follow',
    summary: 'Show events as they happen, until Ctrl-C',
    description:
      'Prints one line per event. If the connection is lost, the command reconnects without missing any events.',
    scope: 'events:read',
    flags: [
      TYPES,
      flag('after', 'Start after this event (its sequence number or id). Default: start with the next event.', {
        value: 'event',
      }),
      flag('json', 'Print each event as one line of JSON.'),
    ],
    shared: CONNECTION_FLAGS,
    example: 'petstore events follow --types order.placed,order.delivered',
  }),
  own({
    words: 'webhooks listen',
    summary: 'Forward events to a receiver on this machine, until Ctrl-C',
    description:
      'Sends every new event in the store to a receiver that the service itself cannot reach, signed like a webhook ' +
      'delivery. Prints the secret at the start, unless PETSTORE_WEBHOOK_SECRET is set. Failed deliveries are shown but ' +
      'not retried.',
    scope: 'events:read',
    flags: [flag('forward-to', 'Address of the receiver.', { value: 'address', required: true }), TYPES],
    shared: CONNECTION_FLAGS,
    example: 'petstore webhooks listen --forward-to http://localhost:3000/hooks',
  }),
];
