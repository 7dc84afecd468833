import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BadUsage } from '../args/read-arguments.ts';
import { suggest } from '../args/suggest.ts';
import { ARGUMENTS, FILES } from '../messages.ts';
import { CannotWrite, type Terminal } from '../output/terminal.ts';
import { FORMATS, type Format } from '../rows/pet-rows.ts';
import { decode } from '../rows/text-chunks.ts';

const { open } = process.getBuiltinModule('node:fs/promises');

/** Saves standard input to a file, because the import reads its input twice, and the input may not fit into memory. */
const keepInput = async (terminal: Terminal, path: string): Promise<void> => {
  await using file = await open(path, 'wx', 0o600);
  for await (const bytes of terminal.input()) {
    await file.appendFile(bytes).catch((error) => {
      throw new CannotWrite(path, error);
    });
  }
};

const CHUNK_BYTES = 256 * 1024;

export async function* readChunks(path: string, seen: (bytes: Uint8Array) => void): AsyncGenerator<string, void> {
  const read = async function* () {
    for await (const bytes of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
      seen(bytes);
      yield bytes as Uint8Array;
    }
  };
  yield* decode(read());
}

const START_BYTES = 64;

const readStart = async (path: string): Promise<string> => {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0);
  return buffer.toString('utf8', 0, bytesRead);
};

export const withFile = async <Result>(
  file: string,
  terminal: Terminal,
  use: (path: string, start: string) => Promise<Result>,
): Promise<Result> => {
  const directory = file === '-' ? mkdtempSync(join(tmpdir(), 'petstore-import-')) : undefined;
  const path = directory ? join(directory, 'rows') : file;
  const clear = (): undefined => {
    if (directory) rmSync(directory, { recursive: true });
  };
  const isOver = terminal.onInterrupt(clear);
  try {
    if (directory) await keepInput(terminal, path);
    return await use(path, await readStart(path));
  } catch (error) {
    // An error without a `path` property, such as the one for a directory, concerns the file that the user named.
    const { code = '', path: failed = path } = error as NodeJS.ErrnoException;
    if (failed !== path || code === '') throw error;
    throw new BadUsage(FILES.cannotRead(file, error), 'petstore pets import --help');
  } finally {
    isOver();
    clear();
  }
};

export const chooseFormat = (given: string | undefined, otherwise: () => Format): Format => {
  if (given === undefined) return otherwise();
  const format = FORMATS.find((one) => one === given);
  if (format) return format;
  throw new BadUsage(ARGUMENTS.unknownFormat(FORMATS, suggest(given, FORMATS)));
};
