/** How many columns of a terminal the text takes: two for 鳥 and 🐕, none for an accent of its own. */
export const displayWidth = (text: string): number => Bun.stringWidth(text);

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** As much of the text as fits, with a mark where something was left out. */
export const truncate = (text: string, width: number): string => {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  for (const { segment } of graphemes.segment(text)) {
    if (displayWidth(kept + segment) > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
};

export const padEnd = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - displayWidth(text)));
