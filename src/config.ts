import { lstatSync, realpathSync } from 'node:fs';
import { type ZodType, z } from 'zod';
import { readSecret, refuseMisspelled, unknownVariables, type Variables } from '../cli/args/variables.ts';
import { parseTrusted } from './http/input/client-address.ts';
import { ENVIRONMENTS } from './kernel/contract.ts';
import { LOG_LEVELS } from './kernel/log.ts';
import { tryTo } from './kernel/runtime.ts';
import { parsed } from './kernel/schema.ts';
import { explainRedisUrl, parseRedisUrl } from './limits/redis/address.ts';
import { guessableFault, secretFault } from './resources/keys/secret.ts';

/** If `kind` is set, the value may contain a password, so `<name>_FILE` can name a file that contains the value. */
export type Variable = { schema: ZodType; default?: string; shown?: string; meaning: string; kind?: 'file' | 'secret' };

const wholeNumber = (min: number, max: number) =>
  parsed(
    (text) => (/^\d{1,10}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined),
    `must be an integer from ${min} to ${max}`,
  );

const flag = z.enum(['true', 'false'], { error: 'must be true or false' }).transform((value) => value === 'true');

const publicUrl = z
  .string()
  .refine((url) => !/^https?:\/\/[^/?#]*@/.test(url), {
    error: 'must not contain a user or password, because the URL is public',
    abort: true,
  })
  .refine((url) => /^https?:\/\/[!-~]+$/.test(url) && !/[?#]/.test(url) && URL.canParse(url), {
    error: 'must be an http or https URL in ASCII (with xn--… for other host names), without ? or #',
  })
  .transform((url) => url.replace(/\/+$/, '').replace(/\/v1$/, ''));

/** This is a regular expression, because URL parsers reject a list of hosts, such as `a:5432,b:5432`. */
const POSTGRES = /^postgres(?:ql)?:\/\/(?:[^@/?#\s]*@)?[^@/?#\s]*\/[^/?#\s]+(?:\?[^#\s]*)?$/;

/** Follows links, because SQLite keeps its lock and WAL next to the real file. Returns undefined for a broken link. */
const resolveLink = (path: string): string | undefined => {
  try {
    if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path;
  } catch {
    // The folder cannot be read. Opening the file later will produce a clearer error message.
    return path;
  }
  return tryTo(() => realpathSync(path));
};

const SQLITE = /^sqlite:(?!:memory:|\/\/[^/])(.+)$/s;

const database = parsed(
  (url) => {
    const [, path] = SQLITE.exec(url) ?? [];
    const file = path === undefined ? undefined : resolveLink(path.replace(/^\/+/, '/'));
    if (file !== undefined) return { engine: 'sqlite' as const, path: file };
    return POSTGRES.test(url) ? { engine: 'postgres' as const, url } : undefined;
  },
  (url) =>
    SQLITE.test(url)
      ? "must be a file, or a symbolic link to a file that exists (mount the link's target, or give the path of the file itself)"
      : 'must be sqlite:<file path> or postgres://<user>:<password>@<host>:<port>,…/<database>',
);

const standby = parsed(
  (url) => (POSTGRES.test(url) && !/^[^/]*\/\/(?:[^@/]*@)?[^@/]*,/.test(url) ? url : undefined),
  'must be postgres://<user>:<password>@<host>:<port>/<database> with one host',
);

const instant = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], {
    error: 'must be a date such as 2030-12-05 or a time such as 2030-12-05T00:00:00Z',
  })
  .transform((text) => Date.parse(text));

const adminKey = z
  .string()
  .regex(/^[\x21-\x7e]{20,200}$/, { error: 'must be 20 to 200 visible ASCII characters', abort: true })
  .superRefine((key, context) => {
    const fault = guessableFault(key);
    const message = `can be guessed: it ${fault}; set random text, such as the output of \`openssl rand -base64 32\`, or unset it to get a generated key`;
    if (fault) context.addIssue({ code: 'custom', message });
  });

