import { describe, expect, test } from 'bun:test';
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { BadConfig, flagOf, readClientConfig, readConfig, VARIABLES } from './config.ts';

type Name = keyof typeof VARIABLES;

const problemsOf = (environment: Record<string, string>, flags: Record<string, string> = {}): readonly string[] => {
  try {
    readConfig(environment, flags);
    return [];
  } catch (error) {
    if (error instanceof BadConfig) return error.problems;
    throw error;
  }
};

describe('a setting that is unset', () => {
  const defaults: Record<Exclude<Name, 'PETSTORE_TRUST_PROXY'>, unknown> = {
    PORT: 8080,
    HOST: '127.0.0.1',
    DATABASE_URL: { engine: 'sqlite', path: 'data/petstore.db' },
    PETSTORE_ENVIRONMENT: 'production',
    REDIS_URL: undefined,
    PETSTORE_READ_URL: undefined,
    PETSTORE_BACKUP_BEFORE_MIGRATION: true,
    PETSTORE_CREATE: true,
    PETSTORE_READ_ONLY: false,
    PETSTORE_SCAN_SECONDS: 86_400,
    PETSTORE_DATABASE_TIMEOUT_MS: 5000,
    PETSTORE_DATABASE_CONNECTIONS: 8,
    PETSTORE_DATABASE_PREPARE: 'auto',
    PETSTORE_REDIS_TIMEOUT_MS: 500,
    PETSTORE_ADMIN_KEY: undefined,
    PETSTORE_REHEARSE_DATE: undefined,
    PETSTORE_ORDER_HOLD_SECONDS: 3600,
    PETSTORE_EVENT_DAYS: 400,
    PETSTORE_WEBHOOK_ALLOW_PRIVATE: false,
    PETSTORE_LOG_LEVEL: 'info',
    PETSTORE_PUBLIC_URL: undefined,
    PETSTORE_METRICS_PORT: undefined,
    OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
    OTEL_EXPORTER_OTLP_HEADERS: undefined,
  };
  const cases = Object.entries({ ...defaults, PETSTORE_TRUST_PROXY: undefined }) as [Name, unknown][];

  test.each(cases)('%s is %p', (name, value) => {
    expect(readConfig({})[name]).toEqual(value as never);
  });

  test.each(cases)('%s counts as unset when it is empty', (name, value) => {
    expect(readConfig({ [name]: '' })[name]).toEqual(value as never);
  });

  test('is in this list', () => {
    expect(cases.map(([name]) => name).sort()).toEqual((Object.keys(VARIABLES) as Name[]).sort());
  });
});

test('a database path resolves to the real file through any link, and a dangling link is refused', () => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'petstore-test-')));
  const [file, link, second, lost] = ['petstore.db', 'link.db', 'second.db', 'lost.db'].map((name) =>
    join(directory, name),
  );
  writeFileSync(file as string, '');
  symlinkSync('petstore.db', link as string);
  symlinkSync(link as string, second as string);
  symlinkSync('nowhere.db', lost as string);
  for (const path of [file, link, second])
    expect(readConfig({ DATABASE_URL: `sqlite:${path}` }).DATABASE_URL).toEqual({
      engine: 'sqlite',
      path: file as string,
    });
  expect(problemsOf({ DATABASE_URL: `sqlite:${lost}` })).toEqual([
    expect.stringContaining('DATABASE_URL must be a file, or a symbolic link to a file that exists'),
  ]);
  rmSync(directory, { recursive: true });
});

