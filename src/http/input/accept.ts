import { itemsOf } from './conditional.ts';

/** Longer than what any real client sends: bounds the time of reading it. */
const MOST_CHARACTERS = 1000;

const QUOTED = /"[^"]*"/g;
const QUALITY = /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/;

/** What a list asks for, with the quality of each. Nothing that we offer has parameters, so any others mean nothing here. */
const readQualities = (list: string): Map<string, number> => {
  const qualities = new Map<string, number>();
  if (list.length > MOST_CHARACTERS) return qualities;
  for (const item of itemsOf(list)) {
    const [asked = '', ...parameters] = item
      .toLowerCase()
      .replace(QUOTED, '')
      .split(';')
      .map((part) => part.trim());
    const quality = parameters.find((text) => text.startsWith('q='))?.slice(2) ?? '1';
    if (QUALITY.test(quality)) qualities.set(asked, Number(quality));
  }
  return qualities;
};

/** The most specific range that a type is in says how welcome it is (RFC 9110 section 12.5.1). */
const qualityOf = (subtype: string, ranges: ReadonlyMap<string, number>): number =>
  ranges.get(`application/${subtype}`) ?? ranges.get('application/*') ?? ranges.get('*/*') ?? 0;

/** Whether the sender of this `Accept` prefers problem details (RFC 9457) to plain JSON. */
export const prefersProblem = (accept: string | null): boolean => {
  if (accept === null) return false;
  const ranges = readQualities(accept);
  return qualityOf('problem+json', ranges) > qualityOf('json', ranges);
};

/**
 * The most welcome coding, of those that are as welcome the first; undefined if none is as welcome as none at all (RFC 9110
 * section 12.5.3). `*` names no coding: its sender may not support ours.
 */
export const chooseCoding = <Coding extends string>(
  acceptEncoding: string | null,
  codings: readonly Coding[],
): Coding | undefined => {
  if (acceptEncoding === null) return undefined;
  const qualities = readQualities(acceptEncoding);
  const quality = (coding: string): number => qualities.get(coding) ?? 0;
  const [best] = codings.filter((coding) => quality(coding) > 0).toSorted((a, b) => quality(b) - quality(a));
  return best !== undefined && quality(best) >= quality('identity') ? best : undefined;
};
