import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { passagesOf } from '../../check/prose/source.ts';
import { ROOT } from '../../check/root.ts';
import { AREAS } from './areas.ts';
import { EQUIVALENTS } from './equivalents.ts';
import { choose, findMutants, isAbout } from './judge-mutants.ts';
import { type Mutant, mutantsOf } from './mutate.ts';
import { OUTSIDE } from './outside/outside.ts';
import { WEAKENINGS } from './weakenings.ts';

const changesOf = (source: string, file = 'src/rule.ts') => mutantsOf(file, source).map(({ change }) => change);

describe('a mutant', () => {
  test.each([
    ['a comparison', 'const f = (a, b) => a < b;', ['< → <=']],
    ['an equality', 'const f = (a, b) => a === b;', ['=== → !==']],
    ['a conjunction', 'const f = (a, b) => a && b;', ['&& → ||']],
    ['an arithmetic operator', 'const f = (a, b) => a - b;', ['- → +']],
    ['a negation', 'const f = (a) => !a;', ['! → nothing']],
    ['a guard', 'if (late) throw late;', ['late → false']],
    ['a conditional expression', 'const f = (a) => (a ? b : c);', ['a → !(a)']],
    ['a statement', 'save(a);', ['without save(a);']],
    ['a constant', 'const LIMIT = 60;', ['60 → 61']],
    ['a large constant', 'const ID = 7n;', ['7n → 8n']],
    ['a boolean', 'const isOn = true;', ['true → false']],
    ['a code', `throw new Failure('not_found', 'There is none.');`, [`'not_found' → 'mutant'`]],
    ['a method that has an opposite', 'const f = (a, b) => Math.max(a, b);', ['max → min']],
  ])('changes %s', (_, source, changes) => {
    expect(changesOf(source)).toEqual(changes);
  });

  test.each([
    ['types', `type State = 'on' | 'off'; const state = a as 1;`],
    ['imports', `import { a } from './a.ts';`],
    ['text for people', `const a = 'This is for people.';`],
    ['schema metadata', `const a = z.meta({ id: 'one', maximum: 5 });`],
    ['concatenated text', `const a = 'for ' + c;`],
  ])('does not change %s', (_, source) => {
    expect(changesOf(source)).toEqual([]);
  });

  test.each([
    ['a bound', 'c <= $2', ['c <= $2 → $2 = $2', '<= → <']],
    ['a conjunction', 'c = $2 AND d IS NULL', ['c = $2 → $2 = $2', 'AND → OR', 'IS NULL → IS NOT NULL']],
    ['a fixed value', "w.state <> 'removing'", ["w.state <> 'removing' → 'removing' = 'removing'"]],
    ['a pattern', 'NOT (c LIKE $2)', ['NOT ( → (']],
  ])('changes conditions of SQL statements: %s', (_, condition, changes) => {
    const source = `run("SELECT a FROM b WHERE ${condition} ORDER BY c", []);`;
    expect(changesOf(source, 'src/a.sql.ts').slice(1)).toEqual(changes);
    expect(changesOf(source)).toHaveLength(1);
  });

  test.each([
    ['a value that is set', "'UPDATE a SET b = $1, c = NULL WHERE d = $2'", ['c = NULL → c = c', 'd = $2 → $2 = $2']],
    [
      'an insert that ignores conflicts',
      "'INSERT INTO a VALUES ($1) ON CONFLICT DO NOTHING'",
      ['ON CONFLICT DO NOTHING → nothing'],
    ],
    [
      'an insert that updates on conflict',
      "'INSERT INTO a VALUES ($1) ON CONFLICT (b) DO UPDATE SET b = excluded.b RETURNING b'",
      ['DO UPDATE SET b = excluded.b → DO NOTHING'],
    ],
    ['a separate condition', "'k.id = $1'", ['k.id = $1 → $1 = $1']],
    ['a lock', 'sql.lockRows', ["sql.lockRows → ''"]],
    [
      'a condition of a page',
      'pageOf({ equal: { store_id: storeId, status } })',
      ['store_id: storeId → store_id: undefined', 'status → status: undefined'],
    ],
  ])('changes %s', (_, expression, changes) => {
    expect(changesOf(`const a = ${expression};`, 'src/a.sql.ts')).toEqual(changes);
  });

  test('changes the Redis script', () => {
    const lines = ['', 'if used + cost > 0 and not isBanned() then return nil end', '  used = used + cost', ''];
    expect(changesOf(`const SCRIPT = \`${lines.join('\n')}\`;`, 'src/script.redis.ts')).toEqual([
      'used + cost > 0 and not isBanned() → false',
      '+ → -',
      '> → >=',
      '0 → 1',
      'and → or',
      'not → nothing',
      'used = used + cost → nothing',
      '+ → -',
    ]);
  });

  test('changes a comparison once', () => {
    expect(changesOf('const a = b.sort((c, d) => (c < d ? -1 : 1));')).toEqual(['c < d → !(c < d)']);
  });

  test('is one change at one place, with its line number', () => {
    const [mutant, ...others] = mutantsOf('src/rule.ts', '// A rule.\nconst isLate = (now) => now >= end;\n');
    expect(others).toEqual([]);
    expect(mutant).toEqual({
      file: 'src/rule.ts',
      line: 2,
      on: 'const isLate = (now) => now >= end;',
      change: '>= → >',
      nth: 1,
      text: '// A rule.\nconst isLate = (now) => now > end;\n',
    });
  });
});

