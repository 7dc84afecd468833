import { fstatSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { BadUsage } from '../args/read-arguments.ts';
import { FILES } from '../messages.ts';
import { CannotWrite, type Terminal } from '../output/terminal.ts';

const { constants, open, readlink, realpath, rename, rm, stat } = process.getBuiltinModule('node:fs/promises');

const PRIVATE = 0o600;

const orMissing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error;
};

const follow = async (file: string): Promise<string> => {
  const path = await realpath(file).catch(orMissing);
  if (path !== undefined) return path;
  const link = await readlink(file).catch(() => undefined);
  return link === undefined ? file : follow(resolve(dirname(file), link));
};

/** The shell may already have opened these files. The command must write to the open file instead of replacing it. */
const OPENED = /^\/(dev\/(stdout|stderr|fd\/\d+)|proc\/\w+\/fd\/\d+)$/;

const STANDARD_ERROR = 2;

const isSameFile = (one: { dev: number; ino: number }, other: { dev: number; ino: number }): boolean =>
  one.dev === other.dev && one.ino === other.ino;

export const findDestination = async (file: string) => {
  try {
    const found = await stat(file).catch(orMissing);
    if (found?.isDirectory()) throw Object.assign(new Error('EISDIR'), { code: 'EISDIR' });
    const isStream = found !== undefined && (!found.isFile() || OPENED.test(resolve(file)));
    return {
      file,
      path: isStream ? file : await follow(file),
      isStream,
      isStandardError: isStream && isSameFile(found, fstatSync(STANDARD_ERROR)),
      isTaken: !isStream && found !== undefined && found.size > 0,
      mode: found ? found.mode & 0o777 : PRIVATE,
    };
  } catch (error) {
    throw new BadUsage(`--output: ${FILES.cannotWrite(file, error)}`);
  }
};

export type Destination = Awaited<ReturnType<typeof findDestination>>;

export type Write = (print: Terminal['print']) => Promise<void>;

/** Writes a temporary file and renames it at the end, so that readers never see a partial file. */
export const writeFile = async (
  { file, path, isStream, mode }: Destination,
  { onInterrupt, showProgress }: Pick<Terminal, 'onInterrupt' | 'showProgress'>,
  write: Write,
): Promise<void> => {
  const partial = isStream ? path : `${path}.${process.pid}.part`;
  const flags = isStream ? constants.O_WRONLY | constants.O_APPEND : 'w';
  const output = await open(partial, flags, PRIVATE).catch((error: NodeJS.ErrnoException) => {
    throw new BadUsage(`--output: ${FILES.cannotWrite(isStream ? file : partial, error)}`);
  });
  const isOver = onInterrupt(() => {
    if (!isStream) rmSync(partial);
    showProgress('');
    return undefined;
  });
  const orFail = (error: unknown): never => {
    throw new CannotWrite(file, error);
  };
  let isWhole = false;
  try {
    await write((text) => output.appendFile(text).catch(orFail));
    if (!isStream) await output.chmod(mode).then(() => output.sync().catch(orFail));
    isWhole = true;
  } finally {
    await output.close();
    if (!isStream && isWhole) await rename(partial, path).catch(orFail);
    else if (!isStream) await rm(partial);
    isOver();
  }
};
