import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_TERMINAL } from '../../test/no-terminal.ts';
import { CannotWrite } from '../output/terminal.ts';
import { findDestination, writeFile } from './output-file.ts';

let directory: string;
const place = (name: string) => join(directory, name);
const modeOf = (name: string) => statSync(place(name)).mode & 0o777;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const write = async (name: string, text = 'new') =>
  writeFile(await findDestination(place(name)), NO_TERMINAL, (print) => print(text));

describe('an output file', () => {
  test('is complete, and readable only by its owner', async () => {
    await write('pets.csv');
    expect([readFileSync(place('pets.csv'), 'utf8'), modeOf('pets.csv')]).toEqual(['new', 0o600]);
    expect(readdirSync(directory)).toEqual(['pets.csv']);
  });

  test('keeps the mode of the file that it replaces', async () => {
    writeFileSync(place('pets.csv'), 'old');
    chmodSync(place('pets.csv'), 0o644);
    await write('pets.csv');
    expect([readFileSync(place('pets.csv'), 'utf8'), modeOf('pets.csv')]).toEqual(['new', 0o644]);
  });

  test('is synced once, before it gets its name', async () => {
    const handle = await open(place('other'), 'w');
    const sync = spyOn(Object.getPrototypeOf(handle), 'sync');
    await handle.close();
    let atSync: string[] = [];
    sync.mockImplementation(async () => {
      atSync = readdirSync(directory).sort();
    });
    await write('pets.csv');
    expect(sync).toHaveBeenCalledTimes(1);
    expect(atSync).toEqual(['other', `pets.csv.${process.pid}.part`]);
    sync.mockRestore();
  });

  test('keeps the old contents if the export fails, and leaves no other file', async () => {
    writeFileSync(place('pets.csv'), 'old');
    const failing = writeFile(await findDestination(place('pets.csv')), NO_TERMINAL, async (print) => {
      await print('half');
      throw new CannotWrite('it', new Error('full'));
    });
    expect(await failing.catch((error: Error) => error)).toBeInstanceOf(CannotWrite);
    expect(readFileSync(place('pets.csv'), 'utf8')).toBe('old');
    expect(readdirSync(directory)).toEqual(['pets.csv']);
  });

  test('is the target of a link, which stays a link', async () => {
    mkdirSync(place('elsewhere'));
    symlinkSync('elsewhere/pets.csv', place('link.csv'));
    await write('link.csv', 'one');
    await write('link.csv', 'two');
    expect(readFileSync(place('elsewhere/pets.csv'), 'utf8')).toBe('two');
    expect(
      readdirSync(directory, { withFileTypes: true })
        .find(({ name }) => name === 'link.csv')
        ?.isSymbolicLink(),
    ).toBe(true);
  });
});

describe('the destination', () => {
  test('counts as taken only if contents would be lost', async () => {
    writeFileSync(place('empty'), '');
    writeFileSync(place('full'), 'old');
    const taken = await Promise.all(['missing', 'empty', 'full'].map((name) => findDestination(place(name))));
    expect(taken.map(({ isTaken }) => isTaken)).toEqual([false, false, true]);
  });

  test('is a stream if it is a device, or a file that the shell has opened', async () => {
    const file = await open(place('opened'), 'w');
    const paths = ['/dev/null', `/dev/fd/${file.fd}`, place('opened')];
    const found = await Promise.all(paths.map(findDestination));
    await file.close();
    expect(found.map(({ isStream }) => isStream)).toEqual([true, true, false]);
    expect(found.map(({ path }) => path)).toEqual(paths);
  });

  test('is refused if it is a folder', async () => {
    expect(await findDestination(directory).catch(({ message }: Error) => message)).toBe(
      `--output: cannot write ${directory}: it is a folder`,
    );
  });
});
