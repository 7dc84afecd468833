import { afterEach, beforeEach, expect, test } from 'bun:test';
import { constants, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFile, removeWithJournal, writeWhole } from './files.ts';

let directory: string;
const place = (name: string) => join(directory, name);
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test('a write fails if only part of it is accepted', () => {
  // A pipe without a reader accepts only 64 KiB, like a disk with little space left.
  expect(Bun.spawnSync(['mkfifo', place('pipe')]).exitCode).toBe(0);
  using pipe = openFile(place('pipe'), constants.O_RDWR | constants.O_NONBLOCK);
  expect(() => writeWhole(pipe.fd, new Uint8Array(1_000_000))).toThrow('the disk accepted only 65536 of 1000000 bytes');
  using file = openFile(place('file'), 'w');
  writeWhole(file.fd, new Uint8Array(1_000_000));
  expect(readFileSync(place('file'))).toHaveLength(1_000_000);
});

test('removing an unfinished copy also removes its journal, and nothing else', () => {
  for (const name of ['a.copying', 'a.copying-journal', 'a.copying-2']) writeFileSync(place(name), '');
  removeWithJournal(place('a.copying'));
  removeWithJournal(place('a.copying'));
  expect(readdirSync(directory)).toEqual(['a.copying-2']);
});
