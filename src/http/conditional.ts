/** The row's version as a strong entity tag. */
export const etag = (version: bigint): string => `"${version}"`;

/** Whether the caller already has this version. Compared weakly, as RFC 9110 section 13.1.2 asks of `If-None-Match`. */
export const isUnchanged = (ifNoneMatch: string | null, tag: string): boolean =>
  (ifNoneMatch ?? '')
    .split(',')
    .map((item) => item.trim())
    .some((item) => item === '*' || item.replace(/^W\//, '') === tag);
