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

/** An encoded letter or digit: `%7a`, or `%257a` when what was encoded is encoded once more, and so on. */
const encoded = (hex: string): string => `%(?:25)*${hex}`;

const LETTER_OR_DIGIT = `(?:[0-9a-z]|${encoded('(?:3[0-9]|[46][1-9a-f]|[57][0-9a])')})`;

/** One character as it is, as JSON spells it, or percent-encoded. */
const anySpelling = (character: string): string => {
  const plain = character.replace(/[^\w]/, '\\$&');
  const inJson = /["\\]/.test(character) ? `\\\\?${plain}` : plain;
  return `(?:${inJson}|${encoded(character.charCodeAt(0).toString(16))})`;
};

const inAnySpelling = (text: string): string => [...text].map(anySpelling).join('');

/** Where a search for one of these finds nothing there is no secret, and looking for them takes no time. */
const ISSUED_MARKS = ['ps_', '%'];

export type SecretMask = {
  /** Whether there may be a secret in it: quick, and rarely so. */
  mayHoldSecret(text: { includes(part: string): boolean }): boolean;
  /** The text without the secrets that a caller, or an error, has put into it. */
  mask(text: string): string;
};

/** Knows the keys that are issued by their form, and the admin key, which may have any form, by itself. */
export const createSecretMask = (adminKey?: string): SecretMask => {
  const masked: [RegExp, string][] = ['ps_live_', 'ps_test_'].map((prefix) => [
    new RegExp(`${inAnySpelling(prefix)}${LETTER_OR_DIGIT}+`, 'gi'),
    `${prefix}…`,
  ]);
  const marks = [...ISSUED_MARKS];
  if (adminKey !== undefined) {
    masked.unshift([new RegExp(inAnySpelling(adminKey), 'gi'), '(admin key)']);
    marks.push(adminKey, JSON.stringify(adminKey).slice(1, -1));
  }
  const mayHoldSecret: SecretMask['mayHoldSecret'] = (text) => marks.some((mark) => text.includes(mark));
  return {
    mayHoldSecret,
    mask: (text) =>
      mayHoldSecret(text) ? masked.reduce((rest, [pattern, instead]) => rest.replaceAll(pattern, instead), text) : text,
  };
};