describe('a valid setting', () => {
  const good: [Name, string, unknown][] = [
    ['PORT', '0', 0],
    ['PORT', '65535', 65535],
    ['HOST', '0.0.0.0', '0.0.0.0'],
    ['HOST', '::1', '::1'],
    ['HOST', 'pets.example.org', 'pets.example.org'],
    ['DATABASE_URL', 'sqlite:pets.db', { engine: 'sqlite', path: 'pets.db' }],
    ['DATABASE_URL', 'sqlite:/var/lib/pets.db', { engine: 'sqlite', path: '/var/lib/pets.db' }],
    ['DATABASE_URL', 'sqlite:///var/lib/pets.db', { engine: 'sqlite', path: '/var/lib/pets.db' }],
    ...[
      'postgres://pets:secret@one:5432,two:5433/pets?sslmode=require',
      'postgresql://localhost/pets',
      'postgres:///pets?host=/run/postgresql',
    ].map((url): [Name, string, unknown] => ['DATABASE_URL', url, { engine: 'postgres', url }]),
    ['REDIS_URL', 'redis://cache:6379', { nodes: [{ host: 'cache', port: 6379 }], db: 0 }],
    ['PETSTORE_ENVIRONMENT', 'staging', 'staging'],
    ['PETSTORE_ADMIN_KEY', 'abcdefghijklmnopqrst', 'abcdefghijklmnopqrst'],
    ['PETSTORE_ADMIN_KEY', `!~${'x'.repeat(180)}0123456789abcdef~!`, `!~${'x'.repeat(180)}0123456789abcdef~!`],
    ['PETSTORE_ORDER_HOLD_SECONDS', '1', 1],
    ['PETSTORE_ORDER_HOLD_SECONDS', '31536000', 31_536_000],
    ['PETSTORE_EVENT_DAYS', '36500', 36_500],
    ['PETSTORE_WEBHOOK_ALLOW_PRIVATE', 'true', true],
    [
      'OTEL_EXPORTER_OTLP_HEADERS',
      'Authorization=Basic%20YWI=, x-team=pets',
      { Authorization: 'Basic YWI=', 'x-team': 'pets' },
    ],
    ['PETSTORE_LOG_LEVEL', 'silent', 'silent'],
    ['PETSTORE_LOG_LEVEL', 'error', 'error'],
    ['PETSTORE_PUBLIC_URL', 'https://pets.example.org', 'https://pets.example.org'],
    ['PETSTORE_PUBLIC_URL', 'https://example.org/pets/v1/', 'https://example.org/pets'],
  ];
  test.each(good)('%s accepts %s', (name, given, value) => {
    expect(readConfig({ [name]: given })[name]).toEqual(value as never);
  });

  const rehearsals: [string, string][] = [
    ['2030-12-05', '2030-12-05T00:00:00.000Z'],
    ['2030-12-05T01:00:00Z', '2030-12-05T01:00:00.000Z'],
    ['2030-12-05T01:00:00+02:00', '2030-12-04T23:00:00.000Z'],
  ];
  test.each(rehearsals)('PETSTORE_REHEARSE_DATE accepts %s on staging', (given, instant) => {
    const config = readConfig({ PETSTORE_ENVIRONMENT: 'staging', PETSTORE_REHEARSE_DATE: given });
    expect(config.PETSTORE_REHEARSE_DATE).toBe(Date.parse(instant));
  });

  test('PETSTORE_TRUST_PROXY accepts IPv4 and IPv6 addresses and networks', () => {
    const trusted = readConfig({ PETSTORE_TRUST_PROXY: '192.0.2.7, 10.0.0.0/8,2001:db8::/32' }).PETSTORE_TRUST_PROXY;
    expect(trusted?.check('192.0.2.7')).toBe(true);
    expect(trusted?.check('10.20.30.40')).toBe(true);
    expect(trusted?.check('2001:db8::1', 'ipv6')).toBe(true);
    expect(trusted?.check('192.0.2.8')).toBe(false);
  });
});

