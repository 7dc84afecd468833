/** The path and the query of a request, without the cost of parsing a whole URL. */
export const splitUrl = (url: string): { path: string; queryText: string } => {
  // A target without a scheme is a path, or the authority of a CONNECT.
  const authority = url.startsWith('/') ? -1 : url.indexOf('://');
  const start = authority < 0 ? 0 : url.indexOf('/', authority + 3);
  const [withQuery = ''] = url.slice(start).split('#', 1);
  const mark = withQuery.indexOf('?');
  return mark < 0
    ? { path: withQuery, queryText: '' }
    : { path: withQuery.slice(0, mark), queryText: withQuery.slice(mark + 1) };
};

export const isBelowV1 = (path: string): boolean => path === '/v1' || path.startsWith('/v1/');
