import { flagOf, VARIABLES } from '../config.ts';
import { COMMANDS, commandOptions } from './command.ts';

const serveFlags = Object.keys(VARIABLES).flatMap((name) => flagOf(name) ?? []);

const commandLine = (command: string): string => {
  const contract = COMMANDS.get(command);
  const positions = Object.keys(contract?.input.path ?? {}).map((name) => `<${name}>`);
  const flags = (contract ? commandOptions(contract) : []).map(({ flag, required }) =>
    required ? `--${flag} …` : `[--${flag} …]`,
  );
  return `  petstore ${[command, ...positions, ...flags].join(' ')}`;
};

export const createUsage = (): string => `petstore: a pet store service

  petstore [serve] [flags]     runs the service
      ${serveFlags.join(' ')}

Commands for a running service, at $PETSTORE_URL (http://127.0.0.1:8080) with the key in $PETSTORE_API_KEY or
$PETSTORE_ADMIN_KEY; with --json the answer is printed as it came:

${[...COMMANDS.keys()].map(commandLine).join('\n')}
`;
