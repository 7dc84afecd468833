import { PARTICIPLES } from './words.ts';

export type Sentence = { start: number; text: string };

export const CODE = '\u00a4';

const END =
  /(?<!\b(?:e\.g|i\.e|vs|etc|approx|no)\.)(?<=[.!?]['"’”)\]*_]*)\s+(?=['"‘“([*_]*[\p{Lu}\d¤])|\n| \| | (?=\([b-h]\) )/u;

export const splitSentences = (text: string): Sentence[] => {
  const sentences: Sentence[] = [];
  let start = 0;
  for (const part of text.split(END)) {
    start = text.indexOf(part, start);
    if (part.trim() !== '') sentences.push({ start, text: part });
    start += part.length;
  }
  return sentences;
};

export const countWords = (sentence: string): number => sentence.match(/\p{L}[\p{L}\d'’-]*|¤+/gu)?.length ?? 0;

const PASSIVE = new RegExp(
  String.raw`\b(?:am|is|are|was|were|be|been|being)\s+(?:(?:not|never|also|only|then|still|always|\w+ly)\s+)?(?:\w+ed|${PARTICIPLES.join('|')})\b`,
  'i',
);

/** Only a rough guess, which is enough to report the share of passive sentences. */
export const isPassive = (sentence: string): boolean => PASSIVE.test(sentence);
