import { createSecretMask, formatJson, LOG_LEVELS, type Log, type LogLevel } from '../kernel/log.ts';
import { sleep } from '../kernel/runtime.ts';

export type Sink = (lines: Buffer) => Promise<void>;

// If more than this many bytes are waiting for a slow reader, log lines are dropped, because logging must not delay
// requests.
const MAX_WAITING_BYTES = 1024 * 1024;
const LONGEST_CHARACTER_BYTES = 3;
const BATCH_MS = 50;
const FLUSH_MS = 1000;

/** Stores lines as bytes, because garbage-collecting stored strings would take longer than the rest of the logging. */
export const createLog = (level: LogLevel, sink: Sink, now: () => number, secrets = createSecretMask()): Log => {
  let instant = Number.NaN;
  let timestamp = '';
  let waiting = Buffer.allocUnsafe(MAX_WAITING_BYTES);
  let waitingSize = 0;
  let spare = Buffer.allocUnsafe(MAX_WAITING_BYTES);
  let waitingLines = 0;
  let dropped = 0;
  let writing: Promise<void> | undefined;

  const spell = (severity: LogLevel, event: string, fields: object | string): string => {
    const at = now();
    if (at !== instant) [instant, timestamp] = [at, new Date(at).toISOString()];
    const rest = typeof fields === 'string' ? fields : formatJson(fields).slice(1, -1);
    return `{"time":"${timestamp}","level":"${severity}","event":"${event}"${rest === '' ? '' : ','}${rest}}\n`;
  };

  const writeBatch = async (): Promise<void> => {
    const [lines, count, lost] = [waiting.subarray(0, waitingSize), waitingLines, dropped];
    [waiting, spare] = [spare, waiting];
    waitingSize = 0;
    waitingLines = 0;
    dropped = 0;
    const report = lost > 0 ? Buffer.from(spell('warn', 'log_lines_dropped', { count: lost })) : undefined;
    const clean = secrets.mayHoldSecret(lines) ? Buffer.from(secrets.mask(String(lines))) : lines;
    await sink(report ? Buffer.concat([clean, report]) : clean).catch(() => {
      dropped += count + lost;
    });
  };

  const writeAll = async (): Promise<void> => {
    while (waitingLines > 0) {
      if (waitingSize < MAX_WAITING_BYTES / 2) await sleep(BATCH_MS);
      await writeBatch();
    }
    writing = undefined;
  };

  const write =
    (severity: LogLevel): Log['info'] =>
    (event, fields = '') => {
      if (LOG_LEVELS.indexOf(severity) > LOG_LEVELS.indexOf(level)) return;
      const line = spell(severity, event, fields);
      if (waitingSize + line.length * LONGEST_CHARACTER_BYTES > MAX_WAITING_BYTES) {
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
      await Promise.race([writing, sleep(patienceMs, undefined, { ref: false })]);
    },
  };
};
