import { Failure } from './failure.ts';

/** The entity tags of `If-Match`: any of them will do. Undefined where the caller did not ask. */
export type Precondition = readonly string[] | undefined;

/** The row's version as a strong entity tag. */
export const etag = (version: bigint): string => `"${version}"`;

/** Compared strongly, as RFC 9110 section 13.1.1 asks of `If-Match`: a weak tag matches nothing. */
export const refuseStale = (ifMatch: Precondition, version: bigint): void => {
  if (ifMatch === undefined || ifMatch.includes('*') || ifMatch.includes(etag(version))) return;
  throw new Failure('precondition_failed', `The row is at version ${etag(version)} now. Read it again, then retry.`);
};
