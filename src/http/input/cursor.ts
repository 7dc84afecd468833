import type { z } from 'zod';
import { crc32 } from '../../kernel/builtins.ts';
import type { PageRequest } from '../../kernel/contract.ts';
import { Failure } from '../../kernel/failure.ts';

type Binding = { list: string; filters: string; order: PageRequest<unknown>['order'] };

const VERSION = 1;

const seal = (binding: Binding, position: string): number =>
  crc32(JSON.stringify([VERSION, binding.list, binding.filters, binding.order, position]));

export const encodeCursor = (binding: Binding, position: string): string =>
  Buffer.from(`${VERSION}.${seal(binding, position).toString(36)}.${position}`).toString('base64url');

const FAULT = 'is damaged, or belongs to a different list, filter or sort order; start again from the first page';

export const decodeCursor = (binding: Binding, position: z.ZodType, cursor: string): unknown => {
  const text = Buffer.from(cursor, 'base64url').toString();
  const spelled = text.slice(text.indexOf('.', 2) + 1);
  const parsed = position.safeParse(spelled);
  if (!parsed.success || encodeCursor(binding, spelled) !== cursor) {
    throw new Failure('invalid_cursor', `The cursor ${FAULT}.`, { faults: [{ parameter: 'cursor', detail: FAULT }] });
  }
  return parsed.data;
};

export type ListRead = { given: Record<string, string>; cursorAfter(position: string): string };

const PLAIN = /^[A-Za-z0-9_.~,-]*$/;

const encode = (text: string): string => (PLAIN.test(text) ? text : encodeURIComponent(text).replaceAll('%2C', ','));

export const listLinks = (url: string, list: ListRead, next: string | undefined): string => {
  let query = '';
  for (const name in list.given) {
    if (name !== 'cursor') query += `${query === '' ? '?' : '&'}${name}=${encode(list.given[name] as string)}`;
  }
  const first = `<${url}${query}>; rel="first"`;
  if (next === undefined) return first;
  return `<${url}${query}${query === '' ? '?' : '&'}cursor=${list.cursorAfter(next)}>; rel="next", ${first}`;
};
