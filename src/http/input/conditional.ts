import type { Precondition } from '../../kernel/contract.ts';
import { faulty } from '../../kernel/failure.ts';

const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

const ITEM = /(?:"[^"]*"?|[^,"])+/g;

export const itemsOf = (list: string): string[] =>
  (list.match(ITEM) ?? []).map((item) => item.trim()).filter((item) => item !== '');

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
