import { LEASE_SET_AHEAD_MS } from '../kernel/clock.ts';
import type { Sql } from '../storage/sql.ts';
import type { LeaseRepository } from './cluster.repository.ts';

export const sqlLeases = (sql: Sql): LeaseRepository => ({
  async acquire(name, holder, now, until) {
    const taken = await sql.one(
      `INSERT INTO leases (name, holder, until) VALUES ($1, $2, $4)
       ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
       WHERE leases.holder = excluded.holder OR leases.until <= $3 OR leases.until - ${LEASE_SET_AHEAD_MS} > $4
       RETURNING name`,
      [name, holder, now, until],
    );
    return taken !== undefined;
  },

  async release(holder) {
    await sql.run('DELETE FROM leases WHERE holder = $1', [holder]);
  },

  async forget(before) {
    await sql.run('DELETE FROM leases WHERE until < $1', [before]);
  },
});
