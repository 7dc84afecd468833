import { Failure } from '../kernel/failure.ts';
import type { Answer, Once } from '../kernel/operation.ts';
import type { IdempotencyReads, IdempotencyRepository, KeptAnswer } from './idempotency.repository.ts';

const SECRETS = ['key', 'secret'];

const hasSecrets = (body: unknown): body is object =>
  typeof body === 'object' && body !== null && SECRETS.some((name) => name in body);

const withoutSecrets = (body: object): object =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name, SECRETS.includes(name) ? null : value]));

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

const replay = ({ body, version, location }: KeptAnswer): Answer => ({
  ...(body === null ? {} : { text: body }),
  ...(version === null ? {} : { version }),
  ...(location === null ? {} : { location }),
  replayed: true,
});

type Asked = { caller: string; once: Once };

export const findReplay = async (answers: IdempotencyReads, { caller, once }: Asked) => {
  const kept = await answers.find(caller, once.key);
  return kept && isSame(kept.fingerprint, once.fingerprint) ? replay(kept) : undefined;
};

/**
 * The answer is stored in the same transaction as the request's effect, so that neither exists without the other. A
 * stored answer is valid until it is deleted: if its validity depended on the clock, a wrong clock could make a request
 * run twice.
 */
export const runOnce = async (
  answers: IdempotencyRepository,
  { caller, once }: Asked,
  run: () => Promise<Answer>,
): Promise<Answer> => {
  const found = answers.find(caller, once.key);
  const kept = found instanceof Promise ? await found : found;
  if (kept && isSame(kept.fingerprint, once.fingerprint)) return replay(kept);
  if (kept)
    throw new Failure(
      'idempotency_key_reused',
      'This Idempotency-Key was already used for a different request. Use a new Idempotency-Key.',
      { faults: [{ header: 'Idempotency-Key', detail: 'was already used for a different request; use a new key' }] },
    );
  const answer = await run();
  const { body } = answer;
  const isSecret = hasSecrets(body);
  const text = body === undefined ? null : JSON.stringify(isSecret ? withoutSecrets(body) : body);
  await answers.keep(caller, once.key, {
    fingerprint: once.fingerprint,
    body: text,
    version: answer.version ?? null,
    location: answer.location ?? null,
  });
  // Sends the stored text, so that the body is not encoded again. A secret is not stored, but it is sent.
  return text === null || isSecret ? answer : { ...answer, text };
};

const inProgress = () =>
  new Failure(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still running. Retry when it has finished.',
    { faults: [{ header: 'Idempotency-Key', detail: 'belongs to a request that is still running' }] },
  );

/**
 * Requests with the same idempotency key run one at a time. If the first request is actually being processed, the
 * second is refused, because there is no answer to replay yet. If the first request only replays a stored answer, the
 * second waits for it.
 */
export const createInFlight = () => {
  /** Each promise resolves to true if its request was processed, and to false if it only got a stored answer. */
  const underWay = new Map<string, Promise<boolean>>();

  /** The callback `run` must call `begin` before it processes the request. */
  return async <Result>(name: string, run: (begin: () => void) => Promise<Result>): Promise<Result> => {
    for (let before = underWay.get(name); before; before = underWay.get(name)) {
      if (await before) throw inProgress();
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    underWay.set(name, promise);
    try {
      return await run(() => resolve(true));
    } finally {
      underWay.delete(name);
      resolve(false);
    }
  };
};
