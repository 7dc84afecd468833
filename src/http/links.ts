import type { ListRead } from './read-input.ts';

const HOST = /^[a-z0-9._~-]+(?::[0-9]+)?$|^\[[0-9a-f:.]+\](?::[0-9]+)?$/i;

/** Where this service is, as its caller sees it. A host that is none gives relative links. */
export const createBaseUrl = (publicUrl: string | undefined) => {
  let last = { host: '', base: '' };
  return (host: string): string => {
    if (publicUrl !== undefined) return publicUrl;
    if (host !== last.host) last = { host, base: HOST.test(host) ? `http://${host}` : '' };
    return last.base;
  };
};

const encode = (text: string): string => encodeURIComponent(text).replaceAll('%2C', ',');

/** The `Link` header of a list (RFC 8288): its first page and, unless this is the last, the next. */
export const pageLinks = (url: string, list: ListRead, next: string | undefined): string => {
  const { cursor: _, ...given } = list.given;
  const link = (parameters: Record<string, string>, relation: string) => {
    const query = Object.entries(parameters).map(([name, value]) => `${name}=${encode(value)}`);
    return `<${url}${query.length > 0 ? '?' : ''}${query.join('&')}>; rel="${relation}"`;
  };
  const first = link(given, 'first');
  return next === undefined ? first : `${link({ ...given, cursor: list.cursorBehind(next) }, 'next')}, ${first}`;
};
