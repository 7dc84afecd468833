import { z } from 'zod';
import { type BodyOf, SCOPES } from '../../kernel/contract.ts';
import {
  EXAMPLE,
  extend,
  formatCount,
  formatInstant,
  instant,
  instantText,
  int64,
  jsonInteger,
  jsonObject,
  nameText,
  objectOf,
} from '../../kernel/schema.ts';
import { type Key, limitsFault, PLAIN_SCOPES } from './key.ts';
import { PLANS, type Plan } from './plan.ts';

export const KEY_ID = /^key_[0-9A-Za-z]{24}$/;

export const keyIdText = z
  .string()
  .regex(KEY_ID)
  .meta({ description: 'The identifier of the key.', examples: [EXAMPLE.keyId] });

const PLAN_NAMES = Object.keys(PLANS) as [Plan, ...Plan[]];

const formatPlan = (name: Plan): string => {
  const limits = PLANS[name];
  if (limits === 'custom') return `\`${name}\` as set in \`limits\``;
  return `\`${name}\` ${[limits.perMinute, limits.perDay, limits.pets].map(formatCount).join(' / ')}`;
};

const PLAN_WORDS =
  "The key's plan, which sets three limits (requests per minute / requests per day / pets in the store): " +
  `${PLAN_NAMES.map(formatPlan).join(', ')}.`;

