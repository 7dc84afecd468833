import { lstatSync, realpathSync } from 'node:fs';
import { z } from 'zod';
import { parseTrusted } from './http/input/client-address.ts';
import { ENVIRONMENTS, type Environment } from './kernel/contract.ts';
import { LOG_LEVELS } from './kernel/log.ts';
import { guessableFault, secretFault } from './resources/keys/secret.ts';

type Variable = { schema: z.ZodType; default?: string; shown?: string; meaning: string; secret?: true };

/** Parses text with `read`; undefined means invalid. */
const parsed = <Value>(read: (text: string) => Value | undefined, message: string | ((text: string) => string)) =>
  z.string().transform((text, context) => {
    const value = read(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: typeof message === 'string' ? message : message(text) });
    return z.NEVER;
  });

const wholeNumber = (min: number, max: number) =>
  parsed(
    (text) => (/^\d{1,10}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined),
    `must be an integer from ${min} to ${max}`,
  );

const flag = z.enum(['true', 'false'], { error: 'must be true or false' }).transform((value) => value === 'true');

const publicUrl = z
  .string()
  .refine((url) => !/^https?:\/\/[^/?#]*@/.test(url), {
    error: 'must have no user or password in it: everyone is shown it',
    abort: true,
  })
  .refine((url) => /^https?:\/\/[!-~]+$/.test(url) && !/[?#]/.test(url) && URL.canParse(url), {
    error: 'must be an http or https address in ASCII (xn--… for other hosts), without ? and #',
  })
  .transform((url) => url.replace(/\/+$/, '').replace(/\/v1$/, ''));

const trusted = parsed(parseTrusted, 'must be addresses or networks (10.0.0.0/8) separated by commas');

