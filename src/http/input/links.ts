import type { ListRead } from './read-input.ts';

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