describe('an invalid setting', () => {
  const bad: [Name, readonly string[], string][] = [
    ['PORT', ['-1', '65536', '80.5', 'http', ' 80', '0x50', '1e3'], 'must be an integer from 0 to 65535'],
    ['HOST', ['http://localhost', 'two words'], 'must be an IP address or host name of this machine'],
    ['DATABASE_URL', ['pets.db', 'sqlite:', 'sqlite::memory:', 'mysql://host/pets'], 'must be sqlite:<file path> or'],
    ['DATABASE_URL', ['sqlite://pets.db', 'postgres://db', 'postgres://db/'], 'must be sqlite:<file path> or'],
    [
      'REDIS_URL',
      [
        'cache:6379',
        'http://cache',
        'redis://',
        'redis://a,b',
        'redis://a%',
        'redis://a:1,redis://b:99999',
        'redis+sentinel://a',
      ],
      'must be redis://<host>:<port>',
    ],
    [
      'PETSTORE_READ_URL',
      ['db', 'sqlite:pets.db', 'postgres://a:1,b:2/pets'],
      'must be postgres://<user>:<password>@<host>:<port>/<database> with one host',
    ],
    ['PETSTORE_ENVIRONMENT', ['prod', 'Production', 'test'], 'must be production or staging'],
    [
      'PETSTORE_REHEARSE_DATE',
      ['tomorrow', '2030-13-01', '05.12.2030', '1796428800'],
      'must be a date such as 2030-12-05',
    ],
    ['PETSTORE_ORDER_HOLD_SECONDS', ['0', '-5', '31536001', '1h'], 'must be an integer from 1 to 31536000'],
    ['PETSTORE_EVENT_DAYS', ['0', '36501', 'all'], 'must be an integer from 1 to 36500'],
    ['PETSTORE_WEBHOOK_ALLOW_PRIVATE', ['yes', '1', 'TRUE'], 'must be true or false'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', ['collector', 'ftp://a', 'http://a?key=b', 'http://a#b'], 'must be an http'],
    [
      'PETSTORE_TRUST_PROXY',
      ['proxy', '10.0.0.0/33', '10.0.0.1;10.0.0.2', '::/129'],
      'must be IP addresses or networks',
    ],
    ['PETSTORE_LOG_LEVEL', ['debug', 'INFO', 'off'], 'must be one of silent, error, warn, info'],
    [
      'PETSTORE_PUBLIC_URL',
      ['pets.example.org', 'ftp://x', 'https://x/?a=1', 'https://пет.example'],
      'must be an http or https URL',
    ],
  ];
  const cases = bad.flatMap(([name, values, words]) =>
    values.map((given): [Name, string, string] => [name, given, words]),
  );

  test.each(['x', 'x=', 'a b=c', 'x=☃', 'x=%E2%98%83', 'x=%0d%0aY:1', 'x=%', 'x=1,,y=2'])(
    'OTEL_EXPORTER_OTLP_HEADERS refuses %s, and the message does not repeat it',
    (given) => {
      expect(problemsOf({ OTEL_EXPORTER_OTLP_HEADERS: given })).toEqual([
        'OTEL_EXPORTER_OTLP_HEADERS must be name=value pairs in ASCII, separated by commas, with spaces as %20',
      ]);
    },
  );

  test.each(cases)('%s refuses %s', (name, given, words) => {
    const [problem = '', ...others] = problemsOf({ [name]: given });
    expect(problem).toStartWith(`${name} ${words}`);
    expect(problem).toEndWith(`, not ${JSON.stringify(given)}`);
    expect(others).toEqual([]);
  });

  const keys = ['short', 'x'.repeat(19), 'x'.repeat(201), 'with a space in the middle', 'ümlaut-in-the-admin-key'];
  test.each(keys)('PETSTORE_ADMIN_KEY refuses %s, and the message does not repeat it', (key) => {
    expect(problemsOf({ PETSTORE_ADMIN_KEY: key })).toEqual([
      'PETSTORE_ADMIN_KEY must be 20 to 200 visible ASCII characters',
    ]);
  });

  test.each([
    ['x'.repeat(20), 'has fewer than 10 different characters'],
    ['0123456789'.repeat(2), 'repeats one pattern'],
  ])('PETSTORE_ADMIN_KEY refuses the guessable %s, and the message gives the reason', (key, fault) => {
    expect(problemsOf({ PETSTORE_ADMIN_KEY: key })).toEqual([
      `PETSTORE_ADMIN_KEY can be guessed: it ${fault}; set random text, such as the output of \`openssl rand -base64 32\`, or unset it to get a generated key`,
    ]);
  });

  test('PETSTORE_PUBLIC_URL refuses a password, and the message does not repeat it', () => {
    expect(problemsOf({ PETSTORE_PUBLIC_URL: 'https://pets:hunter2@example.org' })).toEqual([
      'PETSTORE_PUBLIC_URL must not contain a user or password, because the URL is public',
    ]);
  });

  const misfits: [string, string, string][] = [
    ['production', 'ps_test_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17', 'A staging key does not work'],
    ['staging', 'ps_live_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17', 'A production key does not work'],
    ['production', 'ps_live_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq18', 'checksum does not match'],
  ];
  test.each(misfits)('PETSTORE_ADMIN_KEY refuses a key that cannot work on %s', (environment, key, words) => {
    const [problem = ''] = problemsOf({ PETSTORE_ENVIRONMENT: environment, PETSTORE_ADMIN_KEY: key });
    expect(problem).toContain(words);
    expect(problem).not.toContain('zQWB');
  });

  test('PETSTORE_REHEARSE_DATE is refused in production', () => {
    expect(problemsOf({ PETSTORE_REHEARSE_DATE: '2030-12-05' })).toEqual([
      'PETSTORE_REHEARSE_DATE is for staging only; unset it or set PETSTORE_ENVIRONMENT=staging',
    ]);
  });

  test('PETSTORE_READ_URL is refused without PostgreSQL or without Redis', () => {
    const standby = { PETSTORE_READ_URL: 'postgres://db2/pets' };
    const primary = { DATABASE_URL: 'postgres://db1/pets' };
    expect(problemsOf({ ...standby, REDIS_URL: 'redis://cache' })).toEqual([
      'PETSTORE_READ_URL works only with PostgreSQL; unset it or set DATABASE_URL=postgres://…',
    ]);
    expect(problemsOf({ ...standby, ...primary })).toEqual([
      'PETSTORE_READ_URL needs REDIS_URL, because Redis records which keys have just written; set REDIS_URL or unset PETSTORE_READ_URL',
    ]);
    expect(problemsOf({ ...standby, ...primary, REDIS_URL: 'redis://cache' })).toEqual([]);
  });

  test.each(['DATABASE_URL', 'REDIS_URL', 'PETSTORE_READ_URL'] as const)(
    '%s: the message does not repeat the password',
    (name) => {
      const [problem = ''] = problemsOf({ [name]: 'mysql://pets:hunter2@db.example.org/pets' });
      expect(problem).toStartWith(`${name} must be`);
      expect(problem).not.toContain('hunter2');
    },
  );

  test('is listed together with all others', () => {
    const problems = problemsOf({
      PORT: 'x',
      PETSTORE_LOG_LEVEL: 'x',
      PETSTORE_REHEARSE_DATE: '2030-12-05',
      REDIS_URL: 'localhost',
    });
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
      'PORT',
      'REDIS_URL',
      'PETSTORE_LOG_LEVEL',
      'PETSTORE_REHEARSE_DATE',
    ]);
  });

  test('does not make dependent settings look invalid', () => {
    const problems = problemsOf({ PETSTORE_ENVIRONMENT: 'stagging', PETSTORE_REHEARSE_DATE: '2030-12-05' });
    expect(problems).toEqual(['PETSTORE_ENVIRONMENT must be production or staging, not "stagging"']);
  });
});