/** Decodes a `name=value` pair. OpenTelemetry's exporter specification defines the format. */
const decodeHeader = (pair: string): [name: string, value: string] | undefined => {
  const [, name, value] = /^([\w-]+)=([!-~]+)$/.exec(pair.trim()) ?? [];
  const decoded = tryTo(() => decodeURIComponent(value ?? '')) ?? '';
  return name !== undefined && /^[ -~]+$/.test(decoded) ? [name, decoded] : undefined;
};

const otlpHeaders = parsed((list): Record<string, string> | undefined => {
  const headers = list.split(',').map(decodeHeader);
  return headers.every((header) => header !== undefined) ? Object.fromEntries(headers) : undefined;
}, 'must be name=value pairs in ASCII, separated by commas, with spaces as %20');

export const VARIABLES = {
  PORT: {
    schema: wholeNumber(0, 65535),
    default: '8080',
    meaning: 'port to listen on; with 0, the service picks a free port and prints it',
  },
  HOST: {
    schema: z.string().regex(/^[\w.:%-]+$/, 'must be an IP address or host name of this machine'),
    default: '127.0.0.1',
    meaning: 'address to listen on',
  },
  DATABASE_URL: {
    schema: database,
    default: 'sqlite:data/petstore.db',
    meaning: 'where data is stored: an SQLite file, or `postgres://…` (several hosts allowed)',
    kind: 'file',
  },
  PETSTORE_READ_URL: {
    schema: standby,
    shown: 'none: the primary serves all reads',
    meaning:
      'a PostgreSQL standby, `postgres://…` with one host, that serves reads of pets and the inventory; requires `REDIS_URL`',
    kind: 'file',
  },
  PETSTORE_CREATE: {
    schema: flag,
    default: 'true',
    meaning:
      'whether the service creates a missing database; with `false`, a wrong path or a missing volume is an error',
  },
  PETSTORE_READ_ONLY: {
    schema: flag,
    default: 'false',
    meaning:
      'whether the service answers writes with 503 and changes nothing in its database, as needed during `petstore move`; background jobs do not run, and usage is not recorded',
  },
  PETSTORE_BACKUP_BEFORE_MIGRATION: {
    schema: flag,
    default: 'true',
    meaning:
      'whether the service saves a copy of an SQLite file before it migrates the file; the copy is never deleted',
  },
  PETSTORE_SCAN_SECONDS: {
    schema: wholeNumber(0, 31_536_000),
    default: '86400',
    meaning: 'seconds between background scans of the SQLite file for damage; 0 turns the scan off',
  },
  PETSTORE_DATABASE_TIMEOUT_MS: {
    schema: wholeNumber(1000, 600_000),
    default: '5000',
    meaning:
      'milliseconds that a request waits for a slow, busy or unreachable PostgreSQL before it gets 503; a request that waits for a locked row can wait twice as long',
  },
  PETSTORE_DATABASE_CONNECTIONS: {
    schema: wholeNumber(4, 1000),
    default: '8',
    meaning: 'maximum number of connections that an instance opens to PostgreSQL',
  },
  PETSTORE_DATABASE_PREPARE: {
    schema: z.enum(['auto', 'always', 'never'], { error: 'must be auto, always or never' }),
    default: 'auto',
    meaning:
      'whether to use named prepared statements on PostgreSQL; `auto` uses them unless the service connects through a pooler, such as PgBouncer; `always` requires PgBouncer 1.21 or later',
  },
  REDIS_URL: {
    schema: parsed(parseRedisUrl, explainRedisUrl),
    shown: 'none: each instance counts requests itself and saves the counts in the database',
    meaning:
      'Redis for limits that several instances share: `redis://…` for a server or a cluster, several cluster nodes separated by commas, or `redis+sentinel://<host>:<port>,…/<master>`',
    kind: 'file',
  },
  PETSTORE_REDIS_TIMEOUT_MS: {
    schema: wholeNumber(10, 10_000),
    default: '500',
    meaning: 'milliseconds that a request waits for a slow Redis before its instance enforces the limits on its own',
  },
  PETSTORE_ENVIRONMENT: {
    schema: z.enum(ENVIRONMENTS, { error: 'must be production or staging' }),
    default: 'production',
    meaning: '`production`, or `staging` with test keys and its own database',
  },
  PETSTORE_ADMIN_KEY: {
    schema: adminKey,
    shown: 'created at the first start; shown once on a terminal, otherwise written to a file',
    meaning: 'the admin key, 20 to 200 visible ASCII characters that are hard to guess; replaces the previous key',
    kind: 'secret',
  },
  PETSTORE_REHEARSE_DATE: {
    schema: instant,
    meaning:
      "staging only: the date used instead of today's to decide which operations have been removed; affects nothing else",
  },
  PETSTORE_ORDER_HOLD_SECONDS: {
    schema: wholeNumber(1, 31_536_000),
    default: '3600',
    meaning: 'how long a placed order holds its pet, in seconds',
  },
  PETSTORE_EVENT_DAYS: { schema: wholeNumber(1, 36_500), default: '400', meaning: 'how long events are kept, in days' },
  PETSTORE_WEBHOOK_ALLOW_PRIVATE: {
    schema: flag,
    default: 'false',
    meaning: 'whether webhooks may use private addresses and plain `http`',
  },
  PETSTORE_TRUST_PROXY: {
    schema: parsed(parseTrusted, 'must be IP addresses or networks (such as 10.0.0.0/8), separated by commas'),
    meaning:
      'proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted: IP addresses or networks, separated by commas',
  },
  PETSTORE_LOG_LEVEL: {
    schema: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }),
    default: 'info',
    meaning:
      '`info` writes one JSON line per request to standard output, rate-limited for callers without a valid key; `silent` writes nothing',
  },
  PETSTORE_PUBLIC_URL: {
    schema: publicUrl,
    shown: 'taken from the request, including `X-Forwarded-Proto` from a trusted proxy',
    meaning: 'base URL for links in `Link` and `Location` headers',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: z
      .string()
      .refine(
        (url) => /^https?:\/\/[^@?#\s]+$/.test(url) && URL.canParse(url),
        'must be an http or https URL without a password, ? or #',
      ),
    shown: 'none: no spans are sent',
    meaning: 'a collector that receives a span for each request (OTLP over HTTP, JSON)',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: otlpHeaders,
    shown: 'none',
    meaning: 'headers for the collector: `name=value` pairs separated by commas, with spaces as `%20`',
    kind: 'secret',
  },
  PETSTORE_METRICS_PORT: {
    schema: wholeNumber(1, 65535),
    shown: 'none: `/metrics` is served only with the API, for keys with `ops:read`',
    meaning: 'port on 127.0.0.1 that also serves `/metrics` without a key; requests must have a loopback `Host`',
  },
} satisfies Record<string, Variable>;

