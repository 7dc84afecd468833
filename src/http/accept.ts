import { itemsOf } from './conditional.ts';

/** More than any client of ours asks for: nobody may have us read for long. */
const MOST_CHARACTERS = 1000;

const QUOTED = /"[^"]*"/g;
const QUALITY = /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/;

/** The media ranges with their qualities. Neither of our two types has parameters, so those of a range mean nothing here. */
const readRanges = (accept: string): Map<string, number> => {
  const ranges = new Map<string, number>();
  for (const item of itemsOf(accept)) {
    const [range = '', ...parameters] = item
      .toLowerCase()
      .replace(QUOTED, '')
      .split(';')
      .map((part) => part.trim());
    const quality = parameters.find((text) => text.startsWith('q='))?.slice(2) ?? '1';
    if (QUALITY.test(quality)) ranges.set(range, Number(quality));
  }
  return ranges;
};

/** The most specific range that a type is in says how welcome it is (RFC 9110 section 12.5.1). */
const qualityOf = (subtype: string, ranges: ReadonlyMap<string, number>): number =>
  ranges.get(`application/${subtype}`) ?? ranges.get('application/*') ?? ranges.get('*/*') ?? 0;

/** Whether whoever sent this `Accept` would rather have problem details (RFC 9457) than plain JSON. */
export const prefersProblem = (accept: string | null): boolean => {
  if (accept === null || accept.length > MOST_CHARACTERS) return false;
  const ranges = readRanges(accept);
  return qualityOf('problem+json', ranges) > qualityOf('json', ranges);
};
