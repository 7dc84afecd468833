import { z } from 'zod';
import { type BodyOf, SCOPES } from '../kernel/contract.ts';
import { int64 } from '../kernel/int64.ts';
import { jsonInteger } from '../kernel/json.ts';
import { nameText } from '../kernel/text.ts';
import { type Key, limitsFault, PLAIN_SCOPES } from './key.ts';
import { PLANS, type Plan } from './plan.ts';

/** The identifier of a key in a path. */
export const keyIdText = z
  .string()
  .regex(/^key_[0-9A-Za-z]{24}$/)
  .meta({ description: 'The identifier of the key.' });

const PLAN_NAMES = Object.keys(PLANS) as [Plan, ...Plan[]];

const requestCount = z
  .custom<number>((value) => Number.isSafeInteger(value) && (value as number) > 0, {
    error: ({ input }) => (input === undefined ? 'is required' : 'must be an integer from 1 to 2^53-1'),
  })
  .meta({ type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

const limits = z
  .object({ perMinute: requestCount, perDay: requestCount }, { error: 'must be an object with perMinute and perDay' })
  .meta({ id: 'Limits', description: 'Requests admitted per minute and per day.' });

const plan = z
  .enum(PLAN_NAMES, {
    error: ({ input }) => (input === undefined ? 'is required' : `must be one of ${PLAN_NAMES.join(', ')}`),
  })
  .meta({ id: 'Plan', description: 'The plan of the key, which sets its limits.' });

const scope = z
  .enum(SCOPES, { error: `must be one of ${SCOPES.join(', ')}` })
  .meta({ id: 'Scope', description: 'One thing a key may do.' });

/** The form itself lets any number of digits follow the second. */
const LONGEST_TIME = 40;

const fields = {
  name: nameText.meta({ description: 'What the key is for.', examples: ['Front desk'] }),
  plan,
  limits,
  scopes: z
    .array(scope, { error: 'must be a list of scopes' })
    .min(1, 'must name at least one scope')
    .max(SCOPES.length, `must name at most ${SCOPES.length} scopes`)
    .transform((scopes) => [...new Set(scopes)]),
  expiresAt: z.iso
    .datetime({ error: 'must be a time in UTC like 2030-01-31T12:00:00Z', abort: true })
    .max(LONGEST_TIME, `must be at most ${LONGEST_TIME} characters long`)
    .transform((text) => Date.parse(text))
    .nullable()
    .meta({ description: 'From when on the key is refused.' }),
};

/** Told together with what is wrong in other fields, as soon as the plan is known. */
const LIMITS_OF_PLAN = {
  path: ['limits'],
  error: ({ input }: { input?: unknown }) => limitsFault((input as Key).plan, (input as Key).limits),
  when: ({ value }: { value: unknown }) => PLAN_NAMES.includes((value as Key | null)?.plan as Plan),
};

export const newKey = z
  .object(
    {
      ...fields,
      limits: fields.limits.optional(),
      scopes: fields.scopes.default([...PLAIN_SCOPES]),
      expiresAt: fields.expiresAt.optional(),
      storeId: int64
        .refine((id) => id > 0n, 'must be at least 1')
        .optional()
        .meta({ minimum: 1, description: 'The store the key works in. A new number opens a new store.' }),
    },
    { error: 'must be a JSON object' },
  )
  .refine(({ plan, limits }) => limitsFault(plan, limits) === undefined, LIMITS_OF_PLAN)
  .meta({ id: 'NewKey', description: 'A key to issue.', examples: [{ name: 'Front desk', plan: 'pro' }] });

export const keyChange = z
  .object(fields, { error: 'must be a JSON object' })
  .partial()
  // Limits that are left out may be those the key has: only the operation knows.
  .refine(({ plan, limits }) => !plan || !limits || limitsFault(plan, limits) === undefined, LIMITS_OF_PLAN)
  .meta({ id: 'KeyChange', description: 'What to change of a key.', examples: [{ plan: 'business' }] });

const LONGEST_GRACE_SECONDS = 86_400;

export const keyRotation = z
  .object(
    {
      graceSeconds: z
        .custom<number>(
          (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= LONGEST_GRACE_SECONDS,
          { error: `must be an integer from 0 to ${LONGEST_GRACE_SECONDS}` },
        )
        .default(0)
        .meta({ type: 'integer', minimum: 0, maximum: LONGEST_GRACE_SECONDS, default: 0 }),
    },
    { error: 'must be a JSON object' },
  )
  .meta({ id: 'KeyRotation', description: 'How a key is rotated.', examples: [{ graceSeconds: 3600 }] });

const instant = z.iso.datetime();

export const keyBody = z
  .object({
    id: z.string(),
    name: z.string(),
    plan,
    limits,
    scopes: z.array(scope),
    storeId: int64,
    prefix: z.string(),
    last4: z.string(),
    createdAt: instant,
    expiresAt: instant.nullable(),
    lastUsedAt: instant.nullable(),
    revokedAt: instant.nullable(),
    bannedUntil: instant.nullable().meta({ description: 'When its ban ends; null if it has none.' }),
  })
  .meta({ id: 'Key', description: 'An API key, without its secret.' });

export const keyWithSecretBody = z
  .object({
    ...keyBody.shape,
    key: z
      .string()
      .nullable()
      .meta({ description: 'The secret itself, shown this once; null when the answer is given again.' }),
  })
  .meta({ id: 'KeyWithSecret', description: 'An API key with its secret.' });

const iso = (at: number): string => new Date(at).toISOString();
const isoIf = (at: number | null): string | null => (at === null ? null : iso(at));

/** The key as it may be shown: everything but the secret. */
export const toKeyBody = (key: Key, bannedUntil: number | undefined): BodyOf<typeof keyBody> => ({
  id: key.id,
  name: key.name,
  plan: key.plan,
  limits: key.limits,
  scopes: key.scopes,
  storeId: jsonInteger(key.storeId),
  prefix: key.prefix,
  last4: key.last4,
  createdAt: iso(key.createdAt),
  expiresAt: isoIf(key.expiresAt),
  lastUsedAt: isoIf(key.lastUsedAt),
  revokedAt: isoIf(key.revokedAt),
  bannedUntil: isoIf(bannedUntil ?? null),
});
