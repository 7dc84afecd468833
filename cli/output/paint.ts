/** Some users cannot see colours, so the text alone must say everything. Red is used only for failures. */
const STYLES = { bold: 1, dim: 2, bad: 31, good: 32, warn: 33, accent: 36 } as const;

export type Style = keyof typeof STYLES;

export type Paint = (style: Style | undefined, text: string) => string;

export const allowsColours = ({ NO_COLOR, TERM }: Record<string, string | undefined>): boolean =>
  !NO_COLOR && TERM !== 'dumb';

export const createPaint =
  (hasColours: boolean): Paint =>
  (style, text) =>
    hasColours && style && text !== '' ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text;

const WORDS: Partial<Record<Style, readonly string[]>> = {
  good: ['available', 'active', 'enabled', 'delivered', 'approved'],
  warn: ['pending', 'placed', 'off'],
  dim: ['sold', 'cancelled', 'expired', 'revoked'],
  bad: ['banned', 'failed'],
};

export const styleOfWord = (word: string): Style | undefined =>
  (Object.keys(WORDS) as Style[]).find((style) => WORDS[style]?.includes(word));
