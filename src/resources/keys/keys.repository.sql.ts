import type { Scope } from '../../kernel/contract.ts';
import { numberOrNull, type RowOf } from '../../kernel/row.ts';
import { pageOf } from '../../storage/page.sql.ts';
import type { Sql, SqlValue } from '../../storage/sql.ts';
import type { KeyChanges } from './changes.ts';
import { type Key, limitsOf } from './key.ts';
import type { KeyRepository } from './keys.repository.ts';
import { PLANS } from './plan.ts';

type KeyRow = RowOf<Omit<Key, 'limits' | 'scopes' | 'admin'>> & {
  per_minute: bigint | null;
  per_day: bigint | null;
  pet_limit: bigint | null;
  scopes: string;
  is_admin: bigint;
};

const COLUMN_NAMES = [
  ...['id', 'store_id', 'name', 'plan', 'per_minute', 'per_day', 'pet_limit', 'scopes'],
  ...['prefix', 'last4', 'is_admin', 'created_at', 'expires_at', 'last_used_at', 'revoked_at'],
];
const COLUMNS = COLUMN_NAMES.map((name) => `k.${name}`).join(', ');

const fromRow = (row: KeyRow): Key => ({
  id: row.id,
  name: row.name,
  plan: row.plan,
  limits: limitsOf(row.plan, {
    perMinute: Number(row.per_minute),
    perDay: Number(row.per_day),
    pets: numberOrNull(row.pet_limit),
  }),
  scopes: row.scopes.split(' ') as Scope[],
  storeId: row.store_id,
  prefix: row.prefix,
  last4: row.last4,
  admin: row.is_admin === 1n,
  createdAt: Number(row.created_at),
  expiresAt: numberOrNull(row.expires_at),
  lastUsedAt: numberOrNull(row.last_used_at),
  revokedAt: numberOrNull(row.revoked_at),
});

/** Keys with a fixed plan store no limits, so that a change to the plan applies to all keys that have it. */
const storedLimits = ({ plan, limits }: Key) =>
  PLANS[plan] === 'custom' ? [limits.perMinute, limits.perDay, limits.pets] : [null, null, null];

export const sqlKeys = (sql: Sql, changes: Pick<KeyChanges, 'publish'>): KeyRepository => {
  const one = async (where: string, values: SqlValue[], lock: string): Promise<Key | undefined> => {
    const row = await sql.one<KeyRow>(`SELECT ${COLUMNS} FROM keys k WHERE ${where} ${lock}`, values);
    return row && fromRow(row);
  };

  return {
    find: (id) => one('k.id = $1', [id], ''),
    lock: (id) => one('k.id = $1', [id], sql.lockRows),
    findAdmin: () => one('k.is_admin = 1', [], ''),
    lockAdmin: () => one('k.is_admin = 1', [], sql.lockRows),

    async findBySecret(hash, now) {
      const row = await sql.one<KeyRow & { secret_ends_at: bigint | null }>(
        `SELECT ${COLUMNS}, s.expires_at AS secret_ends_at FROM key_secrets s JOIN keys k ON k.id = s.key_id
       WHERE s.hash = $1 AND (s.expires_at IS NULL OR s.expires_at > $2)`,
        [hash, now],
      );
      return row && { key: fromRow(row), secretEndsAt: numberOrNull(row.secret_ends_at) };
    },

    async insert(key, hash) {
      const { id, storeId, name, plan, scopes, prefix, last4, admin } = key;
      await sql.run(
        `INSERT INTO keys (${COLUMN_NAMES.join(', ')})
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
        [
          ...[id, storeId, name, plan, ...storedLimits(key), scopes.join(' '), prefix, last4, admin ? 1 : 0],
          ...[key.createdAt, key.expiresAt, key.lastUsedAt, key.revokedAt],
        ],
      );
      await sql.run('INSERT INTO key_secrets (hash, key_id) VALUES ($1, $2)', [hash, key.id]);
    },

    async list(page) {
      const by = { created_at: page.after?.createdAt, id: page.after?.id };
      const { where, end, values } = pageOf({ by }, page);
      return (await sql.all<KeyRow>(`SELECT ${COLUMNS} FROM keys k ${where} ${end}`, values)).map(fromRow);
    },

    async update(key) {
      await sql.run(
        `UPDATE keys SET name = $2, plan = $3, per_minute = $4, per_day = $5, pet_limit = $6, scopes = $7, expires_at = $8,
         revoked_at = $9
       WHERE id = $1`,
        [key.id, key.name, key.plan, ...storedLimits(key), key.scopes.join(' '), key.expiresAt, key.revokedAt],
      );
      await sql.noteKeyChange(key.id);
      sql.afterCommit(() => changes.publish(key.id));
    },

    async replaceSecret({ id, prefix, last4 }, hash, graceEndsAt) {
      // Only the newest secret has no expiry, so this statement deletes all older secrets.
      await sql.run('DELETE FROM key_secrets WHERE key_id = $1 AND expires_at IS NOT NULL', [id]);
      await sql.run('UPDATE key_secrets SET expires_at = $2 WHERE key_id = $1', [id, graceEndsAt]);
      await sql.run('INSERT INTO key_secrets (hash, key_id) VALUES ($1, $2)', [hash, id]);
      await sql.run('UPDATE keys SET prefix = $2, last4 = $3 WHERE id = $1', [id, prefix, last4]);
      await sql.noteKeyChange(id);
      sql.afterCommit(() => changes.publish(id));
    },
  };
};
