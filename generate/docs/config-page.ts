import { flagOf, VARIABLES } from '../../src/config.ts';

type Shown = { default?: string; shown?: string; meaning: string };

const INTRODUCTION = `# Configuration

This page is generated from \`src/config.ts\` by \`npm run generate\`.

Every setting of the service is an environment variable and, unless it is a secret, a flag: \`PETSTORE_LOG_LEVEL=error\` or
\`petstore serve --log-level error\`.

- A flag overrides a variable, and a variable overrides the default. An empty variable counts as not set.
- An address with a password is not accepted as a flag, because other users of the machine can read flags.
- Invalid values stop the start with exit code 2 and one message that lists all of them.
`;

const CLIENT = `## The command line as a client

| variable | default | meaning |
|---|---|---|
| \`PETSTORE_URL\` | \`http://127.0.0.1:8080\` | the service that commands such as \`petstore pets list\` call |
| \`PETSTORE_API_KEY\` | the value of \`PETSTORE_ADMIN_KEY\` | the key that these commands send |
| \`PETSTORE_PROFILE\` | none | the profile of \`petstore login\` whose service and key these commands use instead |
| \`PETSTORE_WEBHOOK_SECRET\` | created and printed at each start | the secret that \`petstore webhooks listen\` signs with |
`;

const row = ([name, { default: standard, shown, meaning }]: [string, Shown]): string => {
  const flag = flagOf(name);
  const value = standard === undefined ? (shown ?? 'none') : `\`${standard}\``;
  return `| \`${name}\` | ${flag ? `\`${flag}\`` : 'no flag: a secret'} | ${value} | ${meaning} |`;
};

/** Generates the settings page from the table that the service reads. */
export const createConfigPage = (): string =>
  [
    INTRODUCTION,
    '## The service',
    '',
    '| variable | flag | default | meaning |',
    '|---|---|---|---|',
    ...Object.entries(VARIABLES as Record<string, Shown>).map(row),
    '',
    CLIENT,
  ].join('\n');