test('identical mutants have different numbers', () => {
  const alike = mutantsOf('src/rule.ts', 'end();\nbegin();\nend();\n').filter(({ on }) => on === 'end();');
  expect(alike.map(({ line, nth }) => [line, nth])).toEqual([
    [1, 1],
    [3, 2],
  ]);
});

describe('a sample', () => {
  const items = Array.from({ length: 100 }, (_, index) => index);

  test('is the same for the same seed, differs for other seeds, and has no duplicates', () => {
    expect(choose(items, 10, 1)).toEqual(choose(items, 10, 1));
    expect(choose(items, 10, 1)).not.toEqual(choose(items, 10, 2));
    for (const seed of items) expect(new Set(choose(items, 10, seed)).size).toBe(10);
  });

  test('that is larger than the list has all mutants', () => {
    expect(choose(items, 101, 1)).toEqual(items);
  });
});

describe('the hand-written list', () => {
  const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
  const known = new Map<string, Mutant[]>();
  const mutantsIn = (file: string): Mutant[] => {
    const mutants = known.get(file) ?? mutantsOf(file, read(file));
    known.set(file, mutants);
    return mutants;
  };

  test('names files and tests that exist', () => {
    const named = Object.values(AREAS).flatMap((rules) => Object.entries(rules).flat(2));
    const outside = Object.values(OUTSIDE).flatMap((area) => area.flatMap(({ file, tests }) => [file, ...tests]));
    expect(outside.length).toBeGreaterThan(100);
    expect([...named, ...outside].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('breaks at least 350 rules outside the server, each once and by a change that still parses', () => {
    const byHand = Object.values(OUTSIDE).flat();
    const named = new Set(byHand.flatMap(({ file, changes }) => changes.map(([breaks]) => `${file}: ${breaks}`)));
    const broken = Object.keys(OUTSIDE)
      .flatMap(findMutants)
      .filter(({ mutant: { file, change } }) => named.has(`${file}: ${change}`));
    expect(broken).toHaveLength(byHand.reduce((sum, { changes }) => sum + changes.length, 0));
    expect(broken.length).toBeGreaterThanOrEqual(350);
    expect(new Set(broken.map(({ mutant: { file, change } }) => `${file}: ${change}`)).size).toBe(broken.length);
    const unparsed = broken.filter(({ mutant: { file, text } }) => parseSync(file, text).errors.length > 0);
    expect(unparsed.map(({ mutant: { file, change } }) => `${file}: ${change}`)).toEqual([]);
    expect(broken.filter(({ files }) => files.length === 0)).toEqual([]);
  });

  test('has at least 1,500 mutants', () => {
    const files = Object.values(AREAS).flatMap((rules) => Object.keys(rules));
    const count = files.flatMap(mutantsIn).length;
    expect(count - EQUIVALENTS.length).toBeGreaterThanOrEqual(1500);
  });

  test.each(EQUIVALENTS.map((one) => [`${one.file}: ${one.change}`, one] as const))(
    'excuses a mutant that exists: %s',
    (_, equivalent) => {
      expect(mutantsIn(equivalent.file).filter((mutant) => isAbout(mutant, equivalent))).toHaveLength(1);
    },
  );

  test.each(WEAKENINGS.map((one) => [one.name, one] as const))(
    'weakens a text that occurs once in its file: %s',
    (_, { file, before }) => {
      expect(read(file).split(before)).toHaveLength(2);
    },
  );

  const patternOf = (title: string): RegExp => {
    const parts = title.split(/\{…\}|%[a-z]|\$[\w.]+/);
    return new RegExp(`${parts.map((part) => RegExp.escape(part)).join('.*')}$`);
  };

  test.each(WEAKENINGS.map((one) => [one.name, one] as const))(
    'names a test that exists for the weakening: %s',
    (_, { caughtBy: { file, named } }) => {
      const texts = passagesOf(file, read(file)).filter(({ kind }) => kind !== 'comment');
      const titles = texts.map(({ parts }) => parts.map(({ text }) => text).join(''));
      expect(titles.some((title) => title.endsWith(named) || patternOf(title).test(named))).toBe(true);
    },
  );
});
