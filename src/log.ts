export const LOG_LEVELS = ['silent', 'error', 'warn', 'info'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

type Write = (event: string, fields?: object) => void;

export type Log = Record<Exclude<LogLevel, 'silent'>, Write> & {
  /** Waits until what was logged is written, or until nobody reads it. */
  flush(): Promise<void>;
};

/** Writes a chunk and calls back when it is taken; waits as long as the reader makes it wait. */
export type Sink = (chunk: string) => Promise<void>;

/** Lines that wait for a slow reader. Beyond this they are dropped and counted: logging never delays a request. */
const MOST_WAITING_BYTES = 1024 * 1024;
const BATCH_MS = 50;
const FLUSH_MS = 1000;

/** One JSON line per event, in batches, to a sink that may be slow. */
export const createLog = (level: LogLevel, sink: Sink, now: () => number): Log => {
  let waiting: string[] = [];
  let waitingBytes = 0;
  let dropped = 0;
  let writing: Promise<void> | undefined;

  const line = (severity: string, event: string, fields: object): string =>
    `${JSON.stringify({ time: new Date(now()).toISOString(), level: severity, event, ...fields })}\n`;

  const writeAll = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, BATCH_MS));
    while (waiting.length > 0) {
      if (dropped > 0) waiting.push(line('warn', 'log_lines_dropped', { count: dropped }));
      const chunk = waiting.join('');
      waiting = [];
      waitingBytes = 0;
      dropped = 0;
      await sink(chunk).catch(() => undefined);
    }
    writing = undefined;
  };

  const write =
    (severity: Exclude<LogLevel, 'silent'>): Write =>
    (event, fields = {}) => {
      if (LOG_LEVELS.indexOf(severity) > LOG_LEVELS.indexOf(level)) return;
      if (waitingBytes > MOST_WAITING_BYTES) {
        dropped += 1;
        return;
      }
      const text = line(severity, event, fields);
      waitingBytes += text.length;
      waiting.push(text);
      writing ??= writeAll();
    };

  return {
    error: write('error'),
    warn: write('warn'),
    info: write('info'),
    flush: () => Promise.race([writing, new Promise<void>((resolve) => setTimeout(resolve, FLUSH_MS))]).then(() => {}),
  };
};