describe('flags', () => {
  test('override variables, and variables override defaults', () => {
    const environment = { PORT: '1000', HOST: '0.0.0.0' };
    expect(readConfig(environment, { PORT: '2000' })).toMatchObject({ PORT: 2000, HOST: '0.0.0.0' });
  });

  test('are checked like variables', () => {
    expect(problemsOf({ PORT: '1000' }, { PORT: 'x' })).toEqual(['PORT must be an integer from 0 to 65535, not "x"']);
  });

  test('exist for every setting except secrets, and are named after it', () => {
    const flags = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, flagOf(name)]));
    expect(flags).toEqual({
      PORT: '--port',
      HOST: '--host',
      DATABASE_URL: '--database-url',
      REDIS_URL: '--redis-url',
      PETSTORE_READ_URL: '--read-url',
      PETSTORE_CREATE: '--create',
      PETSTORE_READ_ONLY: '--read-only',
      PETSTORE_BACKUP_BEFORE_MIGRATION: '--backup-before-migration',
      PETSTORE_DATABASE_TIMEOUT_MS: '--database-timeout-ms',
      PETSTORE_DATABASE_CONNECTIONS: '--database-connections',
      PETSTORE_DATABASE_PREPARE: '--database-prepare',
      PETSTORE_REDIS_TIMEOUT_MS: '--redis-timeout-ms',
      PETSTORE_ENVIRONMENT: '--environment',
      PETSTORE_ADMIN_KEY: undefined,
      PETSTORE_REHEARSE_DATE: '--rehearse-date',
      PETSTORE_ORDER_HOLD_SECONDS: '--order-hold-seconds',
      PETSTORE_EVENT_DAYS: '--event-days',
      PETSTORE_WEBHOOK_ALLOW_PRIVATE: '--webhook-allow-private',
      PETSTORE_SCAN_SECONDS: '--scan-seconds',
      PETSTORE_TRUST_PROXY: '--trust-proxy',
      PETSTORE_LOG_LEVEL: '--log-level',
      PETSTORE_PUBLIC_URL: '--public-url',
      PETSTORE_METRICS_PORT: '--metrics-port',
      OTEL_EXPORTER_OTLP_ENDPOINT: '--otel-exporter-otlp-endpoint',
      OTEL_EXPORTER_OTLP_HEADERS: undefined,
    });
  });
});