type Name = keyof typeof VARIABLES;
type Value<N extends Name> = z.output<(typeof VARIABLES)[N]['schema']>;

type Setting = { name: string; value: string | null; source: 'default' | 'set'; secret: boolean };

export type Config = {
  [N in Name]: (typeof VARIABLES)[N] extends { default: string } ? Value<N> : Value<N> | undefined;
} & { settings: readonly Setting[] };

/** Secrets have no command-line flag, because other users of the machine can see the flags of a process. */
export const flagOf = (name: string): string | undefined => {
  if ((VARIABLES[name as Name] as Variable).kind === 'secret') return undefined;
  const own = name.replace(/^PETSTORE_/, '').toLowerCase();
  return `--${own.replaceAll('_', '-')}`;
};

export class BadConfig extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

const crossFaults = (config: Partial<Config>): string[] => {
  const { PETSTORE_ENVIRONMENT: environment } = config;
  if (environment === undefined) return [];
  const problems: string[] = [];
  if (environment === 'production' && config.PETSTORE_REHEARSE_DATE !== undefined)
    problems.push('PETSTORE_REHEARSE_DATE is for staging only; unset it or set PETSTORE_ENVIRONMENT=staging');
  if (config.PETSTORE_READ_URL !== undefined && config.DATABASE_URL?.engine === 'sqlite')
    problems.push('PETSTORE_READ_URL works only with PostgreSQL; unset it or set DATABASE_URL=postgres://…');
  else if (config.PETSTORE_READ_URL !== undefined && config.REDIS_URL === undefined)
    problems.push(
      'PETSTORE_READ_URL needs REDIS_URL, because Redis records which keys have just written; set REDIS_URL or unset PETSTORE_READ_URL',
    );
  const fault = config.PETSTORE_ADMIN_KEY && secretFault(config.PETSTORE_ADMIN_KEY, environment);
  if (fault) problems.push(`PETSTORE_ADMIN_KEY looks like an API key but cannot be one: ${fault}`);
  return problems;
};

