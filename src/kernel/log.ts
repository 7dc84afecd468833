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

/**
 * What JSON leaves as it is and a terminal, or a reader that counts lines, may act on: C1 controls, separators of lines, and
 * changes of direction, behind which the rest of a line is shown in another order.
 */
const ACTED_ON = /[\u007f-\u009f\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** The same JSON, of which every reader makes one line. */
export const inOneLine = (json: string): string =>
  json.replace(ACTED_ON, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

export const spellJson = (value: unknown): JsonFields => inOneLine(JSON.stringify(value));

/** An error and what caused it, in one line. */
export const explainError = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? String(error) : `${error} (${explainError(error.cause)})`;
};
