import {
  type JsonFields,
  LOG_LEVELS,
  type Log,
  type LogLevel,
  type Severity,
  spellJson,
  type Write,
} from '../kernel/log.ts';
import { createSecretMask, type SecretMask } from '../kernel/secret-mask.ts';

/** Takes some lines and resolves when they are written, however long the reader makes it wait. The bytes are used again then. */
export type Sink = (lines: Buffer) => Promise<void>;

/** Bytes that wait for a slow reader. Beyond this, lines are dropped and counted: logging delays no request. */
const MOST_WAITING_BYTES = 1024 * 1024;
/** A character takes no more bytes than this. */
const LONGEST_CHARACTER_BYTES = 3;
const BATCH_MS = 50;
const FLUSH_MS = 1000;

/**
 * One JSON line per event, in batches, to a sink that may be slow. Lines are put into bytes at once: kept as text until
 * they are written, they would cost the collector more than everything else about them. A caller may put a key where none belongs, in a path
 * or in a request id of its own: it is not kept.
 */
export const createLog = (
  level: LogLevel,
  sink: Sink,
  now: () => number,
  { mayHoldSecret, mask }: SecretMask = createSecretMask(),
): Log => {
  // Many lines share their instant, and spelling it costs more than the rest of a line.
  let instant = Number.NaN;
  let timestamp = '';
  let waiting = Buffer.allocUnsafe(MOST_WAITING_BYTES);
  let waitingSize = 0;
  /** Filled while the other is written; then they change places. */
  let spare = Buffer.allocUnsafe(MOST_WAITING_BYTES);
  let waitingLines = 0;
  let dropped = 0;
  let writing: Promise<void> | undefined;

  const spell = (severity: Severity, event: string, fields: object | JsonFields): string => {
    const at = now();
    if (at !== instant) [instant, timestamp] = [at, new Date(at).toISOString()];
    const rest = typeof fields === 'string' ? fields : spellJson(fields).slice(1, -1);
    return `{"time":"${timestamp}","level":"${severity}","event":"${event}"${rest === '' ? '' : ','}${rest}}\n`;
  };

  const writeBatch = async (): Promise<void> => {
    const [lines, count, lost] = [waiting.subarray(0, waitingSize), waitingLines, dropped];
    [waiting, spare] = [spare, waiting];
    waitingSize = 0;
    waitingLines = 0;
    dropped = 0;
    const told = lost > 0 ? Buffer.from(spell('warn', 'log_lines_dropped', { count: lost })) : undefined;
    const clean = mayHoldSecret(lines) ? Buffer.from(mask(String(lines))) : lines;
    await sink(told ? Buffer.concat([clean, told]) : clean).catch(() => {
      dropped += count + lost;
    });
  };

  const writeAll = async (): Promise<void> => {
    while (waitingLines > 0) {
      if (waitingSize < MOST_WAITING_BYTES / 2) await new Promise((resolve) => setTimeout(resolve, BATCH_MS));
      await writeBatch();
    }
    writing = undefined;
  };

  const write =
    (severity: Severity): Write =>
    (event, fields = '') => {
      if (LOG_LEVELS.indexOf(severity) > LOG_LEVELS.indexOf(level)) return;
      const line = spell(severity, event, fields);
      if (waitingSize + line.length * LONGEST_CHARACTER_BYTES > MOST_WAITING_BYTES) {
        dropped += 1;
        return;
      }
      waitingSize += waiting.write(line, waitingSize);
      waitingLines += 1;
      writing ??= writeAll();
    };

  return {
    error: write('error'),
    warn: write('warn'),
    info: write('info'),
    async flush(patienceMs = FLUSH_MS) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const patience = new Promise((resolve) => {
        timer = setTimeout(resolve, patienceMs);
      });
      await Promise.race([writing, patience]);
      clearTimeout(timer);
    },
  };
};
