import type { Clock } from '../kernel/clock.ts';
import { Failure } from '../kernel/failure.ts';
import type { Caller } from '../kernel/operation.ts';
import { isLive, type Key } from './key.ts';
import { type Environment, hashSecret, secretFault } from './secret.ts';

/** Longer than any key can be: hashing a header of megabytes is not a service we offer. */
const LONGEST_SECRET = 200;
const BEARER = /^bearer(?: +(.*))?$/i;

type Deps = {
  /** The key that the secret with this hash opens. */
  findKey(hash: Uint8Array, now: number): Promise<Key | undefined>;
  environment: Environment;
  clock: Clock;
};

/** Who is calling, from the `Authorization` header. Whatever is wrong with a key, the caller learns only so much. */
export const createAuthenticate =
  ({ findKey, environment, clock }: Deps) =>
  async (authorization: string | null): Promise<Caller> => {
    const [bearer, secret = ''] = BEARER.exec(authorization?.trim() ?? '') ?? [];
    if (!authorization?.trim() || (bearer !== undefined && secret === '')) {
      throw new Failure('missing_api_key', 'Send your API key in the header `Authorization: Bearer <API_KEY>`.');
    }
    if (secret === '' || secret.length > LONGEST_SECRET) {
      throw new Failure('invalid_api_key', 'The header must be `Authorization: Bearer <API_KEY>` with one API key.');
    }
    const fault = secretFault(secret, environment);
    const now = clock();
    const key = fault === undefined ? await findKey(hashSecret(secret), now) : undefined;
    if (!key || !isLive(key, now)) {
      throw new Failure('invalid_api_key', fault ?? 'The API key is unknown, expired or revoked.');
    }
    return { keyId: key.id, storeId: key.storeId, scopes: key.scopes, limits: key.limits };
  };