describe('the settings of the command line', () => {
  const addresses: [string, string][] = [
    ['', 'http://127.0.0.1:8080'],
    ['http://localhost:9000', 'http://localhost:9000'],
    ['https://pets.example.org/v1/', 'https://pets.example.org'],
  ];
  test.each(addresses)('PETSTORE_URL %p is the service at %s', (given, url) => {
    expect(readClientConfig({ PETSTORE_URL: given }).url).toBe(url);
  });

  test('prefer PETSTORE_API_KEY to PETSTORE_ADMIN_KEY, and an empty one counts as unset', () => {
    expect(readClientConfig({ PETSTORE_API_KEY: 'a', PETSTORE_ADMIN_KEY: 'b' }).key).toBe('a');
    expect(readClientConfig({ PETSTORE_API_KEY: '', PETSTORE_ADMIN_KEY: 'b' }).key).toBe('b');
    expect(readClientConfig({ PETSTORE_API_KEY: '' }).key).toBeUndefined();
  });
});

describe('the settings that operators see', () => {
  const shown = (environment: Record<string, string>, flags = {}) => readConfig(environment, flags).settings;
  const shownAs = (environment: Record<string, string>, name: Name) =>
    shown(environment).find((setting) => setting.name === name)?.value;

  test('have their value, and whether it was set by a variable or a flag', () => {
    const settings = shown({ PETSTORE_EVENT_DAYS: '30', HOST: '' }, { PORT: '0' });
    expect(settings.filter(({ source }) => source === 'set')).toEqual([
      { name: 'PORT', value: '0', source: 'set', secret: false },
      { name: 'PETSTORE_EVENT_DAYS', value: '30', source: 'set', secret: false },
    ]);
    expect(settings).toContainEqual({ name: 'HOST', value: '127.0.0.1', source: 'default', secret: false });
    expect(settings).toContainEqual({ name: 'REDIS_URL', value: null, source: 'default', secret: false });
  });

  test('show where a database is, without the user, the password and the options', () => {
    expect(shownAs({ DATABASE_URL: 'postgres://pets:hunter2@a:1,b:2/pets?sslmode=require' }, 'DATABASE_URL')).toBe(
      'postgres://a:1,b:2/pets',
    );
    expect(shownAs({ DATABASE_URL: 'sqlite:///data/p@ts?.db' }, 'DATABASE_URL')).toBe('sqlite:///data/p@ts?.db');
    expect(shownAs({ REDIS_URL: 'redis://cache:6379/1' }, 'REDIS_URL')).toBe('redis://cache:6379/1');
    expect(shownAs({ REDIS_URL: 'redis://:hunter2@cache' }, 'REDIS_URL')).toBe('redis://cache');
    expect(shownAs({ DATABASE_URL: 'postgres://pets:a@S3cr3t/b?c@host/pets' }, 'DATABASE_URL')).toBe('postgres://…');
  });

  test('never contain a secret, whatever characters it has', () => {
    const visible = fc.string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
      ...{ minLength: 20, maxLength: 20 },
    });
    const passwords = fc.tuple(visible, fc.boolean(), fc.nat(20)).map(([text, isEncoded, at]) => {
      const password = `${text.slice(0, at)}S3cr3t${text.slice(at)}`;
      return isEncoded ? encodeURIComponent(password) : password;
    });
    const shared = { DATABASE_URL: 'postgres://primary/pets', REDIS_URL: 'redis://cache' };
    const settings: [Name, (password: string) => string][] = [
      ['PETSTORE_ADMIN_KEY', (password) => password],
      ['OTEL_EXPORTER_OTLP_HEADERS', (password) => `token=${password}`],
      ['DATABASE_URL', (password) => `postgres://user:${password}@a:1,b:2/pets`],
      ['DATABASE_URL', (password) => `postgres://a/pets?password=${password}`],
      ['PETSTORE_READ_URL', (password) => `postgres://user:${password}@standby:1/pets`],
      ['REDIS_URL', (password) => `redis://:${password}@cache:1`],
      ['REDIS_URL', (password) => `redis://:${password}@a:1,redis://:${password}@b:1`],
      ['REDIS_URL', (password) => `redis+sentinel://:${password}@a:1,b:2/pets`],
    ];
    const accepted = settings.map(() => 0);
    const isHidden = (password: string) =>
      settings.forEach(([name, format], index) => {
        const environment = { ...shared, [name]: format(password) };
        if (problemsOf(environment).length > 0) return;
        accepted[index] = (accepted[index] ?? 0) + 1;
        expect(JSON.stringify(shown(environment))).not.toContain('S3cr3t');
      });
    fc.assert(fc.property(passwords, isHidden), { numRuns: 1000 });
    for (const count of accepted) expect(count).toBeGreaterThan(100);
  });
});
