/** Colour only repeats what a word already says. Red is reserved for failures. */
const STYLES = { bold: 1, dim: 2, bad: 31, good: 32, warn: 33, accent: 36 } as const;

export type Style = keyof typeof STYLES;

export type Paint = (style: Style | undefined, text: string) => string;

export const createPaint =
  (hasColours: boolean): Paint =>
  (style, text) =>
    hasColours && style && text !== '' ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text;

/** Colours of status words. */
const WORDS: Record<string, Style> = {
  available: 'good',
  active: 'good',
  enabled: 'good',
  delivered: 'good',
  approved: 'good',
  pending: 'warn',
  placed: 'warn',
  sold: 'dim',
  cancelled: 'dim',
  expired: 'dim',
  revoked: 'dim',
  off: 'warn',
  banned: 'bad',
  failed: 'bad',
};

export const styleOfWord = (word: string): Style | undefined => WORDS[word];
