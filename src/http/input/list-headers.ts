import type { Precondition } from '../../kernel/contract.ts';
import { faulty } from '../../kernel/failure.ts';

const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

const ITEM = /(?:"[^"]*"?|[^,"])+/g;

const itemsOf = (list: string): string[] => (list.match(ITEM) ?? []).map((item) => item.trim()).filter(Boolean);

/** A weak tag (with `W/`) matches the strong tag with the same value (RFC 9110 section 13.1.2). */
export const isUnchanged = (ifNoneMatch: string | null, tag: string): boolean =>
  ifNoneMatch !== null && itemsOf(ifNoneMatch).some((item) => item === '*' || item.replace(/^W\//, '') === tag);

export const readIfMatch = (header: string | null): Precondition => {
  if (header === null) return undefined;
  const tags = itemsOf(header);
  const isList = tags.length > 0 && tags.every((tag) => ENTITY_TAG.test(tag));
  if (isList || header.trim() === '*') return tags;
  throw faulty('invalid_request', { header: 'If-Match', detail: 'must be * or a list of entity tags such as "7"' });
};

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
  const ranges = readQualities(accept ?? '');
  return qualityOf('problem+json', ranges) > qualityOf('json', ranges);
};

const CODINGS = ['br', 'gzip'] as const;

export type Coding = (typeof CODINGS)[number];

/** A `*` (RFC 9110 section 12.5.3) selects no coding, because the client may support none of the available codings. */
export const chooseCoding = (acceptEncoding: string | null): Coding | undefined => {
  const qualities = readQualities(acceptEncoding ?? '');
  const quality = (coding: string): number => qualities.get(coding) ?? 0;
  const [best] = CODINGS.filter((coding) => quality(coding) > 0).toSorted((a, b) => quality(b) - quality(a));
  return best !== undefined && quality(best) >= quality('identity') ? best : undefined;
};
