import { flagOf, VARIABLES } from '../../src/config.ts';
import type { Contract } from '../../src/kernel/contract.ts';
import { EVENT_TYPES } from '../../src/kernel/event.ts';
import type { Flag } from '../args/flag.ts';
import { FORMATS } from '../files/pet-rows.ts';
import { CONNECTION_FLAGS, type Command, describeOperation, OPERATIONS } from './command.ts';

type Shown = { default?: string; shown?: string; meaning: string };

const SETTINGS_SHOWN = Object.entries<Shown>(VARIABLES);

/** Service settings that have a flag. */
const SETTINGS: readonly Flag[] = SETTINGS_SHOWN.flatMap(([name, { meaning, ...rest }]) => {
  const flag = flagOf(name)?.slice('--'.length);
  const standard = rest.default ?? rest.shown;
  const sentence = `${meaning.replace(/^[a-z]/, (letter) => letter.toUpperCase())}.`;
  return flag
    ? [{ flag, value: name, meaning: sentence, ...(standard === undefined ? {} : { default: standard }) }]
    : [];
});

/** Settings without a flag, because every user of the machine can read flags. */
const SECRETS = SETTINGS_SHOWN.filter(([name]) => !flagOf(name)).map(([name, { meaning }]) => `${name} (${meaning})`);

const own = (command: Pick<Command, 'words' | 'summary' | 'example'> & Partial<Command>): Command => ({
  positions: [],
  flags: [],
  shared: [],
  ...command,
});

const JSON_LINES: Flag = { flag: 'json', meaning: 'Print each event as JSON, one to a line.' };

/** The filters of `pets list`, without its paging flags. */
const FILTERS: readonly Flag[] = describeOperation(OPERATIONS.get('pets list') as Contract).flags.filter(
  ({ flag }) => !['limit', 'cursor'].includes(flag),
);

const SHELLS = ['bash', 'zsh', 'fish'];

export const PROGRAM_COMMANDS: readonly Command[] = [
  own({
    words: 'serve',
    summary: 'Run the service',
    description:
      'Each flag is a variable too: `--port` is PORT, `--log-level` is PETSTORE_LOG_LEVEL. Secrets are variables only, because ' +
      `everyone on a machine can read flags: ${SECRETS.join('; ')}.`,
    flags: [
      {
        flag: 'demo',
        meaning:
          'Run one to try out: staging, in memory, with sample animals and a test key that is printed; all is gone when it ends.',
      },
      {
        flag: 'reset-every',
        value: 'time',
        meaning: 'With --demo: make its store as new again, every 90s, 30m, 1h or 1d.',
      },
      { flag: 'open', meaning: 'On a terminal: open its first page in a browser.' },
      ...SETTINGS,
    ],
    example: 'petstore serve --port 8080',
  }),
  own({
    words: 'migrate',
    summary: 'Bring the database to the schema of this version, as a start does, and serve nothing',
    flags: [{ flag: 'dry-run', meaning: 'Say what would change, and change nothing.' }, ...SETTINGS],
    example: 'petstore migrate --dry-run',
  }),
  own({
    words: 'backup',
    summary: 'Write a checked copy of the database, also while the service runs',
    positions: [{ name: 'file', meaning: 'Where to: a file, or with --every a folder.', example: 'petstore.backup' }],
    flags: [
      { flag: 'every', value: 'time', meaning: 'Write one again and again, every 90s, 30m, 1h or 1d, into a folder.' },
      { flag: 'keep', value: 'n', meaning: 'With --every: how many are kept.' },
      ...SETTINGS,
    ],
    example: 'petstore backup petstore.backup',
  }),
  own({
    words: 'restore',
    summary: 'Make the database of a backup, where there is none',
    positions: [{ name: 'file', meaning: 'The backup.', example: 'petstore.backup' }],
    flags: [{ flag: 'dry-run', meaning: 'Check the backup, and make nothing.' }, ...SETTINGS],
    example: 'petstore restore petstore.backup',
  }),
  own({
    words: 'doctor',
    summary: 'Look at settings, database, Redis, clock, disk and limits of the process, and say what to do',
    flags: [{ flag: 'json', meaning: 'Print what is found as JSON.' }, ...SETTINGS],
    example: 'petstore doctor',
  }),
  own({
    words: 'mcp',
    summary: 'Let an agent use a running service, as a server of the Model Context Protocol',
    example: 'petstore mcp',
  }),
];

