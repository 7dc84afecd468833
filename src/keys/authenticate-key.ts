import type { Clock } from '../kernel/clock.ts';
import type { Environment } from '../kernel/environment.ts';
import { Failure } from '../kernel/failure.ts';
import type { MaybePromise } from '../kernel/maybe-promise.ts';
import type { Caller } from '../kernel/operation.ts';
import { isLive, type Key } from './key.ts';
import { secretFault } from './secret.ts';

/** Longer than any key can be: a header of megabytes is not hashed. */
const LONGEST_SECRET = 200;
const BEARER = /^bearer(?: +(.*))?$/i;

type Deps = {
  keys: {
    /** The key that this secret is known to open. */
    get(secret: string): Key | undefined;
    /** The key that it opens, if it opens one. */
    open(secret: string, now: number): Promise<Key | undefined>;
  };
  environment: Environment;
  clock: Clock;
};

const toCaller = ({ id, storeId, scopes, limits, expiresAt }: Key): Caller => ({
  keyId: id,
  storeId,
  scopes,
  limits,
  endsAt: expiresAt,
});

/** The secret of an `Authorization` header. */
const readSecret = (authorization: string | null): string => {
  const [bearer, secret = ''] = BEARER.exec(authorization?.trim() ?? '') ?? [];
  if (!authorization?.trim() || (bearer !== undefined && secret === '')) {
    throw new Failure('missing_api_key', 'Send your API key in the header `Authorization: Bearer <API_KEY>`.');
  }
  if (secret === '' || secret.length > LONGEST_SECRET) {
    throw new Failure('invalid_api_key', 'The header must be `Authorization: Bearer <API_KEY>` with one API key.');
  }
  return secret;
};

/** The id of the key in an `Authorization` header, if its secret is one that has opened it lately. */
export const createRecognise =
  ({ get }: Pick<Deps['keys'], 'get'>) =>
  (authorization: string | null): string | undefined => {
    const secret = BEARER.exec(authorization?.trim() ?? '')?.[1];
    return secret === undefined ? undefined : get(secret)?.id;
  };

/**
 * Who is calling, from the `Authorization` header; at once, if the key is known. Whatever is wrong with a key, the
 * caller learns only so much.
 */
export const createAuthenticate = ({ keys, environment, clock }: Deps) => {
  const open = async (secret: string, now: number): Promise<Caller> => {
    const fault = secretFault(secret, environment);
    const key = fault === undefined ? await keys.open(secret, now) : undefined;
    if (!key || !isLive(key, now)) {
      throw new Failure('invalid_api_key', fault ?? 'The API key is unknown, expired or revoked.');
    }
    return toCaller(key);
  };

  return (authorization: string | null): MaybePromise<Caller> => {
    const secret = readSecret(authorization);
    const now = clock();
    const known = keys.get(secret);
    return known && isLive(known, now) ? toCaller(known) : open(secret, now);
  };
};
