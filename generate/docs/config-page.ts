import { flagOf, VARIABLES } from '../../src/config.ts';

type Shown = { default?: string; shown?: string; meaning: string };

const INTRODUCTION = `# Configuration

This page is generated from \`src/config.ts\` by \`npm run generate\`.

Every setting is an environment variable: \`PETSTORE_LOG_LEVEL=error petstore serve\`. Unless it is a secret, it is also a
flag: \`petstore serve --log-level error\`.

- A flag overrides a variable, and a variable overrides the default. An empty variable counts as unset.
- A URL with a password is refused as a flag, because other users of the machine can read flags. Use the variable.
- If any value is invalid, the service does not start. It lists all invalid values and exits with code 2.
`;

const CLIENT = `## The command line

| variable | default | meaning |
|---|---|---|
| \`PETSTORE_URL\` | \`http://127.0.0.1:8080\` | the service that commands such as \`petstore pets list\` call |
| \`PETSTORE_API_KEY\` | the value of \`PETSTORE_ADMIN_KEY\` | the API key that they send |
| \`PETSTORE_PROFILE\` | none | the profile of \`petstore login\` whose service and key they use instead |
| \`PETSTORE_WEBHOOK_SECRET\` | created and printed at each start | the secret that \`petstore webhooks listen\` signs with |
`;

const row = ([name, { default: standard, shown, meaning }]: [string, Shown]): string => {
  const flag = flagOf(name);
  const value = standard === undefined ? (shown ?? 'none') : `\`${standard}\``;
  return `| \`${name}\` | ${flag ? `\`${flag}\`` : 'none: it is a secret'} | ${value} | ${meaning} |`;
};

/** Generates the page of settings from the table that the service reads. */
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
