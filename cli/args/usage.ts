import { CONNECTION_FLAGS } from '../commands/command.ts';
import { GROUPS } from '../commands/commands.ts';
import { LOCAL_COMMANDS, PROGRAM_COMMANDS } from '../commands/local-commands.ts';
import { explainEach, WIDEST } from '../output/layout.ts';
import { createPaint } from '../output/paint.ts';
import type { Terminal } from '../output/terminal.ts';

/** What the program is for, and where to read on. */
export const createUsage = (terminal: Terminal): string => {
  const paint = createPaint(terminal.hasColours);
  const width = Math.min(terminal.columns ?? WIDEST, WIDEST);
  const oneWord = [...PROGRAM_COMMANDS, ...LOCAL_COMMANDS].filter(({ words }) => !words.includes(' '));
  const list = (entries: readonly (readonly [string, string])[]) => explainEach(entries, width).join('\n');
  return [
    paint('bold', 'petstore: a pet store service, and the commands for a running one'),
    list(oneWord.map(({ words, summary }) => [`petstore ${words}`, `${summary.replaceAll('`', '')}.`])),
    list([
      ['petstore --version', 'Print version and commit.'],
      ['petstore --help', 'Print this; after a group or a command, everything about it. -h is the same.'],
    ]),
    paint('bold', 'Groups of commands for a running service:'),
    list([...GROUPS].map(([group, verbs]) => [`petstore ${group}`, verbs.join(', ')])),
    paint('bold', 'Which service, and which key:'),
    list([
      ...CONNECTION_FLAGS.map(({ flag, value, meaning }): [string, string] => [
        `--${flag} <${value}>`,
        meaning.replaceAll('`', ''),
      ]),
      ['PETSTORE_URL', 'The service, if no flag says so. Default: http://127.0.0.1:8080.'],
      ['PETSTORE_API_KEY', 'The key, if no flag says so. Default: the value of PETSTORE_ADMIN_KEY.'],
      ['PETSTORE_PROFILE', 'The profile, if no flag says so.'],
    ]),
    '  These flags may stand before the command too: petstore --profile work pets list --status available',
  ].join('\n\n');
};
