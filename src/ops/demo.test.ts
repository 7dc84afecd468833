import { expect, test } from 'bun:test';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { openSqliteFile } from '../storage/sqlite/open.ts';
import { readDemoConfig, replaceDemoFile } from './demo.ts';

test('a demo that is recreated 40 times still has a short path, and leaves no earlier files', () => {
  const pathOf = ({ DATABASE_URL: place }: ReturnType<typeof readDemoConfig>) =>
    place.engine === 'sqlite' ? place.path : '';
  let config = readDemoConfig({}, {});
  const first = pathOf(config);
  let times = 0;
  for (; times < 40; times += 1) {
    openSqliteFile(pathOf(config), 'staging').close();
    config = replaceDemoFile(config);
  }
  expect([times, pathOf(config).length]).toEqual([40, first.length]);
  expect(existsSync(first)).toBeFalse();
  const folder = dirname(dirname(first));
  expect(readdirSync(folder)).toHaveLength(1);
  // The demo deletes its folder on the `exit` event, but the test runner exits without emitting that event.
  rmSync(folder, { recursive: true });
});
