export const LOG_LEVELS = ['silent', 'error', 'warn', 'info'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

export type Severity = Exclude<LogLevel, 'silent'>;

/** Fields that are JSON already: `"status":200,"path":"/v1"`. Spelling them by hand is worth it once per request. */
export type JsonFields = string;

/** `event` is a word of ours, never text from outside. */
export type Write = (event: string, fields?: object | JsonFields) => void;

export type Log = Record<Severity, Write> & {
  /** Resolves when what was logged is written, or after `patienceMs` when nobody reads it. */
  flush(patienceMs?: number): Promise<void>;
};

/** An error and what caused it, in one line. */
export const explainError = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? String(error) : `${error} (${explainError(error.cause)})`;
};
