import { flagOf, VARIABLES, type Variable } from '../../src/config.ts';

const INTRODUCTION = `# Configuration

This page is generated from \`src/config.ts\` by \`npm run generate\`.

Every setting is an environment variable: \`PETSTORE_LOG_LEVEL=error petstore serve\`. Settings that are not secret can also
be set with a flag: \`petstore serve --log-level error\`.

- A flag overrides a variable, and a variable overrides the default. An empty variable counts as unset.
- A URL with a password is refused as a flag, because other users on the machine can see flags. Use the variable instead.
- A variable marked with \`_FILE\` can also be read from a file: \`PETSTORE_ADMIN_KEY_FILE=/run/secrets/key\`. Line breaks at the end of the file are ignored.
- If a value is invalid or a \`PETSTORE_…\` variable is unknown, the service does not start. It lists all errors and exits with code 2.
`;

const CLIENT = `## The command line

| variable | default | meaning |
|---|---|---|
| \`PETSTORE_URL\` | \`http://127.0.0.1:8080\` | the address of the service, for commands such as \`petstore pets list\` |
| \`PETSTORE_API_KEY\` or \`_FILE\` | the value of \`PETSTORE_ADMIN_KEY\` | the API key for these commands |
| \`PETSTORE_PROFILE\` | none | a profile stored by \`petstore login\`; these commands then use its address and key |
| \`PETSTORE_WEBHOOK_SECRET\` or \`_FILE\` | generated at each start, and printed | the secret that \`petstore webhooks listen\` signs with |
`;

const row = ([name, { default: standard, shown, meaning, kind }]: [string, Variable]): string => {
  const flag = flagOf(name);
  const value = standard === undefined ? (shown ?? 'none') : `\`${standard}\``;
  return `| \`${name}\`${kind ? ' or `_FILE`' : ''} | ${flag ? `\`${flag}\`` : 'none (secret)'} | ${value} | ${meaning} |`;
};

export const createConfigPage = (): string =>
  [
    INTRODUCTION,
    '## The service',
    '',
    '| variable | flag | default | meaning |',
    '|---|---|---|---|',
    ...Object.entries(VARIABLES as Record<string, Variable>).map(row),
    '',
    CLIENT,
  ].join('\n');
