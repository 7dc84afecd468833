import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BadUsage } from '../cli/args/read-arguments.ts';
import { BadConfig, flagOf, readClientConfig, readConfig, VARIABLES } from './config.ts';

type Name = keyof typeof VARIABLES;

const problemsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof BadConfig) return error.problems;
    throw error;
  }
};

describe('a variable that starts with PETSTORE_', () => {
  const guesses: [string, string | undefined][] = [
    ['PETSTORE_LOG_LEVLE', 'PETSTORE_LOG_LEVEL'],
    ['PETSTORE_EVENT_DAY', 'PETSTORE_EVENT_DAYS'],
    ['PETSTORE_ADMIN_KEY_FIEL', 'PETSTORE_ADMIN_KEY_FILE'],
    ['PETSTORE_API_KYE', 'PETSTORE_API_KEY'],
    ['PETSTORE_PORT', 'PORT'],
    ['PETSTORE_DATABASE_URL', 'DATABASE_URL'],
    ['PETSTORE_log_level', 'PETSTORE_LOG_LEVEL'],
    ['PETSTORE_NONSENSE', undefined],
  ];
  test.each(guesses)('and is unknown is refused: %s suggests %p', (name, meant) => {
    const advice = meant ? `did you mean ${meant}?` : 'unset it, or see docs/config.md';
    expect(problemsOf({ [name]: '1', PORT: 'x' })).toEqual([
      `${name} is not a setting; ${advice}`,
      'PORT must be an integer from 0 to 65535, not "x"',
    ]);
  });

  const harmless: Record<string, string> = {
    PETSTORE_URL: 'http://127.0.0.1:8080',
    PETSTORE_API_KEY: 'x',
    PETSTORE_PROFILE: 'work',
    PETSTORE_WEBHOOK_SECRET: 'x',
    PETSTORE_COMMIT: 'abc',
    PETSTORE_EMPTY: '',
    PETSTOREX: '1',
    // Kubernetes sets variables like these in every pod if services named `petstore` and `petstore-web` exist.
    PETSTORE_SERVICE_HOST: '10.0.0.1',
    PETSTORE_SERVICE_PORT: '80',
    PETSTORE_SERVICE_PORT_HTTP: '80',
    PETSTORE_PORT: 'tcp://10.0.0.1:80',
    PETSTORE_PORT_80_TCP: 'tcp://10.0.0.1:80',
    PETSTORE_PORT_80_TCP_PROTO: 'tcp',
    PETSTORE_WEB_SERVICE_HOST: '10.0.0.2',
  };
  test('is accepted if it is for the command line, empty or set by Kubernetes', () => {
    expect(problemsOf(harmless)).toEqual([]);
  });
});

describe('a secret in a file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  const fileWith = (text: string): string => {
    const file = join(directory, `${Bun.hash(text)}`);
    writeFileSync(file, text);
    return file;
  };

  const secrets: [Name, string, unknown][] = [
    ['PETSTORE_ADMIN_KEY', 'abcdefghijklmnopqrst', 'abcdefghijklmnopqrst'],
    ['DATABASE_URL', 'postgres://u:p@h/d', { engine: 'postgres', url: 'postgres://u:p@h/d' }],
    ['REDIS_URL', 'redis://:pw@cache:6379', { nodes: [{ host: 'cache', port: 6379 }], db: 0, password: 'pw' }],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=b', { a: 'b' }],
  ];
  test.each(secrets)('is read for %s, without the line break at its end', (name, text, value) => {
    for (const end of ['', '\n', '\r\n'])
      expect(readConfig({ [`${name}_FILE`]: fileWith(`${text}${end}`) })[name]).toEqual(value as never);
  });

  test('is possible for every setting that has no flag', () => {
    const without = Object.keys(VARIABLES).filter((name) => flagOf(name) === undefined);
    expect(without.filter((name) => !secrets.some(([secret]) => secret === name))).toEqual([]);
  });

  test.each(secrets)('is refused if the variable itself is also set: %s', (name, text) => {
    expect(problemsOf({ [name]: text, [`${name}_FILE`]: fileWith(text) })).toEqual([
      `${name} and ${name}_FILE are both set; unset one of them`,
    ]);
  });

  test('is refused if the file is missing, a folder or empty, together with other faults', () => {
    expect(
      problemsOf({
        PORT: 'x',
        DATABASE_URL_FILE: join(directory, 'missing'),
        REDIS_URL_FILE: directory,
        PETSTORE_ADMIN_KEY_FILE: fileWith('\n'),
      }),
    ).toEqual([
      'PORT must be an integer from 0 to 65535, not "x"',
      expect.stringMatching(/^DATABASE_URL_FILE cannot be read: ENOENT.*missing/),
      expect.stringMatching(/^REDIS_URL_FILE cannot be read: EISDIR/),
      expect.stringMatching(/^PETSTORE_ADMIN_KEY_FILE names an empty file: /),
    ]);
  });

  test('is never repeated, even if it is invalid', () => {
    const [problem, ...others] = problemsOf({ DATABASE_URL_FILE: fileWith('hunter2') });
    expect(others).toEqual([]);
    expect(problem).toStartWith('DATABASE_URL must be sqlite:<file path> or');
    expect(problem).not.toContain('hunter2');
  });

  test('is overridden by a flag', () => {
    const { DATABASE_URL } = readConfig(
      { DATABASE_URL_FILE: fileWith('sqlite:a.db') },
      { DATABASE_URL: 'sqlite:b.db' },
    );
    expect(DATABASE_URL).toEqual({ engine: 'sqlite', path: 'b.db' });
  });

  test('works for the keys of the command line', () => {
    expect(readClientConfig({ PETSTORE_API_KEY_FILE: fileWith('a\n'), PETSTORE_ADMIN_KEY: 'b' }).key).toBe('a');
    expect(readClientConfig({ PETSTORE_ADMIN_KEY_FILE: fileWith('b\n') }).key).toBe('b');
    expect(() => readClientConfig({ PETSTORE_API_KEY_FILE: join(directory, 'missing') })).toThrow(BadUsage);
  });
});

describe('an unknown variable', () => {
  test.each([
    ['PETSTORE_URLL', 'PETSTORE_URL'],
    ['PETSTORE_API_KEYS', 'PETSTORE_API_KEY'],
    ['PETSTORE_ADMIN_KYE', 'PETSTORE_ADMIN_KEY'],
  ])('is refused by the command line if misspelled: %s', (given, meant) => {
    const problem = `${given} is not a setting; did you mean ${meant}?`;
    expect(() => readClientConfig({ [given]: 'x' })).toThrow(new BadUsage(problem));
  });

  test.each(['PETSTORE_LOG_LEVEL', 'PETSTORE_ADMIN_KEY', 'PETSTORE_SETTING_OF_A_NEWER_SERVICE', 'PETSTORE_EVENT_DAY'])(
    'is accepted by the command line if it may be a setting of the service: %s',
    (name) => {
      expect(readClientConfig({ [name]: 'x', PETSTORE_URL: 'http://a' }).url).toBe('http://a');
    },
  );
});
