import { fstatSync, readFileSync, write, writeSync } from 'node:fs';
import { createPaint, type Paint, type Style } from '../../cli/output/paint.ts';
import { formatJson } from '../kernel/log.ts';
import { once, sleep, tryTo } from '../kernel/runtime.ts';
import type { Sink } from './log.ts';

const [STANDARD_OUTPUT, STANDARD_ERROR] = [1, 2];
const RETRY_MS = 20;

const mayBeTerminal = (descriptor: number): boolean =>
  process.platform === 'win32' || fstatSync(descriptor).isCharacterDevice();

/** Accessing `process[name]` creates a stream, which takes 15 ms, so `mayBeTerminal` is checked first. */
export const isTerminal = (name: 'stdout' | 'stderr' = 'stdout'): boolean =>
  mayBeTerminal(name === 'stdout' ? STANDARD_OUTPUT : STANDARD_ERROR) && Boolean(process[name].isTTY);

const O_CLOEXEC = 0o2000000;

// If a standard stream was closed when the process started, for example by `>&-`, the runtime opens `/dev/null` in its
// place. Only descriptors that the runtime itself opened have the flag `O_CLOEXEC`.
const wasClosed = (descriptor: number): boolean => {
  if (process.platform !== 'linux') return false;
  const info = tryTo(() => readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? '';
  const [, flags = '0'] = /^flags:\s*([0-7]+)$/m.exec(info) ?? [];
  return (Number.parseInt(flags, 8) & O_CLOEXEC) !== 0;
};
const isOutputClosed = once(() => wasClosed(STANDARD_OUTPUT));
const isErrorClosed = once(() => wasClosed(STANDARD_ERROR));

const writeSome = (bytes: Uint8Array): Promise<number> =>
  new Promise((resolve, reject) => {
    write(STANDARD_OUTPUT, bytes, 0, bytes.length, null, (error, written) =>
      error ? reject(error) : resolve(written),
    );
  });

/** Writes in another thread, because writing to a full pipe would block the event loop. */
export const standardOutput: Sink = async (lines) => {
  if (isOutputClosed()) throw Object.assign(new Error('standard output is closed'), { code: 'EBADF' });
  let rest: Uint8Array = lines;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(await writeSome(rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      await sleep(RETRY_MS);
    }
  }
};

export const standardError = (text: string): boolean => {
  if (isErrorClosed()) return false;
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(STANDARD_ERROR, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return false;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
  return true;
};

type Line = { time: string; level: string; event: string } & Record<string, unknown>;

const plain = (value: unknown): string => {
  const spelled = formatJson(value);
  return typeof value === 'string' ? spelled.slice(1, -1) : spelled;
};

const styleOf = (status: number): Style => (status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good');

const showRequest = ({ status, method, path, durationMs, operation = '', keyId = '' }: Line, paint: Paint): string =>
  [
    paint(styleOf(Number(status)), plain(status)),
    plain(method).padEnd(6),
    plain(path),
    paint('dim', [plain(operation), `${Number(durationMs).toFixed(1)} ms`, plain(keyId)].filter(Boolean).join('  ')),
  ].join('  ');

const showOther = ({ time: _, level, event, ...fields }: Line, paint: Paint): string => {
  const shown = Object.entries(fields).map(([name, value]) => `${name}: ${plain(value)}`);
  return [paint(({ error: 'bad', warn: 'warn' } as const)[level] ?? 'good', event), ...shown].join('  ');
};

/** @internal */
export const readableLine = (json: string, hasColours: boolean): string => {
  const line = JSON.parse(json) as Line;
  const paint = createPaint(hasColours);
  const rest = line.event === 'request' ? showRequest(line, paint) : showOther(line, paint);
  return `${paint('dim', line.time.slice(11, 19))}  ${rest}`;
};

export const createReadableSink =
  (sink: Sink, hasColours: boolean): Sink =>
  (lines) => {
    const shown = String(lines)
      .split('\n')
      .filter(Boolean)
      .map((line) => `${readableLine(line, hasColours)}\n`);
    return sink(Buffer.from(shown.join('')));
  };