const CLIENT_VARIABLES = [
  ...['PETSTORE_URL', 'PETSTORE_PROFILE', 'PETSTORE_API_KEY', 'PETSTORE_API_KEY_FILE'],
  ...['PETSTORE_WEBHOOK_SECRET', 'PETSTORE_WEBHOOK_SECRET_FILE'],
];
const READ_BY_CLIENT = [...CLIENT_VARIABLES, 'PETSTORE_ADMIN_KEY', 'PETSTORE_ADMIN_KEY_FILE'];

export const KNOWN: readonly string[] = [
  ...Object.entries<Variable>(VARIABLES).flatMap(([name, { kind }]) => (kind ? [name, `${name}_FILE`] : [name])),
  ...CLIENT_VARIABLES,
  'PETSTORE_COMMIT',
];

export const readClientConfig = (environment: Variables) => {
  refuseMisspelled(environment, KNOWN, READ_BY_CLIENT);
  return {
    url: (environment.PETSTORE_URL || 'http://127.0.0.1:8080').replace(/\/+$/, '').replace(/\/v1$/, ''),
    key: readSecret(environment, 'PETSTORE_API_KEY') ?? readSecret(environment, 'PETSTORE_ADMIN_KEY'),
  };
};

/** If the value contains an `@`, it may be a URL with a password, so the error message does not show the value. */
const quote = (value: string | undefined): string =>
  !value || value.includes('@') ? '' : `, not ${JSON.stringify(value)}`;

/** An `@` after a `?` or `#` may belong to a password that contains a `?` or `#`, so only the scheme is shown. */
const withoutPassword = (url: string): string => {
  const [scheme] = /^[\w+.-]+:\/\//.exec(url) ?? [];
  if (scheme === undefined || scheme === 'sqlite://') return url;
  const [head = ''] = url.split(/[?#]/);
  if (url.slice(head.length).includes('@')) return `${scheme}…`;
  const at = head.lastIndexOf('@');
  return at < 0 ? head : scheme + head.slice(at + 1);
};

export const readConfig = (environment: Variables, flags: Variables = {}): Config => {
  const problems = unknownVariables(environment, KNOWN);
  const settings: Setting[] = [];
  const config: Record<string, unknown> = { settings };
  for (const [name, { schema, kind, default: usual }] of Object.entries<Variable>(VARIABLES)) {
    const secret = kind === 'secret';
    const found = kind ? readSecret(environment, name, problems) : environment[name];
    const set = flags[name] ?? (found || undefined);
    const given = set ?? usual;
    const value = secret ? null : withoutPassword(given ?? '') || null;
    settings.push({ name, value, source: set === undefined ? 'default' : 'set', secret });
    if (given === undefined) continue;
    const checked = schema.safeParse(given);
    const shown = secret ? '' : quote(flags[name] ?? environment[name]);
    if (checked.success) config[name] = checked.data;
    else problems.push(`${name} ${checked.error.issues[0]?.message}${shown}`);
  }
  problems.push(...crossFaults(config as Partial<Config>));
  if (problems.length > 0) throw new BadConfig(problems);
  return config as Config;
};
