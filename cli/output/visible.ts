/** What a terminal would obey instead of showing it: a name may hold anything, an escape sequence or a change of direction included. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

const escapeControl = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  return `\\u${code.toString(16).padStart(4, '0')}`;
};

/** The text in one line, with every character to be seen. */
export const visible = (text: string): string => text.replaceAll(CONTROL, escapeControl);
