/** The path and the query of a request, without the cost of parsing a whole URL. */
export const splitUrl = (url: string): { path: string; queryText: string } => {
  // A target without a scheme is a path, or the authority of a CONNECT.
  const authority = url.startsWith('/') ? -1 : url.indexOf('://');
  const start = authority < 0 ? 0 : url.indexOf('/', authority + 3);
  const fragment = url.indexOf('#', start);
  const end = fragment < 0 ? url.length : fragment;
  const mark = url.indexOf('?', start);
  return mark < 0 || mark > end
    ? { path: url.slice(start, end), queryText: '' }
    : { path: url.slice(start, mark), queryText: url.slice(mark + 1, end) };
};

export const isBelowV1 = (path: string): boolean => path === '/v1' || path.startsWith('/v1/');
