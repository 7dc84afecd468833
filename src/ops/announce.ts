import { rmSync, writeFileSync } from 'node:fs';
import type { Config } from '../config.ts';
import type { Log } from '../kernel/log.ts';
import { VERSION } from '../version.ts';
import { isTerminal } from './standard-output.ts';

type Start = {
  config: Config;
  origin: string;
  adminKey: string | undefined;
  isNew: boolean;
  testKey: string | undefined;
  opens: boolean;
  log: Log;
};

const reachable = (host: string): string =>
  ({ '0.0.0.0': '127.0.0.1', '::': '[::1]' })[host] ?? (host.includes(':') ? `[${host}]` : host);

export const originOf = (host: string, port: number): string => `http://${reachable(host)}:${port}`;

export const databaseShown = (place: Config['DATABASE_URL']): string =>
  place.engine === 'sqlite' ? place.path : place.url.replace(/\/\/[^@]*@/, '//').replace(/\?.*/, '');

const adminLine = (adminKey: string) => `Admin key    ${adminKey}   (shown only once: save it now)`;

/** On PostgreSQL, an existing file is never overwritten: it may contain the admin key of another database. */
const adminKeyFiles = (place: Config['DATABASE_URL']): string[] =>
  place.engine === 'sqlite'
    ? [`${place.path}.admin-key`]
    : ['petstore.admin-key', ...Array.from({ length: 98 }, (_, index) => `petstore-${index + 2}.admin-key`)];

const saveAdminKey = (adminKey: string, place: Config['DATABASE_URL']): string | undefined => {
  for (const file of adminKeyFiles(place)) {
    try {
      if (place.engine === 'sqlite') rmSync(file, { force: true });
      writeFileSync(file, `${adminKey}\n`, { mode: 0o600, flag: 'wx', flush: true });
      return file;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return undefined;
    }
  }
  return undefined;
};

/** If standard error is not a terminal, its output often ends up in a log, so the key is written to a file instead. */
export const showAdminKey = ({ config, adminKey, testKey, log }: Omit<Start, 'origin' | 'isNew' | 'opens'>): void => {
  if (!adminKey) return;
  // A demo does not write the key to a file, because the demo's database may be replaced while the demo runs.
  const file = testKey || isTerminal('stderr') ? undefined : saveAdminKey(adminKey, config.DATABASE_URL);
  const advice = 'save the key elsewhere, then delete the file';
  if (file) log.info('admin_key_saved', { file, advice });
  if (!file) process.stderr.write(`${adminLine(adminKey)}\n`);
  else if (config.PETSTORE_LOG_LEVEL !== 'info') process.stderr.write(`Admin key    in ${file}   (${advice})\n`);
};

const testLine = (testKey: string) =>
  `Test key     ${testKey}   (sign in with this key to see sample data; all data is deleted when the demo stops)`;

export const announce = ({ config, origin, adminKey, isNew, testKey, opens, log }: Start): void => {
  const environment = config.PETSTORE_ENVIRONMENT;
  const database = testKey ? 'in memory' : databaseShown(config.DATABASE_URL);
  if (!isTerminal()) {
    if (isNew) log.info('database_created', { database });
    if (testKey) process.stderr.write(`${testLine(testKey)}\n`);
    showAdminKey({ config, adminKey, testKey, log });
    log.info('started', { version: VERSION, environment, database, api: `${origin}/v1`, docs: `${origin}/docs` });
    if (config.PORT === 0 && config.PETSTORE_LOG_LEVEL !== 'info')
      process.stderr.write(`Pet Store ${VERSION} is listening at ${origin}\n`);
    return;
  }
  const key = testKey ?? adminKey ?? (process.env.PETSTORE_ADMIN_KEY && '$PETSTORE_ADMIN_KEY');
  const request = key ? `"${origin}/v1/pets" -H "Authorization: Bearer ${key}"` : `"${origin}/readyz"`;
  const lines = [
    `Pet Store ${VERSION}, ${environment}`,
    `Database     ${database}${isNew && !testKey ? '   (new)' : ''}`,
    `Home page    ${origin}/${opens ? '' : '   (start with --open to see it in your browser)'}`,
    `Console      ${origin}/console`,
    `API          ${origin}/v1`,
    `Reference    ${origin}/docs`,
    ...(testKey ? [testLine(testKey)] : []),
    ...(adminKey ? [adminLine(adminKey)] : []),
    `Try          curl ${request}`,
  ];
  process.stdout.write(`\n${lines.map((line) => `  ${line}`).join('\n')}\n\n`);
};

const OPENER = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open';

export const openBrowser = (url: string): void => {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const browser = spawn(OPENER, [url], { stdio: 'ignore', detached: true });
  browser.once('error', () =>
    process.stderr.write(`  cannot open a browser (${OPENER} is not installed); open ${url} yourself\n`),
  );
  browser.unref();
};