const requestCount = z
  .custom<number>((value) => Number.isSafeInteger(value) && (value as number) > 0, {
    error: ({ input }) => (input === undefined ? 'is required' : 'must be an integer from 1 to 2^53-1'),
  })
  .meta({ type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

const limits = z
  .object(
    {
      perMinute: requestCount.describe('Maximum requests in a 60-second window.'),
      perDay: requestCount.describe('Maximum requests in a 24-hour window.'),
      pets: requestCount
        .nullable()
        .optional()
        .describe('Maximum number of pets in the store, checked when the key adds one; null means no limit.'),
    },
    { error: 'must be an object with perMinute and perDay' },
  )
  .meta({
    id: 'Limits',
    description:
      "Limits on a key's requests and on the number of pets in its store. Only the `enterprise` plan accepts custom " +
      'limits. It requires `perMinute` and `perDay`; `pets` is optional.',
    examples: [{ perMinute: 300, perDay: 10_000, pets: 100_000 }],
  });

const plan = z
  .enum(PLAN_NAMES, {
    error: ({ input }) => (input === undefined ? 'is required' : `must be one of ${PLAN_NAMES.join(', ')}`),
  })
  .meta({ id: 'Plan', description: PLAN_WORDS, examples: ['pro'] });

const scope = z.enum(SCOPES, { error: `must be one of ${SCOPES.join(', ')}` }).meta({
  id: 'Scope',
  description:
    'A permission that a key can have. `keys:write` and `ops:read` are for operators and apply to all stores.',
  examples: ['pets:read'],
});

const fields = {
  name: nameText.meta({ description: 'What the key is for: 1 to 255 characters.', examples: ['Front desk'] }),
  plan,
  limits,
  scopes: z
    .array(scope, { error: 'must be a list of scopes' })
    .min(1, 'must contain at least one scope')
    .max(SCOPES.length, `must have at most ${SCOPES.length} scopes`)
    .transform((scopes) => [...new Set(scopes)])
    .describe("The key's permissions."),
  expiresAt: instantText
    .nullable()
    .describe('The time at which the key expires, in any UTC offset; null if it never expires.'),
};

/** Sets `additionalProperties`, because linters treat it as false if it is missing inside a condition. */
const planIs = (wanted: 'custom' | 'fixed') => ({
  properties: { plan: { enum: PLAN_NAMES.filter((name) => (PLANS[name] === 'custom') === (wanted === 'custom')) } },
  additionalProperties: true,
});
const LIMITS_NEED_PLAN = {
  if: { properties: { limits: {} }, required: ['limits'], additionalProperties: true },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: planIs('custom'),
};

/** `when` makes Zod run this check even if other fields are invalid, as long as the plan is valid. */
const LIMITS_OF_PLAN = {
  path: ['limits'],
  error: ({ input }: { input?: unknown }) => limitsFault((input as Key).plan, (input as Key).limits),
  when: ({ value }: { value: unknown }) => PLAN_NAMES.includes((value as Key | null)?.plan as Plan),
};

export const newKey = jsonObject({
  ...fields,
  limits: fields.limits.optional(),
  scopes: fields.scopes
    .optional()
    .transform((scopes) => scopes ?? [...PLAIN_SCOPES])
    .meta({
      description: `The key's permissions. Default: ${PLAIN_SCOPES.map((scope) => `\`${scope}\``).join(', ')}.`,
    }),
  expiresAt: fields.expiresAt
    .optional()
    .describe('The time at which the key expires, in any UTC offset. If null or omitted, the key never expires.'),
  storeId: int64
    .refine((id) => id > 0n, 'must be at least 1')
    .optional()
    .meta({
      minimum: 1,
      description:
        "The key's store. A new number creates a new store. Default: store 1 in production, and a new store for the key on " +
        'staging.',
    }),
})
  .refine(({ plan, limits }) => limitsFault(plan, limits) === undefined, LIMITS_OF_PLAN)
  .meta({
    id: 'KeyCreation',
    description: 'A key to create.',
    examples: [{ name: 'Front desk', plan: 'pro' }],
    ...LIMITS_NEED_PLAN,
    else: planIs('fixed'),
  });

export const keyChange = jsonObject(fields)
  .partial()
  // If the request contains only `plan` or only `limits`, the operation checks that field against the stored key.
  .refine(({ plan, limits }) => !plan || !limits || limitsFault(plan, limits) === undefined, LIMITS_OF_PLAN)
  .meta({
    id: 'KeyChange',
    description: 'Changes to a key. Omitted fields stay as they are.',
    examples: [{ plan: 'business' }],
    ...LIMITS_NEED_PLAN,
  });

const LONGEST_GRACE_SECONDS = 86_400;
const GRACE_FAULT = `must be an integer from 0 to ${LONGEST_GRACE_SECONDS}`;

export const keyRotation = objectOf({ graceSeconds: 3600 }, 'KeyRotation', 'Options for rotating a key.', {
  graceSeconds: z
    .int(GRACE_FAULT)
    .min(0, GRACE_FAULT)
    .max(LONGEST_GRACE_SECONDS, GRACE_FAULT)
    .optional()
    .transform((seconds) => seconds ?? 0)
    .meta({ format: 'int32', description: 'How long the previous secret stays valid, in seconds. Default: 0.' }),
});

const KEY = {
  id: EXAMPLE.keyId,
  name: 'Front desk',
  plan: 'pro',
  limits: PLANS.pro,
  scopes: PLAIN_SCOPES,
  storeId: 1,
  prefix: 'ps_live_',
  last4: 'Lq17',
  createdAt: EXAMPLE.time,
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
  bannedUntil: null,
};

export const keyBody = objectOf(KEY, 'Key', 'An API key, without its secret.', {
  id: z.string().describe('The identifier of the key; not secret.'),
  name: z.string().describe('What the key is for.'),
  plan,
  limits: limits.describe("Limits on the key's requests and on the pets in its store."),
  scopes: z.array(scope).describe("The key's permissions."),
  storeId: int64.describe("The key's store."),
  prefix: z.string().describe('First characters of the secret: `ps_live_` in production, `ps_test_` on staging.'),
  last4: z.string().describe('Last four characters of the secret, to help you recognise it.'),
  createdAt: instant.describe('When the key was created.'),
  expiresAt: instant.nullable().describe('When the key expires; null means never.'),
  lastUsedAt: instant.nullable().describe('When the key was last used, accurate to a few seconds; null means never.'),
  revokedAt: instant.nullable().describe('When the key was revoked; null if it is not revoked.'),
  bannedUntil: instant.nullable().describe("When the key's ban ends; null if the key is not banned."),
});

const { id, name } = keyBody.shape;

export const keyNameBody = objectOf({ id: KEY.id, name: KEY.name }, 'KeyName', 'The name of an API key.', { id, name });

export const keyWithSecretBody = extend(
  keyBody,
  { key: z.string().nullable().describe('The secret. Shown only once; null in a replayed response.') },
  {
    id: 'KeyWithSecret',
    description: 'An API key with its secret.',
    examples: [{ ...KEY, key: 'ps_live_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17' }],
  },
);

export const toKeyBody = (key: Key, bannedUntil: number | undefined): BodyOf<typeof keyBody> => ({
  id: key.id,
  name: key.name,
  plan: key.plan,
  limits: key.limits,
  scopes: key.scopes,
  storeId: jsonInteger(key.storeId),
  prefix: key.prefix,
  last4: key.last4,
  createdAt: formatInstant(key.createdAt),
  expiresAt: formatInstant(key.expiresAt),
  lastUsedAt: formatInstant(key.lastUsedAt),
  revokedAt: formatInstant(key.revokedAt),
  bannedUntil: formatInstant(bannedUntil ?? null),
});
