import { flagOf, VARIABLES, type Variable } from '../../src/config.ts';

const INTRODUCTION = `# Configuration

This page is generated from \`src/config.ts\` by \`npm run generate\`.

Every setting is an environment variable: \`PETSTORE_LOG_LEVEL=error petstore serve\`. Every setting that is not a secret is also a
flag: \`petstore serve --log-level error\`.

- A flag overrides a variable, and a variable overrides the default. An empty variable counts as unset.
- A URL with a password is refused as a flag, because other users on the machine can see flags. Use the variable.
- For variables marked \`_FILE\`, you can put the value in a file: \`PETSTORE_ADMIN_KEY_FILE=/run/secrets/key\`. Trailing line breaks are ignored.
- If a value is invalid or a \`PETSTORE_…\` variable is unknown, the service does not start. It lists all the errors and exits with code 2.
`;

const CLIENT = `## The command line

| variable | default | meaning |
|---|---|---|
| \`PETSTORE_URL\` | \`http://127.0.0.1:8080\` | the service that commands such as \`petstore pets list\` call |
| \`PETSTORE_API_KEY\` or \`_FILE\` | the value of \`PETSTORE_ADMIN_KEY\` | the API key that these commands send |
| \`PETSTORE_PROFILE\` | none | a profile stored by \`petstore login\`; these commands then use its service and key instead |
| \`PETSTORE_WEBHOOK_SECRET\` or \`_FILE\` | \`petstore webhooks listen\` creates and prints a new one each time | the secret that \`petstore webhooks listen\` signs with |
`;

const row = ([name, { default: standard, shown, meaning, kind }]: [string, Variable]): string => {
  const flag = flagOf(name);
  const value = standard === undefined ? (shown ?? 'none') : `\`${standard}\``;
  return `| \`${name}\`${kind ? ' or `_FILE`' : ''} | ${flag ? `\`${flag}\`` : 'none, because it is a secret'} | ${value} | ${meaning} |`;
};

/** Generates the settings page from the table that the service reads. */
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
