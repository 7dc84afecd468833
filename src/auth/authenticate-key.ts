import type { Environment } from '../kernel/contract.ts';
import { Failure } from '../kernel/failure.ts';
import type { Caller } from '../kernel/operation.ts';
import { type Clock, lazy, type MaybePromise } from '../kernel/runtime.ts';
import type { KeyChanges } from '../resources/keys/changes.ts';
import type { Key } from '../resources/keys/key.ts';
import type { KeyReads } from '../resources/keys/keys.repository.ts';
import { hashSecret, isIssuedForm, recognise, secretFault, UNKNOWN_KEY } from '../resources/keys/secret.ts';

const LONGEST_SECRET = 200;
const BEARER = /^bearer +(.*)$/i;

// Maximum number of queued key lookups from networks that exceed their rate limit. Queued lookups run one at a time, so
// that they do not slow down requests from other networks.
const MAX_WAITING = 100;
const LONGEST_WAIT_MS = 1000;

type Deps = { keys: ReturnType<typeof createKeyCache>; environment: Environment; clock: Clock };

const isLive = ({ endsAt }: Caller, now: number): boolean => endsAt === null || now < endsAt;

const headerFailure = (authorization: string | null): Failure =>
  /^(?:bearer)?$/i.test(authorization?.trim() ?? '')
    ? new Failure('missing_api_key', 'Send your API key in the header `Authorization: Bearer <API_KEY>`.')
    : new Failure('invalid_api_key', 'Send exactly one API key, in the header `Authorization: Bearer <API_KEY>`.');

const CROWDED = 'Too many requests with unknown API keys are coming from your address. Try again in 1 second.';

const crowded = () => new Failure('rate_limit_exceeded', CROWDED, { retryAfterSeconds: 1 });

const createQueue = (lookUp: Deps['keys']['open'], clock: Clock) => {
  const notBegun = new Map<string, Promise<Caller | undefined>>();
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();
  const leave = (): void => {
    waiting -= 1;
  };
  return (secret: string, now: number): Promise<Caller | undefined> => {
    const shared = notBegun.get(secret);
    if (shared) return shared;
    if (waiting >= MAX_WAITING) throw crowded();
    waiting += 1;
    const found = last.then(() => {
      notBegun.delete(secret);
      if (clock() - now > LONGEST_WAIT_MS) throw crowded();
      return lookUp(secret, now);
    });
    notBegun.set(secret, found);
    last = found.then(leave, leave);
    return found;
  };
};

export const createRecognise =
  ({ keys, clock }: { keys: Pick<Deps['keys'], 'get'>; clock: Clock }) =>
  (authorization: string | null): string | undefined => {
    const secret = BEARER.exec(authorization?.trim() ?? '')?.[1];
    const caller = secret === undefined ? undefined : keys.get(secret);
    return caller && isLive(caller, clock()) ? caller.keyId : undefined;
  };

export const createAuthenticate = ({ keys, environment, clock }: Deps) => {
  const lookUpInTurn = createQueue(keys.open, clock);
  const lookUp = async (secret: string, now: number, isThrottled: () => boolean): Promise<Caller | undefined> => {
    if (keys.isUnknown(secret) || !(await keys.isPossible(secret))) return undefined;
    return isThrottled() ? lookUpInTurn(secret, now) : keys.open(secret, now);
  };

  const open = async (secret: string, now: number, isThrottled: () => boolean): Promise<Caller> => {
    const fault = secretFault(secret, environment);
    const caller = fault === undefined ? (keys.get(secret) ?? (await lookUp(secret, now, isThrottled))) : undefined;
    if (!caller || !isLive(caller, now)) throw new Failure('invalid_api_key', fault ?? UNKNOWN_KEY);
    return caller;
  };

  return (authorization: string | null, isThrottled: () => boolean): MaybePromise<Caller> => {
    const secret = BEARER.exec(authorization?.trim() ?? '')?.[1];
    if (secret === undefined || secret.length > LONGEST_SECRET) throw headerFailure(authorization);
    const now = clock();
    const known = keys.get(secret);
    return known && isLive(known, now) ? known : open(secret, now, isThrottled);
  };
};

const MAX_CALLERS = 10_000;

const MAX_UNKNOWN = 1000;

type CacheDeps = {
  keys: Pick<KeyReads, 'findBySecret' | 'findAdmin'>;
  changes: Pick<KeyChanges, 'subscribe' | 'isCurrent'>;
};

const makeRoom = <Values extends Map<string, Caller> | Set<string>>(values: Values, most: number): Values => {
  const [oldest] = values.keys();
  if (oldest !== undefined && values.size >= most) values.delete(oldest);
  return values;
};

const hasFormOf = (admin: Key | undefined, secret: string): boolean => {
  const { prefix, last4 } = recognise(secret);
  return admin?.prefix === prefix && admin.last4 === last4;
};

/** The `endsAt` of a revoked key is minus infinity, so that the key stays invalid even if the clock is set back. */
const toCaller = ({ key, secretEndsAt }: { key: Key; secretEndsAt: number | null }): Caller => {
  const { id, storeId, scopes, limits, expiresAt, revokedAt } = key;
  const end = secretEndsAt === null ? expiresAt : Math.min(secretEndsAt, expiresAt ?? secretEndsAt);
  return { keyId: id, storeId, scopes, limits, endsAt: revokedAt === null ? end : Number.NEGATIVE_INFINITY };
};

// Requests that arrive while a lookup is running share the next lookup, because the running lookup may return outdated
// data. As a result, a thousand concurrent requests with the same key need only two lookups.
type Reading = { current: Promise<Caller | undefined>; next?: Promise<Caller | undefined>; lastAsked: number };

/**
 * The cache key is the plain secret, because hashing it would cost more than all other checks of a request combined. A
 * replaced secret is not cached during its grace period, so each request with that secret asks the database whether the
 * secret is still valid.
 */
export const createKeyCache = ({ keys, changes }: CacheDeps) => {
  const opened = new Map<string, Caller>();
  const unknown = new Set<string>();
  let findAdmin = lazy(keys.findAdmin);
  const readings = new Map<string, Reading>();
  let generation = 0;
  changes.subscribe((keyId) => {
    generation += 1;
    unknown.clear();
    findAdmin = lazy(keys.findAdmin);
    for (const [secret, caller] of opened) if (caller.keyId === keyId) opened.delete(secret);
  });

  const get = (secret: string): Caller | undefined =>
    changes.isCurrent?.() === false ? undefined : opened.get(secret);

  const read = async (secret: string, now: number): Promise<Caller | undefined> => {
    const before = generation;
    const found = await keys.findBySecret(hashSecret(secret), now);
    const caller = found && toCaller(found);
    if (before === generation) {
      if (!caller) makeRoom(unknown, MAX_UNKNOWN).add(secret);
      else if (found?.secretEndsAt === null) makeRoom(opened, MAX_CALLERS).set(secret, caller);
    }
    return caller;
  };

  const open = (secret: string, now: number): Promise<Caller | undefined> => {
    const reading = readings.get(secret);
    if (!reading) {
      const current = read(secret, now).finally(() => readings.delete(secret));
      readings.set(secret, { current, lastAsked: now });
      return current;
    }
    const again = async () => get(secret) ?? open(secret, reading.lastAsked);
    reading.lastAsked = now;
    reading.next ??= reading.current.then(again, again);
    return reading.next;
  };

  return {
    get,
    isUnknown: (secret: string) => unknown.has(secret) && changes.isCurrent?.() !== false,
    isPossible: async (secret: string) => isIssuedForm(secret) || hasFormOf(await findAdmin(), secret),
    open,
  };
};
