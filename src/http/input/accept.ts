import { itemsOf } from './conditional.ts';

const MAX_CHARACTERS = 1000;

const QUOTED = /"[^"]*"/g;
const QUALITY = /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/;

const readQualities = (list: string): Map<string, number> => {
  const qualities = new Map<string, number>();
  if (list.length > MAX_CHARACTERS) return qualities;
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

const qualityOf = (subtype: string, ranges: ReadonlyMap<string, number>): number =>
  ranges.get(`application/${subtype}`) ?? ranges.get('application/*') ?? ranges.get('*/*') ?? 0;

export const prefersProblem = (accept: string | null): boolean => {
  if (accept === null) return false;
  const ranges = readQualities(accept);
  return qualityOf('problem+json', ranges) > qualityOf('json', ranges);
};

/**
 * A `*` in `Accept-Encoding` (RFC 9110 section 12.5.3) selects no coding, because a client that sends `*` may support
 * none of the available codings.
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