/** Commands that store something locally, or combine several requests. */
export const LOCAL_COMMANDS: readonly Command[] = [
  own({
    words: 'login',
    summary: 'Store the address of a service and a key for it',
    description:
      'Asks for the key, or reads it from standard input, tries it, and stores both in petstore/profiles.json below ' +
      'XDG_CONFIG_HOME (~/.config), for you alone to read. Commands then need neither variable nor flag. A stored key is sent ' +
      'to the address it was stored with and to no other.',
    flags: CONNECTION_FLAGS.map((flag) =>
      flag.flag === 'profile' ? { ...flag, meaning: 'The name to store them by.', default: 'default' } : flag,
    ),
    example: 'petstore login --url https://pets.example.org --profile work',
  }),
  own({
    words: 'logout',
    summary: 'Forget the address and the key of a profile',
    flags: [{ flag: 'profile', value: 'name', meaning: 'Which one.', default: 'default' }],
    example: 'petstore logout --profile work',
  }),
  own({ words: 'profiles', summary: 'List what `login` has stored, without the keys', example: 'petstore profiles' }),
  own({
    words: 'completion',
    summary: 'Print the script with which a shell completes commands, flags and values',
    positions: [{ name: 'shell', meaning: 'The shell.', example: 'bash', choices: SHELLS }],
    example: 'source <(petstore completion bash)',
  }),
  own({
    words: 'pets import',
    summary: 'Add the animals of a file',
    description:
      'Reads CSV, whose first line names the columns, NDJSON or a JSON array, of any length. All rows are checked before the first ' +
      'is sent; if one cannot be taken, nothing is sent, and what is wrong is told with its line. Animals are sent a thousand at a ' +
      'time. An import that was broken off goes on where it was when the same command is given again within 24 hours, and adds nothing twice.',
    scope: 'pets:write',
    positions: [{ name: 'file', meaning: 'The file; - is standard input.', example: 'animals.csv' }],
    flags: [
      {
        flag: 'format',
        value: 'format',
        meaning: 'What the file is, where its name does not say so.',
        choices: FORMATS,
      },
      { flag: 'dry-run', meaning: 'Check all rows, and send nothing.' },
      {
        flag: 'continue',
        meaning: 'Send the rows that can be taken, and write the others, with the reasons, to a file beside it.',
      },
      { flag: 'again', meaning: 'Add the animals of a file once more that was imported within 24 hours.' },
      {
        flag: 'raw',
        meaning: 'Keep the apostrophe before a name that looks like a formula. For CSV exported with --raw.',
      },
    ],
    shared: CONNECTION_FLAGS,
    example: 'petstore pets import animals.csv --dry-run',
  }),
  own({
    words: 'pets export',
    summary: 'Write the animals of the store to a file or to standard output',
    scope: 'pets:read',
    flags: [
      { flag: 'output', value: 'file', meaning: 'Where to. Without it: standard output.' },
      {
        flag: 'format',
        value: 'format',
        meaning: 'How. Without it as the name of the file says, or NDJSON.',
        choices: FORMATS,
      },
      {
        flag: 'raw',
        meaning:
          'CSV with all names as they are. Without it, a name that a spreadsheet would run as a formula gets an apostrophe, which an import removes.',
      },
      ...FILTERS,
    ],
    shared: CONNECTION_FLAGS,
    example: 'petstore pets export --output animals.csv --status available',
  }),
  own({
    words: 'events follow',
    summary: 'Show events as they happen, until it is ended with Ctrl-C',
    description: 'One line for each event. A connection that is lost is made again, and nothing is left out.',
    scope: 'events:read',
    flags: [
      { flag: 'types', value: 'a,b', meaning: 'Only these.', choices: EVENT_TYPES },
      {
        flag: 'after',
        value: 'event',
        meaning: 'Begin behind this event, given by its sequence or its id, not with the next one.',
      },
      JSON_LINES,
    ],
    shared: CONNECTION_FLAGS,
    example: 'petstore events follow --types order.placed,order.delivered',
  }),
  own({
    words: 'webhooks listen',
    summary: 'Receive webhooks on this machine, until it is ended with Ctrl-C',
    description:
      'Sends every event of the store to a receiver that the service itself cannot reach, signed as a webhook is, with a secret ' +
      'that is printed at the start, or with the one in PETSTORE_WEBHOOK_SECRET. What the receiver refuses is told and not sent again.',
    scope: 'events:read',
    flags: [
      { flag: 'forward-to', value: 'address', meaning: 'The receiver.', required: true },
      { flag: 'types', value: 'a,b', meaning: 'Only these.', choices: EVENT_TYPES },
    ],
    shared: CONNECTION_FLAGS,
    example: 'petstore webhooks listen --forward-to http://localhost:3000/hooks',
  }),
];
