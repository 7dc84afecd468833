import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, readDocument } from './documents.ts';

const page = readDocument('SECURITY.md');

const ROWS = page.split(/^### /m).slice(1);
const NAMED = /^- `([^`]+)`: "(.+)"$/gm;

const namedIn = (text: string) => [...text.matchAll(NAMED)].map(([, path = '', sentence = '']) => ({ path, sentence }));

const fits = (template: string, sentence: string): boolean => {
  const fixed = template.split(/\$\{[^}]*\}/).map(RegExp.escape);
  return fixed.join('').length > 20 && new RegExp(`^${fixed.join('.+')}$`).test(sentence);
};

const states = (path: string, sentence: string): boolean => {
  if (!existsSync(join(ROOT, path))) return false;
  const source = readDocument(path).replaceAll("\\'", "'");
  if ([`'${sentence}'`, `"${sentence}"`].some((quoted) => source.includes(quoted))) return true;
  return [...source.matchAll(/`([^`\n]+)`/g)].some(([, template = '']) => fits(template, sentence));
};

describe('the security page', () => {
  test('names only tests that exist, each by its file and full title', () => {
    const missing = namedIn(page).filter(({ path, sentence }) => !states(path, sentence));
    expect(missing).toEqual([]);
  });

  test('names only files that contain tests or proofs', () => {
    expect(namedIn(page).length).toBeGreaterThan(30);
    for (const { path } of namedIn(page))
      expect(path).toMatch(/^(src|cli|client|test|prove)\/.+\.(test|suite|prove)\.ts$/);
  });

  test('has the ten sections of the OWASP API Security Top 10, each with at least three named tests', () => {
    expect(ROWS.map((row) => row.slice(0, row.indexOf(':')))).toEqual(
      Array.from({ length: 10 }, (_, at) => `API${at + 1}`),
    );
    for (const row of ROWS) {
      const items = row.match(/^- /gm) ?? [];
      expect(namedIn(row)).toHaveLength(items.length);
      expect(items.length).toBeGreaterThan(2);
    }
  });
});
