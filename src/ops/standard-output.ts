import { fstatSync, write } from 'node:fs';
import type { Sink } from './log.ts';

const STANDARD_OUTPUT = 1;
const RETRY_MS = 20;

/** To ask the stream itself whether it is a terminal makes it first, which takes 15 ms: nothing but a device can be one. */
export const isTerminal = (): boolean => fstatSync(STANDARD_OUTPUT).isCharacterDevice() && process.stdout.isTTY;

const writeSome = (bytes: Uint8Array): Promise<number> =>
  new Promise((resolve, reject) => {
    write(STANDARD_OUTPUT, bytes, 0, bytes.length, null, (error, written) =>
      error ? reject(error) : resolve(written),
    );
  });

/** Standard output, off the event loop: a pipe that is full keeps this promise waiting and nothing else. */
export const standardOutput: Sink = async (lines) => {
  let rest: Uint8Array = lines;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(await writeSome(rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
};