/** Allows several hosts with ports before the path. No URL parser does. */
const POSTGRES = /^postgres(?:ql)?:\/\/(?:[^@/?#\s]*@)?[^@/?#\s]*\/[^/?#\s]+(?:\?[^#\s]*)?$/;

/** Resolves a symbolic link: lock and log lie next to the real file. Returns undefined for a dangling link. */
const resolveLink = (path: string): string | undefined => {
  try {
    if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path;
  } catch {
    // The folder may be unreadable for this user: opening the file gives a better error.
    return path;
  }
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
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
      ? 'must not be a symbolic link that leads to no file: name the file itself, or mount what the link leads to'
      : 'must be sqlite:<path of a file> or postgres://<user>:<password>@<host>:<port>,…/<database>',
);

const REDIS_NODE = /^rediss?:\/\/(?:[^%\s,/?#]|%[0-9a-f]{2})+(?:\/\d*)?$/i;

const redis = z
  .string()
  .refine(
    (list) => list.split(',').every((node) => REDIS_NODE.test(node) && URL.canParse(node)),
    'must be redis://<host>:<port>, or several with commas',
  );

const instant = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], {
    error: 'must be a day like 2030-12-05 or a time like 2030-12-05T00:00:00Z',
  })
  .transform((text) => Date.parse(text));

const adminKey = z
  .string()
  .regex(/^[\x21-\x7e]{20,200}$/, { error: 'must be 20 to 200 visible ASCII characters', abort: true })
  .superRefine((key, context) => {
    const fault = guessableFault(key);
    const message = `can be guessed: it ${fault}; set random text, such as \`openssl rand -base64 32\` prints, or unset it to have one made`;
    if (fault) context.addIssue({ code: 'custom', message });
  });

/** Values are percent-encoded (OpenTelemetry's exporter specification). */
const decodeHeader = (pair: string): [name: string, value: string] | undefined => {
  const [, name, value] = /^([\w-]+)=([!-~]+)$/.exec(pair.trim()) ?? [];
  try {
    const decoded = decodeURIComponent(value ?? '');
    return name !== undefined && /^[ -~]+$/.test(decoded) ? [name, decoded] : undefined;
  } catch {
    return undefined;
  }
};

const otlpHeaders = parsed((list): Record<string, string> | undefined => {
  const headers = list.split(',').map(decodeHeader);
  return headers.every((header) => header !== undefined) ? Object.fromEntries(headers) : undefined;
}, 'must be name=value, several separated by commas, in ASCII with a space as %20');

/** All settings. Documentation and flags are generated from this table. */
export const VARIABLES = {
  PORT: {
    schema: wholeNumber(0, 65535),
    default: '8080',
    meaning: 'where it listens; 0 picks a free port and prints it',
  },
  HOST: {
    schema: z.string().regex(/^[\w.:%-]+$/, 'must be an address or a name of this machine'),
    default: '127.0.0.1',
    meaning: 'the address it listens on',
  },
  DATABASE_URL: {
    schema: database,
    default: 'sqlite:data/petstore.db',
    meaning: 'where the data is kept: an SQLite file, or `postgres://…` (several hosts allowed)',
  },
  PETSTORE_BACKUP_BEFORE_MIGRATION: {
    schema: flag,
    default: 'true',
    meaning: 'whether a start that changes the schema of an SQLite file first writes a copy beside it, which is kept',
  },
  PETSTORE_SCAN_SECONDS: {
    schema: wholeNumber(0, 31_536_000),
    default: '86400',
    meaning: 'how often the SQLite file is scanned for damage in the background, in seconds; 0 turns the scan off',
  },
  PETSTORE_DATABASE_TIMEOUT_MS: {
    schema: wholeNumber(1000, 600_000),
    default: '5000',
    meaning:
      'how long a request waits for a PostgreSQL that is slow, crowded or away before it gets 503; twice as long in a queue for one row',
  },
  REDIS_URL: {
    schema: redis,
    shown: 'none: windows are kept in the process and the database',
    meaning: 'where several instances count together: `redis://…`, or several nodes of a cluster separated by commas',
  },
  PETSTORE_REDIS_TIMEOUT_MS: {
    schema: wholeNumber(10, 10_000),
    default: '500',
    meaning: 'how long a request waits for a slow Redis before its instance judges alone',
  },
  PETSTORE_ENVIRONMENT: {
    schema: z.enum(ENVIRONMENTS, { error: 'must be production or staging' }),
    default: 'production',
    meaning: '`production`, or `staging`: test keys, a database of its own',
  },
  PETSTORE_ADMIN_KEY: {
    schema: adminKey,
    shown: 'made at the first start and printed once',
    meaning: 'the admin key, 20 to 200 visible ASCII characters that nobody can guess; replaces the one before',
    secret: true,
  },
  PETSTORE_REHEARSE_DATE: {
    schema: instant,
    meaning: 'staging only: the instant by which deprecations are judged, and nothing else',
  },
  PETSTORE_ORDER_HOLD_SECONDS: {
    schema: wholeNumber(1, 31_536_000),
    default: '3600',
    meaning: 'how long a placed order holds its animal',
  },
  PETSTORE_EVENT_DAYS: {
    schema: wholeNumber(1, 36_500),
    default: '400',
    meaning: 'how long events are kept',
  },
  PETSTORE_WEBHOOK_ALLOW_PRIVATE: {
    schema: flag,
    default: 'false',
    meaning: 'lets webhooks reach private addresses and plain `http`',
  },
  PETSTORE_TRUST_PROXY: {
    schema: trusted,
    meaning: 'addresses or networks, separated by commas, whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed',
  },
  PETSTORE_LOG_LEVEL: {
    schema: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }),
    default: 'info',
    meaning:
      '`info` writes one JSON line a request on standard output, with a limit for callers without a valid key; `silent` writes nothing',
  },
  PETSTORE_PUBLIC_URL: {
    schema: publicUrl,
    shown: 'from the request, with the `X-Forwarded-Proto` of a trusted proxy',
    meaning: 'base of the links in `Link` and `Location` headers and in the document',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: z
      .string()
      .refine(
        (url) => /^https?:\/\/[^@?#\s]+$/.test(url) && URL.canParse(url),
        'must be an http or https address without a password, ? and #',
      ),
    shown: 'none: nothing of it is loaded',
    meaning: 'a collector to which a span for each request is sent (OTLP over HTTP, JSON)',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: otlpHeaders,
    shown: 'none',
    meaning: 'headers that the collector wants, `name=value` separated by commas, with a space as `%20`',
    secret: true,
  },
  PETSTORE_METRICS_PORT: {
    schema: wholeNumber(1, 65535),
    shown: 'none: `/metrics` beside the API, for keys with `ops:read`',
    meaning: 'where `/metrics` is also served on 127.0.0.1, without a key, to loopback `Host` names',
  },
} satisfies Record<string, Variable>;

type Name = keyof typeof VARIABLES;
type Value<N extends Name> = z.output<(typeof VARIABLES)[N]['schema']>;

export type Config = {
  [N in Name]: (typeof VARIABLES)[N] extends { default: string } ? Value<N> : Value<N> | undefined;
};

/** Spells `--log-level` for `PETSTORE_LOG_LEVEL`. Secrets have no flag: every user of a machine can read flags. */
export const flagOf = (name: string): string | undefined =>
  (VARIABLES[name as Name] as Variable).secret
    ? undefined
    : `--${name
        .replace(/^PETSTORE_/, '')
        .toLowerCase()
        .replaceAll('_', '-')}`;

/** All problems with the settings, one line each. */
export class BadConfig extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** Checks rules that span several settings; they need a valid environment. */
const crossFaults = (config: Partial<Config>): string[] => {
  const environment: Environment | undefined = config.PETSTORE_ENVIRONMENT;
  if (environment === undefined) return [];
  const problems: string[] = [];
  if (environment === 'production' && config.PETSTORE_REHEARSE_DATE !== undefined) {
    problems.push('PETSTORE_REHEARSE_DATE is for staging only; unset it or set PETSTORE_ENVIRONMENT=staging');
  }
  const fault = config.PETSTORE_ADMIN_KEY && secretFault(config.PETSTORE_ADMIN_KEY, environment);
  if (fault) problems.push(`PETSTORE_ADMIN_KEY looks like an API key but cannot be one: ${fault}`);
  return problems;
};

/** The service's address and key for the command line. */
export const readClientConfig = (environment: Record<string, string | undefined>) => ({
  url: (environment.PETSTORE_URL || 'http://127.0.0.1:8080').replace(/\/+$/, '').replace(/\/v1$/, ''),
  key: environment.PETSTORE_API_KEY || environment.PETSTORE_ADMIN_KEY || undefined,
});

/** Quotes the value, unless it may contain a secret: an address can have a password before its `@`. */
const quote = ({ secret }: Variable, given: string): string =>
  secret || given.includes('@') ? '' : `, not ${JSON.stringify(given)}`;

/** Reads the settings: flags override variables, variables override defaults. An empty variable counts as unset. */
export const readConfig = (
  environment: Record<string, string | undefined>,
  flags: Record<string, string | undefined> = {},
): Config => {
  const problems: string[] = [];
  const config: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries(VARIABLES) as [Name, Variable][]) {
    const given = flags[name] ?? (environment[name] || variable.default);
    if (given === undefined) continue;
    const parsed = variable.schema.safeParse(given);
    if (parsed.success) config[name] = parsed.data;
    else problems.push(`${name} ${parsed.error.issues[0]?.message}${quote(variable, given)}`);
  }
  problems.push(...crossFaults(config as Partial<Config>));
  if (problems.length > 0) throw new BadConfig(problems);
  return config as Config;
};
