export const LOG_LEVELS = ['silent', 'error', 'warn', 'info'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

type Severity = Exclude<LogLevel, 'silent'>;

/** `event` must be a constant. It must never contain a caller's input. */
export type Write = (event: string, fields?: object | string) => void;

export type Log = Record<Severity, Write> & { flush(patienceMs?: number): Promise<void> };

/** Characters that JSON does not escape but terminals interpret: C1 controls, line separators and bidi controls. */
const ACTED_ON = /[\u007f-\u009f\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

export const inOneLine = (json: string): string =>
  json.replace(ACTED_ON, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

export const formatJson = (value: unknown): string => inOneLine(JSON.stringify(value));

export const explainError = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? String(error) : `${error} (${explainError(error.cause)})`;
};

const encoded = (hex: string): string => `%(?:25)*${hex}`;

const LETTER_OR_DIGIT = `(?:[0-9a-z]|${encoded('(?:3[0-9]|[46][1-9a-f]|[57][0-9a])')})`;

const anySpelling = (character: string): string => {
  const plain = character.replace(/[^\w]/, '\\$&');
  const inJson = /["\\]/.test(character) ? `\\\\?${plain}` : plain;
  return `(?:${inJson}|${encoded(character.charCodeAt(0).toString(16))})`;
};

const inAnySpelling = (text: string): string => [...text].map(anySpelling).join('');

export type SecretMask = ReturnType<typeof createSecretMask>;

export const createSecretMask = (adminKey?: string) => {
  const masked: [RegExp, string][] = ['ps_live_', 'ps_test_'].map((prefix) => [
    new RegExp(`${inAnySpelling(prefix)}${LETTER_OR_DIGIT}+`, 'gi'),
    `${prefix}…`,
  ]);
  // A key that the service created contains `ps_`, or `%` if it is percent-encoded. Other text is not searched.
  const marks = ['ps_', '%'];
  if (adminKey !== undefined) {
    masked.unshift([new RegExp(inAnySpelling(adminKey), 'gi'), '(admin key)']);
    marks.push(adminKey, JSON.stringify(adminKey).slice(1, -1));
  }
  /** May return true for text that contains no secret, but never returns false for text that contains one. */
  const mayHoldSecret = (text: { includes(part: string): boolean }) => marks.some((mark) => text.includes(mark));
  return {
    mayHoldSecret,
    mask: (text: string): string =>
      mayHoldSecret(text) ? masked.reduce((rest, [pattern, instead]) => rest.replaceAll(pattern, instead), text) : text,
  };
};
